import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http, { type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliCompress, createGzip, constants } from 'node:zlib';
import { notedText } from '../../src/editor/errorTexts.js';
import { workerOutputFile } from '../../src/jobs/jobFolder.js';
import { Journal } from '../../src/jobs/journal.js';
import type { JobState } from '../../src/jobs/state.js';
import { until } from '../host/until.js';
import { listen, type Listening } from '../unit/service/networkFixtures.js';
import { inputFor, pictureOf, requestOf } from '../unit/jobs/support.js';
import { faultyWorker, follow, isAlive, start } from './support.js';

const mebibyte = 1024 * 1024;

/** A worker of ours takes about 60 MiB before it has received anything. */
const maxMiB = 200;

/** What becomes of an answer: an image, or a failure in these words. */
type End = 'received' | RegExp;

interface Hostile {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly coding?: 'gzip' | 'br';
	readonly body: () => Iterable<string | Buffer>;
	readonly end: End;
}

/** A text over and over, in pieces, so many bytes in all. */
function* repeated(text: string, bytes: number): Generator<Buffer> {
	const piece = Buffer.from(text.repeat(Math.ceil((64 * 1024) / text.length)));
	for (let left = bytes; left > 0; left -= piece.length) {
		yield piece;
	}
}

function around(before: string, body: () => Iterable<Buffer>, behind = '') {
	return function* () {
		yield before;
		yield* body();
		yield behind;
	};
}

const large = 24 * mebibyte;
const tooMuch = /has more beside its image than Easel reads/;
const isBroken = /ends before its image does/;

/** One answer for each bound that holds a worker's memory; a run of all tests has the others, too. */
const everyday: ReadonlySet<string> = new Set([
	'24 MiB of [',
	'16 MiB of {},',
	'a key of 24 MiB',
	'a text of 24 MiB before the image',
	'24 MiB of [ behind the image',
	'a gzip bomb of [',
	'an error with a gzip bomb',
]);

