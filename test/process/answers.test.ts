import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import net, { type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { failureText } from '../../src/generation/failures.js';
import { factsOf } from '../../src/jobs/failure.js';
import { inspectContent } from '../../src/images/whole.js';
import { callService } from '../../src/service/client.js';
import type { Clock } from '../../src/service/clock.js';
import { isImageServiceError } from '../../src/service/errors.js';
import { hasUnknownOutcome, withRetries } from '../../src/service/retry.js';
import { defaultNetworkOptions, openTransport } from '../../src/service/transport.js';
import { FakeClock } from '../unit/service/fakeClock.js';
import { pictureOf, requestOf } from '../unit/jobs/support.js';

/** What a row of the table expects: an image, or what is kept and said. */
type Expected =
	| 'saved'
	/** The answer is kept, and the words say this. */
	| { readonly kept: RegExp }
	/** Nothing has come that could be kept. */
	| { readonly nothing: RegExp };

interface Row {
	readonly name: string;
	/** What the service sends, in pieces; how the connection ends. */
	readonly answer: readonly (string | Buffer)[];
	readonly end?: 'close' | 'reset' | 'open';
	readonly expected: Expected;
	/** How many requests leave without a question; 1 by default. */
	readonly requests?: number;
	/** How many questions are asked; 0 by default. */
	readonly questions?: number;
}

/** Waits between two attempts take no time; no attempt times out. */
class QuickClock extends FakeClock {
	override sleep(ms: number, signal?: AbortSignal): Promise<void> {
		return ms >= 60_000 ? new Promise(() => undefined) : super.sleep(ms, signal);
	}
}

const key = 'a-key-for-answers-1';

/** What becomes of answers as gateways and proxies send them, from a server of bytes. */
suite('answers of every kind', () => {
	let root: string;
	let server: net.Server;
	let row: Row;
	let requests = 0;
	const sockets = new Set<Socket>();
	const table: string[] = [];

	suiteSetup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-answers-'));
		server = net.createServer((socket) => {
			sockets.add(socket);
			socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
			let received = '';
			socket.on('data', (piece) => {
				received += piece.toString('latin1');
				const head = received.indexOf('\r\n\r\n');
				const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
				if (head >= 0 && received.length === head + 4 + length) {
					requests += 1;
					void answer(socket);
				}
			});
		});
		await new Promise<void>((resolve) => {
			server.listen(0, '127.0.0.1', resolve);
		});
	});

	suiteTeardown(async () => {
		sockets.forEach((socket) => socket.destroy());
		server.close();
		await rm(root, { recursive: true });
		console.log(table.map((line) => `      ${line}`).join('\n'));
	});

	async function answer(socket: Socket): Promise<void> {
		for (const piece of row.answer) {
			await new Promise<void>((resolve) => {
				socket.write(piece, () => {
					resolve();
				});
			});
		}
		if (row.end === 'reset') {
			socket.resetAndDestroy();
		} else if (row.end !== 'open') {
			socket.end();
		}
	}

	async function check(one: Row, clock: Clock = new QuickClock()): Promise<void> {
		row = one;
		requests = 0;
		let questions = 0;
		const folder = await mkdtemp(path.join(root, 'job-'));
		const { port } = server.address() as AddressInfo;
		const request = requestOf({ prompt: 'a pier' });
		let outcome: string;
		let words = '';
		try {
			const address = `http://127.0.0.1:${String(port)}`;
			const transport = openTransport(address, defaultNetworkOptions);
			const image = path.join(folder, 'image');
			const options = { key, transport, clock, file: image, inspect: inspectContent };
			const attempt = () => callService(request, { ...options, timeoutMs: 60_000 });
			const { file } = await withRetries(attempt, {
				clock,
				mode: 'all',
				ask: () => {
					questions += 1;
					return Promise.resolve(false);
				},
			});
			assert.deepEqual(await readFile(file), await picture, 'another image');
			outcome = 'saved';
		} catch (error) {
			assert.ok(isImageServiceError(error), String(error));
			const elapsed = { elapsedMs: 0 };
			words = failureText(factsOf(error, elapsed, hasUnknownOutcome({ error, ...elapsed })));
			outcome = error.answerFile === undefined ? 'nothing' : 'kept';
			if (error.answerFile !== undefined) {
				const kept = await readFile(error.answerFile, 'latin1');
				assert.ok(kept.length > 0);
				assert.ok(!kept.includes(key), 'the key is kept');
			}
			assert.equal((await readdir(folder)).length > 0, outcome === 'kept');
		}
		const shown = words === '' ? '' : `  ${words}`;
		table.push(
			`${one.name.padEnd(38)} ${String(requests)} ${String(questions)} ${outcome.padEnd(8)}${shown}`,
		);
		const { expected } = one;
		const wanted = expected === 'saved' ? 'saved' : 'kept' in expected ? 'kept' : 'nothing';
		assert.equal(outcome, wanted, words);
		if (expected !== 'saved') {
			assert.match(words, 'kept' in expected ? expected.kept : expected.nothing);
		}
		assert.equal(requests, one.requests ?? 1, 'requests');
		assert.equal(questions, one.questions ?? 0, 'questions');
	}

	const picture = pictureOf('a pier');
	let json = '';
	let base64 = '';
	suiteSetup(async () => {
		base64 = (await picture).toString('base64');
		json = `{"created":1,"data":[{"b64_json":"${base64}"}]}`;
	});

	const ok = 'HTTP/1.1 200 OK\r\nConnection: close\r\n';
	const plain = (body: string | Buffer, head = ok) => [
		`${head}Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n`,
		body,
	];
	const chunked = (...pieces: (string | Buffer)[]) => [
		`${ok}Transfer-Encoding: chunked\r\n\r\n`,
		...pieces.flatMap((piece) => [`${Buffer.byteLength(piece).toString(16)}\r\n`, piece, '\r\n']),
	];
	const status = (code: number, body: string) =>
		plain(body, `HTTP/1.1 ${String(code)} Some Words\r\n`);
	const half = () => json.slice(0, json.length / 2);
	const error = (message: string, code: string) => JSON.stringify({ error: { message, code } });

	const rows: Readonly<Record<string, () => Omit<Row, 'name'>>> = {
		'as specified': () => ({ answer: plain(json), expected: 'saved' }),
		'HTTP/1.0, without a length': () => ({
			answer: ['HTTP/1.0 200 OK\r\n\r\n', json],
			expected: 'saved',
		}),
		'in chunks': () => ({
			answer: [...chunked(half(), json.slice(json.length / 2)), '0\r\n\r\n'],
			expected: 'saved',
		}),
		'in chunks, the last one missing': () => ({ answer: chunked(json), expected: 'saved' }),
		'said to be in chunks, and is not': () => ({
			answer: [`${ok}Transfer-Encoding: chunked\r\n\r\n`, json],
			expected: 'saved',
		}),
		'in chunks that never end': () => ({ answer: chunked(json), end: 'open', expected: 'saved' }),
		'longer than it says, kept open': () => ({
			answer: [`${ok}Content-Length: 99999999\r\n\r\n`, json],
			end: 'open',
			expected: 'saved',
		}),
		'two equal lengths': () => ({
			answer: plain(json, `${ok}Content-Length: ${String(json.length)}\r\n`),
			expected: 'saved',
		}),
		'two different lengths': () => ({
			answer: plain(json, `${ok}Content-Length: 5\r\n`),
			expected: 'saved',
		}),
		'a length and chunks': () => ({
			answer: [
				`${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
				...chunked(json).slice(1),
				'0\r\n\r\n',
			],
			expected: 'saved',
		}),
		'a blank before a colon': () => ({
			answer: plain(json, `${ok}Server : x\r\n`),
			expected: 'saved',
		}),
		'a control character in a header': () => ({
			answer: plain(json, `${ok}Server: a\x01b\r\n`),
			expected: 'saved',
		}),
		'a folded header': () => ({
			answer: plain(json, `${ok}Server: a\r\n b\r\n`),
			expected: 'saved',
		}),
		'bare line feeds': () => ({
			answer: ['HTTP/1.1 200 OK\nConnection: close\n\n', json],
			expected: 'saved',
		}),
		'a head of 20 KiB': () => ({
			answer: plain(json, `${ok}Set-Cookie: ${'x'.repeat(20_000)}\r\n`),
			expected: 'saved',
		}),
		'a head of 900 KiB': () => ({
			answer: plain(json, `${ok}${`X-More: ${'x'.repeat(9_000)}\r\n`.repeat(100)}`),
			expected: 'saved',
		}),
		'early hints before it': () => ({
			answer: [
				'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
				'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n',
				...plain(json),
			],
			expected: 'saved',
		}),
		'a byte order mark': () => ({ answer: plain(`\ufeff${json}`), expected: 'saved' }),
		'blanks of a heartbeat': () => ({
			answer: [...chunked('\n', ' ', ' ', json), '0\r\n\r\n'],
			expected: 'saved',
		}),
		'the URL-safe alphabet': () => ({
			answer: plain(json.replaceAll('+', '-').replaceAll('/', '_')),
			expected: 'saved',
		}),
		'raw line breaks': () => ({
			answer: plain(json.replace(base64, base64.replace(/.{76}/g, '$&\n'))),
			expected: 'saved',
		}),
		'no padding': () => ({ answer: plain(json.replace(/=+/, '')), expected: 'saved' }),
		'a data URI': () => ({
			answer: plain(json.replace(base64, `data:image/png;base64,${base64}`)),
			expected: 'saved',
		}),
		'a data URI as its url': () => ({
			answer: plain(`{"data":[{"url":"data:image/png;base64,${base64}"}]}`),
			expected: 'saved',
		}),
		'null first, the image second': () => ({
			answer: plain(`{"data":[{"b64_json":null},{"b64_json":"${base64}"}]}`),
			expected: 'saved',
		}),
		gzip: () => ({
			answer: plain(gzipSync(json), `${ok}Content-Encoding: gzip\r\n`),
			expected: 'saved',
		}),
		'gzip that it does not mention': () => ({ answer: plain(gzipSync(json)), expected: 'saved' }),
		'gzip, twice': () => ({
			answer: plain(gzipSync(gzipSync(json)), `${ok}Content-Encoding: gzip, gzip\r\n`),
			expected: { kept: /is not JSON/ },
		}),
		'plain, and says gzip': () => ({
			answer: plain(json, `${ok}Content-Encoding: gzip\r\n`),
			expected: 'saved',
		}),
		'gzip without its checksum': () => ({
			answer: plain(gzipSync(json).subarray(0, -8), `${ok}Content-Encoding: gzip\r\n`),
			expected: 'saved',
		}),
		'gzip that is damaged': () => ({
			answer: plain(gzipSync(json).fill(0xff, 20, 60), `${ok}Content-Encoding: gzip\r\n`),
			expected: { kept: /is not JSON/ },
		}),
		'gzip that is reset before anything can be read': () => ({
			answer: [`${ok}Content-Length: 9999\r\n\r\n`, gzipSync(json).subarray(0, 12)],
			end: 'reset',
			expected: { kept: /broke while the image was arriving/ },
			requests: 2,
			questions: 1,
		}),
		zstd: () => ({
			answer: plain(zstdCompressSync(json), `${ok}Content-Encoding: zstd\r\n`),
			expected: { kept: /is not JSON/ },
		}),
		'the image itself': () => ({
			answer: plain(Buffer.from(base64, 'base64'), `${ok}Content-Type: image/png\r\n`),
			expected: 'saved',
		}),
		'201': () => ({ answer: status(201, json), expected: 'saved' }),
		'203 of a proxy': () => ({ answer: status(203, json), expected: 'saved' }),
		'206 with all of it': () => ({ answer: status(206, json), expected: 'saved' }),
		'something behind the JSON': () => ({
			answer: plain(`${json}\n<!-- ok -->`),
			expected: 'saved',
		}),
		'broken off behind the image': () => ({
			answer: [`${ok}Content-Length: ${String(json.length)}\r\n\r\n`, json.slice(0, -3)],
			expected: 'saved',
		}),
		'a chunk of no size behind it': () => ({
			answer: [...chunked(json), 'zz\r\n'],
			expected: 'saved',
		}),
		'a chunk of no size within it': () => ({
			answer: [...chunked(half()), 'zz\r\n', 'rest'],
			expected: {
				kept: /does not follow HTTP \(HPE_INVALID_CHUNK_SIZE\).*charged.*stores the answer/,
			},
		}),
		'cut in the middle, with a clean end': () => ({
			answer: ['HTTP/1.0 200 OK\r\n\r\n', half()],
			expected: { kept: /ends before its image does/ },
		}),
		'reset in the middle': () => ({
			answer: [`${ok}Content-Length: ${String(json.length)}\r\n\r\n`, half()],
			end: 'reset',
			expected: { kept: /broke while the image was arriving/ },
			requests: 2,
			questions: 1,
		}),
		'reset in the head': () => ({
			answer: ['HTTP/1.1 200 OK\r\nServer: x'],
			end: 'reset',
			expected: { nothing: /broke/ },
			requests: 2,
			questions: 1,
		}),
		'a web page': () => ({
			answer: plain('<!DOCTYPE html><title>Sign in</title>'),
			expected: { kept: /answered with a web page/ },
		}),
		words: () => ({ answer: plain(`upstream ${key} failed`), expected: { kept: /is not JSON/ } }),
		'broken JSON': () => ({ answer: plain('{"data": [}'), expected: { kept: /is not JSON/ } }),
		'broken base64': () => ({
			answer: plain(json.replace(base64, `${base64.slice(0, 50)}!${base64.slice(50)}`)),
			expected: { kept: /is damaged/ },
		}),
		'text as its image': () => ({
			answer: plain('{"data":[{"b64_json":"VGhpcyBpcyB0ZXh0"}]}'),
			expected: { kept: /data that is not an image/ },
		}),
		'no items': () => ({ answer: plain('{"data":[]}'), expected: { kept: /contains no image/ } }),
		'a link': () => ({
			answer: plain('{"data":[{"url":"https://cdn.example/a.png"}]}'),
			expected: { kept: /a link instead of the image/ },
		}),
		'an error: moderation': () => ({
			answer: plain(error('Rejected by the safety system.', 'moderation_blocked')),
			expected: {
				kept: /answered with an error: Rejected by the safety system\..*You may already be charged\./,
			},
		}),
		'an error behind a heartbeat': () => ({
			answer: [...chunked(' ', ' ', error('Upstream aborted.', '502')), '0\r\n\r\n'],
			expected: { kept: /answered with an error: Upstream aborted\./ },
		}),
		'an error beside no items': () => ({
			answer: plain('{"created":1,"data":[],"error":{"message":"Upstream aborted."}}'),
			expected: { kept: /answered with an error: Upstream aborted\./ },
		}),
		'an error by its code alone': () => ({
			answer: plain('{"error_code":"E_BALANCE","detail":"Balance used up."}'),
			expected: { kept: /answered with an error: Balance used up\./ },
		}),
		'200 and nothing': () => ({ answer: plain(''), expected: { nothing: /without an image/ } }),
		'202 and nothing': () => ({
			answer: status(202, ''),
			expected: { nothing: /without an image/ },
		}),
		'204': () => ({
			answer: ['HTTP/1.1 204 No Content\r\n\r\n'],
			expected: { nothing: /without an image/ },
		}),
		'303': () => ({
			answer: plain('', 'HTTP/1.1 303 See Other\r\nLocation: /later\r\n'),
			expected: { nothing: /303.*You may already be charged\./ },
		}),
		'401': () => ({
			answer: status(401, error('Unknown key.', 'invalid')),
			expected: { nothing: /401: Unknown key\. You were not charged\./ },
		}),
		'401 whose body never ends': () => ({
			answer: ['HTTP/1.1 401 Unauthorized\r\nContent-Length: 5000\r\n\r\n{"message":"Unknown'],
			end: 'open',
			expected: { nothing: /401: Unknown/ },
		}),
		'400 with a head that is odd': () => ({
			answer: plain(error('Too long.', 'x'), 'HTTP/1.1 400 Bad Request\r\nServer : x\r\n'),
			expected: { nothing: /400: Too long\. You were not charged\./ },
		}),
		'503': () => ({
			answer: status(503, error('Busy.', 'busy')),
			expected: { nothing: /503: Busy\./ },
			requests: 4,
		}),
		'no HTTP': () => ({
			answer: ['220 mail.example.com\r\n'],
			expected: { nothing: /something that is not HTTP/ },
		}),
		'hung up without a byte': () => ({
			answer: [],
			expected: { nothing: /broke \(ECONNRESET\)/ },
			requests: 4,
		}),
	};

	for (const [name, make] of Object.entries(rows)) {
		test(name, () => check({ name, ...make() }));
	}
});
