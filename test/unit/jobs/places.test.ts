import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { Claims } from '../../../src/jobs/claim.js';
import { isAnswered } from '../../../src/jobs/endpoint.js';
import { followJob } from '../../../src/jobs/follow.js';
import { Journal, readState, type JobEntry } from '../../../src/jobs/journal.js';
import { Places } from '../../../src/jobs/places.js';
import { startWorker, workerName } from '../../../src/jobs/start.js';
import { CancelledError } from '../../../src/service/errors.js';
import { defaultNetworkOptions } from '../../../src/service/transport.js';
import { startImageService, type ImageService } from '../../service/server.js';

const key = 'places-key-18e3';

suite('jobs › places', () => {
	let scratch: string;
	let worker: string;
	let service: ImageService;
	let root: string;
	let journal: Journal;
	const windows: Claims[] = [];

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-places-'));
		worker = path.join(scratch, 'worker.js');
		await esbuild.build({
			entryPoints: ['src/jobs/worker.ts'],
			bundle: true,
			platform: 'node',
			outfile: worker,
			logLevel: 'warning',
		});
	});

	suiteTeardown(() => rm(scratch, { recursive: true }));

	setup(async () => {
		service = await startImageService({ key });
		root = await mkdtemp(path.join(scratch, 'storage-'));
		journal = new Journal(path.join(root, 'jobs'));
	});

	teardown(async () => {
		await Promise.all(windows.splice(0).map((claims) => claims.dispose()));
		await service.close();
	});

	/** The places as a window has them; windows know nothing of each other. */
	function openWindow(): Places {
		const claims = new Claims();
		windows.push(claims);
		return new Places(path.join(root, 'places'), claims, new Journal(journal.root));
	}

	function create(): Promise<JobEntry> {
		return journal.create({
			id: crypto.randomUUID(),
			createdAt: new Date().toISOString(),
			operation: 'generate',
			model: 'std-image-2',
			prompt: 'a harbor',
			size: '1024x1024',
			references: [],
			target: { folder: 'file:///nowhere', stem: 'a-harbor' },
		});
	}

	function orderFor(entry: JobEntry) {
		return {
			folder: entry.folder,
			address: service.address,
			key,
			network: defaultNetworkOptions,
			timeoutMs: 60_000,
			retry: 'all' as const,
		};
	}

	async function make(window: Places, limit: number, signal = new AbortController().signal) {
		const entry = await create();
		const start = async () => {
			await startWorker(worker, orderFor(entry));
		};
		await window.start(entry.request.id, { limit: () => limit, signal, start });
		return followJob(entry, {
			signal,
			onEvent: () => undefined,
			ask: () => Promise.resolve(false),
		});
	}

	/** Until the journal, which all windows read, has the one job as waiting after a failure. */
	async function pausing(): Promise<void> {
		let state: string | undefined;
		while (state !== 'pausing') {
			await new Promise(setImmediate);
			state = (await journal.list()).entries[0]?.state.state;
		}
	}

	test('are kept to by several windows together', async () => {
		service.faults.add({ delay: 60 });
		const all = [openWindow(), openWindow(), openWindow()];
		const ends = await Promise.all(
			all.flatMap((window) => Array.from({ length: 3 }, () => make(window, 2))),
		);
		assert.deepEqual(
			ends.map(({ state }) => state),
			ends.map(() => 'received'),
		);
		assert.equal(service.mostAtOnce, 2);
		assert.equal(service.imagesMade, 9);
	});

	test('stay with a worker whose window was killed, until that worker is gone', async () => {
		const script = path.join(scratch, 'window.js');
		await esbuild.build({
			stdin: {
				contents: `import { Claims } from './src/jobs/claim.ts';
					import { Journal } from './src/jobs/journal.ts';
					import { Places } from './src/jobs/places.ts';
					import { startWorker } from './src/jobs/start.ts';
					const [root, worker, order, id] = process.argv.slice(2);
					const journal = new Journal(root + '/jobs');
					new Places(root + '/places', new Claims(), journal).start(id, {
						limit: () => 1,
						signal: new AbortController().signal,
						start: () => startWorker(worker, JSON.parse(order)),
					}).then(() => process.send('started'));
					setInterval(() => undefined, 1000);`,
				resolveDir: process.cwd(),
			},
			bundle: true,
			platform: 'node',
			outfile: script,
		});
		service.faults.add({ hold: true, times: 1 });
		const first = await create();
		const args = [root, worker, JSON.stringify(orderFor(first)), first.request.id];
		const window: ChildProcess = fork(script, args);
		await once(window, 'message');
		await service.waitForRequest(1, 'held');
		window.kill('SIGKILL');
		await once(window, 'exit');

		const second = make(openWindow(), 1);
		assert.equal(await isAnswered(workerName(first.request.id)), true);
		service.releaseHeld();
		assert.equal((await second).state, 'received');
		assert.equal(service.mostAtOnce, 1);
		assert.equal(service.imagesMade, 2);
		assert.equal((await readState(first.folder)).state, 'received');
	});

	test('are waited for in every window after a 429, until the one turned away goes on', async () => {
		service.faults.add({ status: 429, retryAfter: 1, times: 1 });
		const turnedAway = make(openWindow(), 4);
		await pausing();
		const other = make(openWindow(), 4);
		assert.equal((await turnedAway).state, 'received');
		assert.equal((await other).state, 'received');
		const [first, again, last] = service.requests.map(({ startedAt }) => startedAt);
		assert.ok(again! - first! >= 3000, 'the wait of the specification');
		assert.ok(last! >= again!, 'the other window did not run into it');
	});

	test('are given up at once by what is cancelled while it waits, and nothing was sent', async () => {
		service.faults.add({ hold: true, times: 1 });
		const window = openWindow();
		const first = make(window, 1);
		await service.waitForRequest(1, 'held');
		const cancelling = new AbortController();
		const waiting = [make(window, 1, cancelling.signal), make(window, 1, cancelling.signal)];
		cancelling.abort();
		for (const end of await Promise.allSettled(waiting)) {
			assert.equal(end.status, 'rejected');
			assert.ok(end.reason instanceof CancelledError);
			assert.equal(end.reason.charge, 'notSent');
		}
		await assert.rejects(make(window, 1, cancelling.signal), CancelledError);
		service.releaseHeld();
		await first;
		assert.equal((await make(window, 1)).state, 'received', 'the place is free again');
		assert.equal(service.requests.length, 2);
	});

	test('are given back where a worker does not start', async () => {
		const window = openWindow();
		const failing = window.start('x', {
			limit: () => 1,
			signal: new AbortController().signal,
			start: () => Promise.reject(new Error('no')),
		});
		await assert.rejects(failing, /no/);
		assert.equal((await make(openWindow(), 1)).state, 'received');
	});
});