/** Registers the tests of a worker that gets answers made to exhaust its memory. */
export function testHostileAnswers(which: 'everyday' | 'further'): void {
	let scratch: string;
	let journal: Journal;
	let script: string;
	let server: Listening;
	let answer: Hostile;
	let image: string;
	const table: string[] = [];

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-answers-'));
		journal = new Journal(scratch);
		image = (await pictureOf('a harbor', 'small')).toString('base64');
		script = await faultyWorker('reportPeak()');
		server = await listen(
			http.createServer((request, response) => {
				request.resume().on('end', () => void send(response).catch(() => undefined));
			}),
		);
	});

	suiteTeardown(async () => {
		await server.close();
		await rm(scratch, { recursive: true });
		console.log(table.map((line) => `      ${line}`).join('\n'));
	});

	async function send(response: ServerResponse): Promise<void> {
		const { status = 200, headers = {}, coding, body } = answer;
		const encoding = coding === undefined ? {} : { 'content-encoding': coding };
		response.writeHead(status, { ...headers, ...encoding });
		const pieces = Readable.from(body());
		if (coding === undefined) {
			await pipeline(pieces, response);
		} else {
			const encoder =
				coding === 'gzip'
					? createGzip()
					: createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
			await pipeline(pieces, encoder, response);
		}
	}

	const withImage = (rest: () => Iterable<Buffer>) =>
		around(`{"data":[{"b64_json":"${image}"}],"more":`, rest);

	const cases: Readonly<Record<string, () => Hostile>> = {
		'24 MiB of [': () => ({ body: () => repeated('[', large), end: tooMuch }),
		'24 MiB of {"a":': () => ({ body: () => repeated('{"a":', large), end: tooMuch }),
		'16 MiB of {},': () => ({
			body: around('{"data":[', () => repeated('{},', 16 * mebibyte)),
			end: tooMuch,
		}),
		'24 MiB of 1,': () => ({ body: around('[', () => repeated('1,', large)), end: tooMuch }),
		'24 MiB of "",': () => ({ body: around('[', () => repeated('"",', large)), end: tooMuch }),
		'a key of 24 MiB': () => ({ body: around('{"', () => repeated('x', large)), end: isBroken }),
		'a key of 24 MiB of escapes': () => ({
			body: around('{"', () => repeated('\\u0041', large)),
			end: isBroken,
		}),
		'a number of 24 MiB': () => ({ body: around('[', () => repeated('7', large)), end: tooMuch }),
		'a text of 24 MiB before the image': () => ({
			body: around('{"a":"', () => repeated('x', large), `","data":[{"b64_json":"${image}"}]}`),
			end: 'received',
		}),
		'100,000 texts before the image': () => ({
			body: around('{"a":[', () => repeated('"some words",', large)),
			end: tooMuch,
		}),
		'24 MiB of blanks': () => ({ body: () => repeated(' \n', large), end: /without an image/ }),
		'a fraction of 24 MiB behind the image': () => ({
			body: withImage(() => repeated('0.1e', large)),
			end: 'received',
		}),
		'24 MiB of [ behind the image': () => ({
			body: withImage(() => repeated('[', large)),
			end: 'received',
		}),
		'a text of 24 MiB behind the image': () => ({
			body: around(`{"data":[{"b64_json":"${image}","revised_prompt":"`, () =>
				repeated('x', large),
			),
			end: 'received',
		}),
		'300 images': () => ({
			body: around(
				`{"data":[{"b64_json":"${image}"}`,
				() => repeated(`,{"b64_json":"${image}"}`, 300 * image.length),
				']}',
			),
			end: 'received',
		}),
		'an image of 24 MiB of escapes': () => ({
			body: around('{"data":[{"b64_json":"', () => repeated('\\u0041', large)),
			end: isBroken,
		}),
		'24 MiB of escaped slashes in an image': () => ({
			body: around('{"data":[{"b64_json":"', () => repeated(`${'A'.repeat(63)}\\/`, large)),
			end: isBroken,
		}),
		'a gzip bomb of [': () => ({
			coding: 'gzip',
			body: () => repeated('[', 200 * mebibyte),
			end: tooMuch,
		}),
		'a gzip bomb within an image': () => ({
			coding: 'gzip',
			body: around('{"data":[{"b64_json":"', () => repeated('A', 300 * mebibyte)),
			end: isBroken,
		}),
		'a br bomb of blanks': () => ({
			coding: 'br',
			body: () => repeated(' ', 200 * mebibyte),
			end: /is not JSON/,
		}),
		'an error of 24 MiB of [': () => ({
			status: 400,
			body: () => repeated('[', large),
			end: /^Bad Request$/,
		}),
		'an error with a text of 24 MiB': () => ({
			status: 400,
			body: around('{"error":{"message":"', () => repeated('x', large)),
			end: /^x+…$/,
		}),
		'an error with values without an end': () => ({
			status: 400,
			body: around('{"a":[', () => repeated('"",', large)),
			end: /^Bad Request$/,
		}),
		'an error whose words stand before 24 MiB': () => ({
			status: 400,
			body: around('{"error":{"message":"Not so."},"more":[', () => repeated('{},', large)),
			end: /^Not so\.$/,
		}),
		'an error with a gzip bomb': () => ({
			status: 400,
			coding: 'gzip',
			body: around('{"message":"', () => repeated('x', 200 * mebibyte)),
			end: /^x+…$/,
		}),
	};

	for (const [name, hostile] of Object.entries(cases)) {
		if (everyday.has(name) !== (which === 'everyday')) {
			continue;
		}
		test(`${name}: takes little memory, and is told`, async () => {
			answer = hostile();
			const entry = await journal.create(requestOf({ prompt: 'a harbor' }));
			const address = `http://127.0.0.1:${String(server.port)}`;
			const pid = await start(
				inputFor(entry, { address, key: 'answers-key' }, { retry: 'never' }),
				{ script },
			);
			const { end } = follow(entry);
			const state = await end;
			await until(() => !isAlive(pid), 'the worker to end');
			const output = await readFile(path.join(entry.folder, workerOutputFile), 'utf8');
			const [, peak, cpu] = /^peak (\d+) KiB, (\d+) ms$/m.exec(output) ?? [];
			const peakMiB = Number(peak) / 1024;
			table.push(`${name.padEnd(44)} ${peakMiB.toFixed(0).padStart(5)} MiB ${cpu!.padStart(6)} ms`);
			assert.ok(peakMiB < maxMiB, `${peakMiB.toFixed(0)} MiB`);
			assertEnd(state, answer.end);
		}).timeout(120_000);
	}

	function assertEnd(state: JobState, end: End): void {
		if (end === 'received') {
			assert.equal(state.state, 'received', JSON.stringify(state).slice(0, 1000));
		} else {
			assert.ok(state.state === 'failed', state.state);
			assert.match(notedText(state.failure.message, state.failure.error), end);
			assert.equal(state.failure.charge, answer.status === undefined ? 'charged' : 'rejected');
		}
	}
}
