import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import http, { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import { callService, type CallOptions } from '../../../src/service/client.js';
import { systemClock } from '../../../src/service/clock.js';
import type { Answered } from '../../../src/service/httpAnswer.js';
import type { ImageCall } from '../../../src/service/requestBody.js';
import {
	AnswerError,
	CancelledError,
	ConnectionError,
	InterruptedError,
	StatusError,
	StorageError,
	TimeoutError,
} from '../../../src/service/errors.js';
import {
	defaultNetworkOptions,
	openTransport,
	type Transport,
} from '../../../src/service/transport.js';
import { until } from '../../host/until.js';
import {
	certificateFor,
	echoServer,
	listen,
	useServers,
	type Listening,
} from './networkFixtures.js';
import { useFolder } from '../scratch.js';

/** Bytes of no image: the client does not look at them. */
const image = randomBytes(2_000_000);
const whole = JSON.stringify({ data: [{ b64_json: image.toString('base64') }] });

/** The client, with answers whose every byte is decided here. */
suite('service › client, answered by hand', () => {
	const at = useFolder();
	const opened = useServers();
	let server: Listening;
	let handler: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

	suiteSetup(async () => {
		server = await listen(
			http.createServer((request, response) => void handler(request, response)),
		);
	});

	suiteTeardown(() => server.close());

	const address = () => `http://127.0.0.1:${String(server.port)}`;
	const transport = () => openTransport(address(), defaultNetworkOptions, {});
	const file = () => at('image');

	/** A way to a server with TLS, for one test. */
	async function withTls(answering: http.RequestListener): Promise<Transport> {
		const certificate = await certificateFor(['127.0.0.1']);
		const secure = await opened(echoServer(certificate, answering));
		return openTransport(
			`https://127.0.0.1:${String(secure.port)}`,
			defaultNetworkOptions,
			{},
			{ extraCa: [certificate.cert] },
		);
	}

	function call(options: Partial<CallOptions> = {}, asked: Partial<ImageCall> = {}) {
		return callService(
			{ prompt: 'a lighthouse', size: 'auto', references: [], ...asked },
			{ key: 'key', transport: transport(), file: file(), timeoutMs: 20_000, ...options },
		);
	}

	function failureOf(
		options: Partial<CallOptions> = {},
		asked: Partial<ImageCall> = {},
	): Promise<unknown> {
		return call(options, asked).then(
			() => assert.fail('it should have failed'),
			(error: unknown) => error,
		);
	}

	/** Does this with every request when it is here. */
	function whenAsked(act: http.RequestListener): void {
		handler = (request, response) => {
			request.resume().on('end', () => act(request, response));
		};
	}

	/** Answers every request, when it is here, with these bytes. */
	function answer(
		body: string | Uint8Array,
		{ status = 200, reason = STATUS_CODES[status] ?? '', headers = {} }: Head = {},
	): void {
		whenAsked((_, response) => {
			response.writeHead(status, reason, { connection: 'close', ...headers }).end(body);
		});
	}

	function untilStored(file: string, bytes: number): Promise<void> {
		return until(
			async () => (await stat(file).catch(() => ({ size: 0 }))).size >= bytes,
			`${String(bytes)} bytes on the disk`,
		);
	}

	async function statusError(options: Partial<CallOptions> = {}): Promise<StatusError> {
		const error = await failureOf(options);
		assert.ok(error instanceof StatusError, String(error));
		return error;
	}

	test('the compressed words of an error are read too', async () => {
		answer(gzipSync('{"message": "Not so."}'), {
			status: 400,
			headers: { 'content-encoding': 'gzip' },
		});
		assert.equal((await statusError()).message, 'Not so.');
	});

	test('the words of an error are found before what no error needs, and are not read without an end', async () => {
		const words = '{"error":{"message":"Not so.","type":"a","code":5},"more":[';
		for (const rest of ['['.repeat(100), '1,'.repeat(20_000), ' '.repeat(2_000_000), '"', 'oops']) {
			answer(words + rest, { status: 400 });
			assert.equal((await statusError()).message, 'Not so.');
		}
		answer(`{"more":"${'x'.repeat(900_000)}","message":"Not so."}`, { status: 400 });
		assert.equal((await statusError()).message, 'Not so.');
		const maxBytes = 1024 * 1024;
		for (const [bytes, reported] of [
			[maxBytes, 'Not so.'],
			[maxBytes + 1, 'Bad Request'],
		] as const) {
			const [start, end] = ['{"more":"', '","message":"Not so."}'];
			answer(start + 'x'.repeat(bytes - start.length - end.length) + end, { status: 400 });
			assert.equal((await statusError()).message, reported);
		}
		handler = (_, response) => {
			response.on('error', () => undefined).writeHead(400);
			const write = () => {
				while (response.write('x'.repeat(65_536)));
			};
			response.on('drain', write).write('{"more":"');
			write();
		};
		assert.equal((await statusError()).message, 'Bad Request');
	});

	test('the identifier of a request is the first that an answer names, and not endless', async () => {
		const names = ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'];
		const cases: readonly (readonly [Record<string, string>, string | undefined])[] = [
			...names.map((name) => [{ [name]: name }, name] as const),
			[Object.fromEntries(names.map((name) => [name, name]).reverse()), 'x-request-id'],
			[{ 'x-request-id': '', 'cf-ray': 'ray' }, 'ray'],
			[{ 'x-request-id': 'x'.repeat(300) }, `${'x'.repeat(199)}…`],
			[{ etag: 'tag' }, undefined],
		];
		for (const [headers, requestId] of cases) {
			answer(whole, { headers });
			const answered: Answered[] = [];
			const result = await call({ onAnswer: (each) => answered.push(each) });
			assert.equal(result.requestId, requestId);
			assert.equal(result.status, 200);
			assert.deepEqual(answered, [{ status: 200, requestId }]);
		}
	});

	test('an error without words of the service has those of its status', async () => {
		for (const [status, reason, words] of [
			[400, ' Own words ', 'Own words'],
			[418, ' ', "I'm a Teapot"],
			[499, '', 'HTTP status 499'],
		] as const) {
			answer('{"error":{"message":"  "},"message":""}', { status, reason });
			assert.equal((await statusError()).message, words);
		}
	});

	test('an error whose body breaks off is known by its status', async () => {
		whenAsked((_, response) => {
			response.writeHead(400, { 'content-length': '1000' }).write('{"message":');
			setImmediate(() => response.destroy());
		});
		assert.equal((await statusError()).message, 'Bad Request');
	});

	test('shows the target of a redirect, without its query and password', async () => {
		const where = address();
		for (const [status, location, reported] of [
			[301, 'https://new.example/v1/images', 'https://new.example/v1/images'],
			[302, '/login?next=%2F&token=abc#top', `${where}/login`],
			[307, 'https://user:pass@new.example:8443/?a=b', 'https://new.example:8443/'],
			[308, 'javascript:alert(1)', 'javascript:alert(1)'],
			[308, 'git+http://new.example/a?b', 'git+http://new.example/a?b'],
			[303, 'http://[', 'http://['],
			[301, `https://new.example/${'x'.repeat(500)}`, /^https:\/\/new\.example\/x{179}…$/],
			[301, 'https://new.example/of/a-long-key-1/here', 'https://new.example/of/***/here'],
		] as const) {
			answer('', { status, headers: { location } });
			const message = wordsOf(await statusError({ key: 'a-long-key-1' }));
			const words =
				/^(.+) \(a redirect to (.+), which Easel does not follow; check the service address\)$/;
			const [, reason, to = ''] = words.exec(message) ?? [];
			assert.equal(reason, STATUS_CODES[status]);
			if (typeof reported === 'string') {
				assert.equal(to, reported);
			} else {
				assert.match(to, reported);
			}
		}
		answer('{"message":"We have moved."}', { status: 301, headers: { location: '/there' } });
		assert.match(wordsOf(await statusError()), /^We have moved\. \(a redirect to http.*\/there,/);
		answer('', { status: 304 });
		assert.equal((await statusError()).message, 'Not Modified');
		for (const status of [400, 429]) {
			answer('', { status, headers: { location: '/there' } });
			assert.equal((await statusError()).message, STATUS_CODES[status]);
		}
	});

	test('what a refusal means for the money depends on its status and on how long it took', async () => {
		const lateAfterMs = 30_000;
		for (const [status, elapsed, charge] of [
			[400, 0, 'rejected'],
			[400, 2 * lateAfterMs, 'rejected'],
			[409, 0, 'rejected'],
			[409, lateAfterMs - 1, 'rejected'],
			[409, lateAfterMs, 'unknown'],
			[429, lateAfterMs, 'rejected'],
			[499, lateAfterMs, 'rejected'],
			[500, 0, 'unknown'],
			[599, lateAfterMs, 'unknown'],
		] as const) {
			// Far from 0 at the start, as a clock of its own is.
			let now = 1_000_000 - elapsed;
			const clock = {
				now: () => (now += elapsed),
				wallTime: () => now,
				sleep: () => new Promise<void>(() => undefined),
			};
			answer('{}', { status });
			const error = await statusError({ clock });
			assert.equal(error.charge, charge, `${String(status)} after ${String(elapsed)} ms`);
		}
	});

	test('an answer that makes no sense says which request it was', async () => {
		answer('<html></html>', { headers: { 'x-request-id': 'id' } });
		const error = await failureOf();
		assert.ok(error instanceof AnswerError, String(error));
		const { facts, status, requestId } = error;
		assert.deepEqual([facts.code, status, requestId], ['answer.html', 200, 'id']);
	});

	suite('of which half has come', () => {
		const half = whole.slice(0, whole.length / 2);

		/** Answers with a half, and waits; says when the client is gone. */
		function answerHalf(status = 200): {
			readonly gone: Promise<unknown>;
			breakOff: () => void;
			goOn: () => void;
		} {
			let open: ServerResponse | undefined;
			const gone = Promise.withResolvers<undefined>();
			handler = (request, response) => {
				open = response;
				response.on('close', () => gone.resolve(undefined));
				request.resume().on('end', () => {
					response.writeHead(status, { 'x-request-id': 'id' }).write(half);
				});
			};
			return {
				gone: gone.promise,
				breakOff: () => open?.destroy(),
				goOn: () => open?.end(whole.slice(half.length)),
			};
		}

		for (const deleted of ['job', 'job/answer']) {
			test(`deleting ${deleted} loses nothing: the image comes whole`, async () => {
				const { goOn } = answerHalf();
				const job = at('job');
				const calling = call({ file: path.join(job, 'image') });
				await untilStored(path.join(job, 'answer'), image.length / 3);
				await rm(at(deleted), { recursive: true });
				goOn();
				assert.deepEqual(await readFile((await calling).file), image);
				assert.deepEqual(await readdir(job), ['image']);
			});
		}

		/** Calls `end` as soon as the half is on the disk, and returns the failure. */
		async function endedBy(end: () => void, options: Partial<CallOptions>): Promise<unknown> {
			const failing = failureOf(options);
			await untilStored(at('answer'), image.length / 3);
			end();
			return failing;
		}

		test('cancelling leaves what has come, and says where', async () => {
			const { gone } = answerHalf();
			const controller = new AbortController();
			const error = await endedBy(() => controller.abort(), {
				signal: controller.signal,
				inspect: () => Promise.resolve('image'),
			});
			assert.ok(error instanceof CancelledError, String(error));
			assert.deepEqual([error.charge, error.answerFile], ['charged', at('answer')]);
			await gone;
			assert.deepEqual(await readdir(at()), ['answer']);
		});

		test('an interruption leaves all of it to the next process', async () => {
			const { gone } = answerHalf();
			const controller = new AbortController();
			const reason = new InterruptedError('SIGTERM');
			const error = await endedBy(() => controller.abort(reason), { signal: controller.signal });
			assert.equal(error, reason);
			await gone;
			assert.deepEqual(await readdir(at()), ['answer']);
		});

		test('a connection that breaks leaves what has come, and says where', async () => {
			const { breakOff } = answerHalf();
			const error = await endedBy(breakOff, {});
			assert.ok(error instanceof ConnectionError, String(error));
			const { code, charge, status, requestId } = error;
			assert.deepEqual([code, charge, status, requestId], ['ECONNRESET', 'charged', 200, 'id']);
			assert.match(wordsOf(error), new RegExp(`127.0.0.1:${String(server.port)} .*ECONNRESET`));
			assert.equal(error.answerFile, at('answer'));
			assert.deepEqual(await readdir(at()), ['answer']);
		});

		test('the time-out names itself, and the request that it ended', async () => {
			const { gone } = answerHalf();
			const timeOut = Promise.withResolvers<void>();
			const error = await endedBy(() => timeOut.resolve(), {
				timeoutMs: 299_600,
				clock: {
					now: () => 0,
					wallTime: () => 0,
					sleep: (ms) => {
						assert.equal(ms, 299_600);
						return timeOut.promise;
					},
				},
			});
			assert.ok(error instanceof TimeoutError, String(error));
			assert.match(wordsOf(error), /within 300 seconds/);
			const { charge, status, requestId } = error;
			assert.deepEqual([charge, status, requestId], ['charged', 200, 'id']);
			assert.equal(error.answerFile, at('answer'));
			await gone;
		});

		test('an end while the words of an error arrive leaves no doubt where there was none', async () => {
			for (const [status, charge] of [
				[400, 'rejected'],
				[409, 'unknown'],
				[499, 'rejected'],
				[500, 'unknown'],
			] as const) {
				const { gone } = answerHalf(status);
				const controller = new AbortController();
				// So much later that a gateway may have answered for a service that goes on.
				let now = 1_000_000;
				const error = await failureOf({
					clock: { ...systemClock, now: () => (now += 30_000), wallTime: () => now },
					signal: controller.signal,
					onAnswer: () => controller.abort(),
				});
				assert.ok(error instanceof CancelledError, String(error));
				assert.equal(error.charge, charge);
				await gone;
			}
		});

		test('an image that is whole by itself has come, whatever follows', async () => {
			const { breakOff } = answerHalf();
			const asked: string[] = [];
			const calling = call({
				inspect: (part) => {
					asked.push(path.basename(part));
					return Promise.resolve('complete');
				},
				onPhase: (phase) => {
					if (phase === 'receiving') {
						setImmediate(breakOff);
					}
				},
			});
			const { status, requestId } = await calling;
			assert.deepEqual([status, requestId], [200, 'id']);
			assert.deepEqual(asked, ['image.part']);
			assert.deepEqual(await readdir(at()), ['image']);
		});
	});

	test('an answer that is deleted while its image is taken is written anew', async () => {
		answer(whole);
		const job = at('job');
		let looks = 0;
		const { file } = await call({
			file: path.join(job, 'image'),
			inspect: async () => {
				if ((looks += 1) < 3) {
					await rm(job, { recursive: true });
				}
				return 'image';
			},
		});
		assert.equal(looks, 3);
		assert.deepEqual(await readFile(file), image);
		assert.deepEqual(await readdir(job), ['image']);
	});

	test('an answer that is gone is not said to be stored', async () => {
		answer(whole);
		const job = at('job');
		for (const found of ['image', 'other'] as const) {
			const error = await failureOf({
				file: path.join(job, 'image'),
				inspect: async () => {
					await rm(job, { recursive: true });
					return found;
				},
			});
			const expected = found === 'image' ? StorageError : AnswerError;
			assert.ok(error instanceof expected, String(error));
			assert.deepEqual([error.charge, error.answerFile], ['charged', undefined]);
		}
	});

	test('cancelling when all of it has come is too late: the image is here', async () => {
		whenAsked((_, response) => response.writeHead(200).write(whole));
		const controller = new AbortController();
		const calling = call({ signal: controller.signal });
		await untilStored(at('answer'), whole.length);
		controller.abort();
		await calling;
		assert.deepEqual(await readFile(file()), image);
		assert.deepEqual(await readdir(at()), ['image']);
	});

	test('an answer counts that comes before the whole request, though the service hangs up behind it', async () => {
		const reference = at('reference');
		await writeFile(reference, randomBytes(16_000_000));
		const references = [
			{ path: reference, fileName: 'a.png', contentType: 'image/png' },
		] satisfies ImageCall['references'];
		const error = JSON.stringify({ error: { message: 'Much too large.' } });
		let readBefore = 0;
		const hangUp: http.RequestListener = (request, response) => {
			let read = 0;
			request.on('data', (piece: Buffer) => {
				const isOver = read >= readBefore;
				read += piece.length;
				if (!isOver && read >= readBefore) {
					request.pause();
					response.writeHead(413, { 'content-length': error.length });
					response.end(error, () => request.socket.destroy());
				}
			});
		};
		handler = hangUp;
		const secureTransport = await withTls(hangUp);
		for (let round = 0; round < 8; round++) {
			for (readBefore of [1, 1_000_000, 4_000_000, 12_000_000]) {
				for (const each of [transport(), secureTransport]) {
					const failure = await failureOf({ transport: each }, { references });
					assert.ok(failure instanceof StatusError, `${String(readBefore)}: ${String(failure)}`);
					assert.deepEqual([failure.status, failure.message], [413, 'Much too large.']);
				}
			}
		}
	});

	test('a failure of our own is none of the connection', async () => {
		answer(whole);
		const own = new Error('of our own');
		const failing = () => {
			throw own;
		};
		assert.equal(await failureOf({ onAnswer: failing }), own);
	});

	test('an answer that does not follow HTTP leaves what has come of it', async () => {
		let sent = '';
		whenAsked((request) => request.socket.end(sent));
		const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
		for (const [bytes, code, charge, stored] of [
			[`${head}5\r\n{"dat\r\nzz\r\nrest`, 'answer.malformed', 'charged', '{"datzz\r\nrest'],
			['220 mail.example.com\r\n', 'answer.notHttp', 'unknown', undefined],
		] as const) {
			sent = bytes;
			const error = await failureOf();
			assert.ok(error instanceof AnswerError, String(error));
			assert.deepEqual([error.facts.code, error.charge, error.repeatable], [code, charge, false]);
			const { answerFile } = error;
			assert.equal(answerFile && (await readFile(answerFile, 'latin1')), stored);
		}
	});

	test('a server that hangs up without a word has perhaps made an image', async () => {
		whenAsked((request) => request.socket.end());
		const error = await failureOf();
		assert.ok(error instanceof ConnectionError, String(error));
		assert.deepEqual([error.code, error.charge], ['ECONNRESET', 'unknown']);
	});
});

interface Head {
	readonly status?: number;
	readonly reason?: string;
	readonly headers?: http.OutgoingHttpHeaders;
}
