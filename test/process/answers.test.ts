import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http, { type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { workerOutputFile } from '../../src/jobs/jobFolder.js';
import { Journal } from '../../src/jobs/journal.js';
import { defaultNetworkOptions } from '../../src/service/transport.js';
import { until } from '../host/until.js';
import { inputFor, pictureOf, requestOf } from '../unit/jobs/support.js';
import {
	answerKey as key,
	answerTable,
	hugeAnswers,
	type AnswerRow,
	type HugeAnswer,
} from '../unit/service/answerTable.js';
import { listen, type Listening } from '../unit/service/networkFixtures.js';
import { rare } from '../host/rare.js';
import {
	bundledWorker,
	faultyWorker,
	follow,
	isAlive,
	openWindow,
	start,
	type Window,
} from './support.js';

/** A worker takes about 60 MiB before it has received anything. */
const maxMiB = 200;

suite('jobs › answers to a worker', () => {
	let root: string;
	let journal: Journal;
	let window: Window;
	let server: Listening;
	let picture: Buffer;
	let rows: Readonly<Record<string, AnswerRow>>;
	let huge: Readonly<Record<string, HugeAnswer>>;
	/** The prompts of all requests: each names the answer to it. */
	const prompts: string[] = [];
	const address = () => `http://127.0.0.1:${String(server.port)}`;

	suiteSetup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-answers-'));
		journal = new Journal(path.join(root, 'jobs'));
		window = openWindow(root, journal);
		picture = await pictureOf('a pier', 'small');
		// A row for each outcome; `answerReader.test.ts` reads all of them.
		const table = Object.entries(answerTable(picture));
		rows = Object.fromEntries(
			table.filter(
				([, { outcome }], index) =>
					table.findIndex(([, first]) => first.outcome === outcome) === index,
			),
		);
		huge = hugeAnswers(picture);
		server = await listen(
			http.createServer((request, response) => {
				void text(request).then((body) => {
					const { prompt } = JSON.parse(body) as { prompt: string };
					prompts.push(prompt);
					return answer(prompt, response).catch(() => undefined);
				});
			}),
		);
	});

	suiteTeardown(async () => {
		await window.close();
		await server.close();
		await rm(root, { recursive: true, maxRetries: 10 });
	});

	async function answer(prompt: string, response: ServerResponse): Promise<void> {
		const row = rows[prompt];
		const { status = 200, coding, pieces } = huge[prompt] ?? { pieces: [row!.body] };
		const encoding = row?.coding ?? coding;
		response.writeHead(status, encoding === undefined ? {} : { 'content-encoding': encoding });
		const packing = coding === 'gzip' ? [createGzip()] : [];
		await pipeline([Readable.from(pieces), ...packing, response]);
	}

	/** Has a worker ask for the image, and looks at what is left of the answer. */
	async function check(name: string, { body, outcome }: AnswerRow): Promise<void> {
		const entry = await journal.create(requestOf({ prompt: name }));
		const settings = { address: address(), key, network: defaultNetworkOptions };
		const state = await window.make(entry, {
			worker: await bundledWorker(),
			settings: () => Promise.resolve({ ...settings, timeoutMs: 60_000, retry: 'all' }),
		});
		if (outcome === 'image') {
			assert.ok(state.state === 'saved', JSON.stringify(state));
			assert.ok((await readFile(fileURLToPath(state.target))).equals(picture));
			return;
		}
		assert.ok(state.state === 'failed', JSON.stringify(state));
		const { message, error, charge, answerFile } = state.failure;
		assert.equal(error?.code ?? 'words', outcome, message);
		assert.equal(charge, outcome === 'words' ? 'unknown' : 'charged');
		if (outcome === 'answer.empty') {
			assert.equal(answerFile, undefined);
		} else {
			const stored = Buffer.from(body).toString('latin1').replace(key, '*'.repeat(key.length));
			assert.equal(await readFile(answerFile!, 'latin1'), stored);
		}
	}

	test('are delivered where they are understood, else stored as they came, and asked for once', async () => {
		const left = Object.entries(rows);
		const failures: string[] = [];
		await Promise.all(
			Array.from({ length: 4 }, async () => {
				for (let next = left.shift(); next !== undefined; next = left.shift()) {
					const [name, row] = next;
					await check(name, row).catch((error: unknown) =>
						failures.push(`${name}: ${String(error)}`),
					);
				}
			}),
		);
		assert.deepEqual(failures, []);
		assert.deepEqual([...prompts].sort(), Object.keys(rows).sort());
	}).timeout(180_000);

	rare('take little memory, whatever they are made to exhaust', async () => {
		const script = await faultyWorker('reportPeak()');
		for (const [name, { status, outcome }] of Object.entries(huge)) {
			const entry = await journal.create(requestOf({ prompt: name }));
			const input = inputFor(entry, { address: address(), key }, { retry: 'never' });
			const pid = await start(input, { script });
			const state = await follow(entry).end;
			await until(() => !isAlive(pid), 'the worker to end');
			const output = await readFile(path.join(entry.folder, workerOutputFile), 'utf8');
			const peakMiB = Number(/^peak (\d+) KiB/m.exec(output)?.[1]) / 1024;
			console.log(`      ${name.padEnd(36)} ${peakMiB.toFixed(0).padStart(5)} MiB`);
			assert.ok(peakMiB < maxMiB, `${name}: ${peakMiB.toFixed(0)} MiB`);
			if (outcome === 'image') {
				assert.equal(state.state, 'received', name);
			} else {
				assert.ok(state.state === 'failed', name);
				assert.equal(state.failure.error?.code ?? 'words', outcome, name);
				assert.equal(state.failure.charge, status === undefined ? 'charged' : 'rejected', name);
			}
		}
	}).timeout(300_000);
});
