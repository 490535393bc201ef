import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { ImageError } from '../../../../src/images/inspect.js';
import type { MadeThumbnail, MakeOrder } from '../../../../src/images/thumbnails/order.js';
import { ThumbnailQueue, type Job } from '../../../../src/images/thumbnails/queue.js';
import { ThumbnailError } from '../../../../src/images/thumbnails/thumbnailError.js';
import { HeldWorkers } from './heldWorkers';

const idleMs = 10_000;
const timeLimitMs = 20_000;
const bounds = { bytes: 1000, files: 10 };

/** The order that a worker was given for a thumbnail; ours answer with it. */
const orderOf = ({ file }: MadeThumbnail) => JSON.parse(file) as MakeOrder;

suite('images › thumbnails › queue', () => {
	let scratch: string;
	let folder: string;
	let script: string;
	let held: HeldWorkers;
	let queue: ThumbnailQueue;
	const open: ThumbnailQueue[] = [];

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-queue-'));
		script = path.join(scratch, 'worker.js');
		// It answers as the real one does, without any image, and notes its sweeps in the folder. The
		// height says how many there were.
		await writeFile(
			script,
			`const { appendFileSync } = require('node:fs');
			const { parentPort } = require('node:worker_threads');
			let sweeps = 0;
			parentPort.on('message', ({ make, sweep }) => {
				if (sweep !== undefined) {
					sweeps++;
					appendFileSync(sweep.folder + '/swept', JSON.stringify(sweep.bounds) + '\\n');
					if (sweep.bounds.bytes === 0) throw new Error('no disk');
					parentPort.postMessage({ swept: true });
				} else if (make.path === 'crash') {
					throw new Error('crashed');
				} else if (make.path !== 'forever') {
					parentPort.postMessage(make.path.startsWith('bad ')
						? { problem: make.path.slice(4), detail: 'why' }
						: { made: { sha256: make.path, file: JSON.stringify(make), width: 2, height: 1 + sweeps } });
				}
			});`,
		);
	});

	suiteTeardown(() => rm(scratch, { recursive: true }));

	setup(async () => {
		folder = await mkdtemp(path.join(scratch, 'folder-'));
		const holding = path.join(folder, 'held.js');
		held = await HeldWorkers.prepare(holding, script);
		queue = make();
	});

	teardown(async () => {
		mock.timers.reset();
		mock.restoreAll();
		held.close();
		await Promise.all(open.splice(0).map((each) => each.dispose()));
	});

	function make({ cores = 1, worker = script, sweeping = bounds } = {}): ThumbnailQueue {
		mock.method(os, 'availableParallelism', () => cores);
		const made = new ThumbnailQueue({
			...{ folder, script: worker, maxSide: 256, quality: 80, bounds: sweeping, timeLimitMs },
			...{ memoryLimit: 1234, idleMs },
		});
		open.push(made);
		return made;
	}

	const holding = (cores = 1) => make({ cores, worker: path.join(folder, 'held.js') });

	let turn = 0;
	/** Asks for the thumbnail of an image, whose path is its hash too. */
	const get = (image: string, signal?: AbortSignal) =>
		queue.wait(queue.join(image, image, ++turn), signal);

	const sweeps = () =>
		existsSync(path.join(folder, 'swept'))
			? readFileSync(path.join(folder, 'swept'), 'utf8').trim().split('\n')
			: [];

	/** Lets what is ready happen, up to what comes from another thread. */
	const settled = () => new Promise((resolve) => setImmediate(resolve));

	test('tells a worker all that it needs, and gives on what it answers', async () => {
		const made = await get('a');
		assert.deepEqual(
			{ ...made, file: orderOf(made) },
			{
				sha256: 'a',
				file: { path: 'a', folder, maxSide: 256, quality: 80, memoryLimit: 1234 },
				...{ width: 2, height: 1 },
			},
		);
	});

	test('makes the latest first, one after the other with one worker', async () => {
		queue = holding();
		const order: string[] = [];
		const ends = ['a', 'b', 'c', 'd'].map((image) => get(image));
		// The first was begun before there was another.
		order.push(await held.next());
		// It is asked for again, behind the others.
		ends.push(get('b'));
		for (let index = 0; index < 3; index++) {
			held.letGo(order.at(-1)!);
			order.push(await held.next());
		}
		held.letAllGo();
		await Promise.all(ends);
		assert.deepEqual(order, ['a', 'b', 'd', 'c']);
		assert.equal(held.started, 1);
	});

	test('an earlier turn takes nothing from a later one', async () => {
		queue = holding();
		const [one, two] = [get('a'), queue.wait(queue.join('b', 'b', 100), undefined)];
		const other = queue.wait(queue.join('c', 'c', 50), undefined);
		const again = queue.wait(queue.join('b', 'b', 1), undefined);
		assert.equal(await held.next(), 'a');
		held.letGo('a');
		assert.equal(await held.next(), 'b');
		held.letAllGo();
		await Promise.all([one, two, other, again]);
	});

	for (const [cores, threads] of [
		[1, 1],
		[2, 1],
		[3, 2],
		[16, 2],
	] as const) {
		test(`starts no more workers than ${String(threads)} on ${String(cores)} cores`, async () => {
			queue = holding(cores);
			const ends = ['a', 'b', 'c', 'd'].map((image) => get(image));
			for (let index = 0; index < threads; index++) {
				await held.next();
			}
			held.letAllGo();
			await Promise.all(ends);
			assert.equal(held.started, threads);
		});
	}

	test('takes a worker that is free before it starts another', async () => {
		queue = holding(16);
		held.letAllGo();
		await get('a');
		await settled();
		await get('b');
		await settled();
		assert.equal(held.started, 1);
	});

	test('makes once what several want, and again what is wanted again', async () => {
		const job = queue.join('a', 'hash', 1);
		assert.equal(queue.join('b', 'hash', 2), job);
		assert.equal(job.turn, 2);
		const [one, other] = await Promise.all([
			queue.wait(job, undefined),
			queue.wait(job, undefined),
		]);
		assert.equal(one, other);
		await settled();
		const again = queue.join('b', 'hash', 3);
		assert.notEqual(again, job);
		assert.equal(orderOf(await queue.wait(again, undefined)).path, 'b');
	});

	suite('what is given up', () => {
		const reason = new Error('scrolled away');
		let first: Promise<unknown>;
		let hasty: AbortController;

		setup(async () => {
			queue = holding();
			first = get('first');
			await held.next();
			hasty = new AbortController();
		});

		/** Makes what is left, and says what it was. */
		async function rest(): Promise<string[]> {
			const last = queue.wait(queue.join('last', 'last', 0), undefined);
			const made: string[] = [];
			held.letGo('first');
			while (made.at(-1) !== 'last') {
				made.push(await held.next());
				held.letGo(made.at(-1)!);
			}
			await Promise.all([first, last]);
			return made;
		}

		test('is not made', async () => {
			const given = get('a', hasty.signal);
			hasty.abort(reason);
			await assert.rejects(given, reason);
			assert.deepEqual(await rest(), ['last']);
		});

		test('is made where somebody else wants it', async () => {
			const given = get('a', hasty.signal);
			const wanted = get('a');
			hasty.abort(reason);
			await assert.rejects(given, reason);
			assert.deepEqual(await rest(), ['a', 'last']);
			assert.equal((await wanted).sha256, 'a');
		});

		test('goes on where it is being made, and may be wanted again', async () => {
			const job = queue.join('first', 'first', 1);
			const given = queue.wait(job, hasty.signal);
			const other = queue.wait(job, undefined);
			hasty.abort(reason);
			await assert.rejects(given, reason);
			held.letGo('first');
			assert.equal((await other).sha256, 'first');
			assert.deepEqual(await rest(), ['last']);
		});

		test('goes on even where nobody waits for it any more', async () => {
			const job: Job = queue.join('a', 'a', 1);
			const given = queue.wait(job, hasty.signal);
			held.letGo('first');
			await held.next();
			hasty.abort(reason);
			await assert.rejects(given, reason);
			assert.equal(queue.join('a', 'a', 1), job);
			held.letGo('a');
			assert.equal((await queue.wait(job, undefined)).sha256, 'a');
		});

		test('leaves no listener behind', async () => {
			const waiting = get('a', hasty.signal);
			assert.equal(getEventListeners(hasty.signal, 'abort').length, 1);
			held.letAllGo();
			await waiting;
			assert.equal(getEventListeners(hasty.signal, 'abort').length, 0);
		});
	});

	suite('what cannot be made', () => {
		test('says why, by the kind of its error', async () => {
			const failed = (image: string) =>
				get(image).then(
					() => assert.fail(),
					(error: unknown) => error,
				);
			const unreadable = await failed('bad unreadable');
			assert.ok(unreadable instanceof ImageError);
			assert.deepEqual(
				[unreadable.kind, unreadable.path, unreadable.cause],
				['unreadable', 'bad unreadable', 'why'],
			);
			for (const problem of ['tooLarge', 'undecodable', 'unwritable']) {
				const error = await failed(`bad ${problem}`);
				assert.ok(error instanceof ThumbnailError);
				assert.deepEqual([error.kind, error.path, error.cause], [problem, `bad ${problem}`, 'why']);
			}
		});

		test('ends its worker, and the next gets a new one', async () => {
			const crashed = get('crash');
			const next = get('a');
			await assert.rejects(crashed, (error) => {
				assert.ok(error instanceof ThumbnailError);
				assert.deepEqual([error.kind, error.path], ['crashed', 'crash']);
				assert.match(String(error.cause), /Error: crashed/);
				return true;
			});
			assert.equal((await next).sha256, 'a');
			assert.equal((await get('b')).sha256, 'b');
		});

		test('is given up after its time', async () => {
			mock.timers.enable({ apis: ['setTimeout'] });
			const endless = get('forever');
			const next = get('a');
			mock.timers.tick(timeLimitMs - 1);
			await settled();
			mock.timers.tick(1);
			await assert.rejects(endless, { kind: 'tooSlow', path: 'forever' });
			assert.equal((await next).sha256, 'a');
		});
	});

	suite('sweeps', () => {
		test('after five hundred thumbnails, and not before', async () => {
			const makeMany = (from: number, to: number) =>
				Promise.all(
					Array.from({ length: to - from }, (_, at) => get(`image ${String(from + at)}`)),
				);
			await makeMany(0, 499);
			await get('bad undecodable').catch(() => undefined);
			await settled();
			assert.deepEqual(sweeps(), []);
			await makeMany(499, 500);
			// The worker sweeps before it makes another one.
			assert.equal((await get('one more')).height, 2);
			assert.deepEqual(sweeps(), [JSON.stringify(bounds)]);
			await makeMany(500, 990);
			assert.equal(sweeps().length, 1);
		});

		/** Waits until the last worker has ended. */
		async function rested(): Promise<void> {
			mock.timers.tick(idleMs);
			await exited;
		}
		let exited: Promise<unknown>;

		setup(() => {
			mock.timers.enable({ apis: ['setTimeout'] });
			exited = once(process, 'worker').then(
				([worker]) =>
					new Promise((resolve) => {
						(worker as NodeJS.EventEmitter).once('exit', resolve);
					}),
			);
		});

		test('when nobody wants anything for a while, and ends the worker', async () => {
			await get('a');
			await settled();
			mock.timers.tick(idleMs - 1);
			await settled();
			assert.deepEqual(sweeps(), []);
			mock.timers.tick(1);
			await exited;
			assert.deepEqual(sweeps(), [JSON.stringify(bounds)]);
			// A new worker goes on.
			assert.equal((await get('b')).sha256, 'b');
		});

		test('not where nothing was made', async () => {
			await get('bad undecodable').catch(() => undefined);
			await settled();
			await rested();
			assert.deepEqual(sweeps(), []);
		});

		test('also what was made before the worker crashed, as soon as there is another', async () => {
			await get('a');
			await get('crash').catch(() => undefined);
			await settled();
			mock.timers.tick(idleMs);
			await exited;
			assert.deepEqual(sweeps(), []);
			exited = once(process, 'worker').then(([worker]) => once(worker as Worker, 'exit'));
			await get('bad undecodable').catch(() => undefined);
			await settled();
			await rested();
			assert.equal(sweeps().length, 1);
		});

		test('not while something is made, however long', async () => {
			queue = holding();
			const first = get('a');
			held.letGo(await held.next());
			await first;
			await settled();
			mock.timers.tick(idleMs - 1);
			const long = get('b');
			await held.next();
			mock.timers.tick(idleMs);
			await settled();
			held.letAllGo();
			assert.equal((await long).sha256, 'b');
		});

		test('not while another worker is at work', async () => {
			queue = holding(16);
			const ends = [get('a'), get('b')];
			const [one, other] = [await held.next(), await held.next()];
			held.letGo(one);
			await Promise.race(ends);
			await settled();
			mock.timers.tick(idleMs);
			await settled();
			held.letGo(other);
			await Promise.all(ends);
		});

		test('and goes on where that has failed', async () => {
			queue = make({ sweeping: { bytes: 0, files: 0 } });
			await get('a');
			await settled();
			await rested();
			assert.equal(sweeps().length, 1);
			assert.equal((await get('b')).sha256, 'b');
		});
	});

	test('keeps no process for the sake of its rest', async () => {
		const timers = () =>
			process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
		// By then the time of the test itself runs.
		await settled();
		const before = timers();
		await get('a');
		await settled();
		assert.equal(timers(), before);
	});

	suite('when it has ended', () => {
		test('tells whoever waits, and makes nothing more', async () => {
			queue = holding();
			const ends = Promise.allSettled([get('a'), get('b')]);
			await held.next();
			queue.assertOpen();
			assert.equal(queue.disposed, false);
			await queue.dispose();
			for (const end of await ends) {
				assert.match(String(end.status === 'rejected' && end.reason), /no longer made/);
			}
			assert.equal(queue.disposed, true);
			assert.throws(() => {
				queue.assertOpen();
			}, /no longer made/);
			assert.equal(held.started, 1);
		});

		test('its workers have, also those that were idle or swept', async () => {
			const exits: Promise<unknown>[] = [];
			const onWorker = (worker: NodeJS.EventEmitter) => {
				exits.push(new Promise((resolve) => worker.once('exit', resolve)));
			};
			process.on('worker', onWorker);
			try {
				await get('a');
				await settled();
				await queue.dispose();
				mock.timers.enable({ apis: ['setTimeout'] });
				queue = make();
				await get('a');
				await settled();
				mock.timers.tick(idleMs);
				await queue.dispose();
				assert.equal(exits.length, 2);
				await Promise.all(exits);
				assert.equal(sweeps().length, 1, 'a sweep that was begun is waited for');
			} finally {
				process.off('worker', onWorker);
			}
		});

		test('nothing is swept any more', async () => {
			mock.timers.enable({ apis: ['setTimeout'] });
			await get('a');
			await settled();
			await queue.dispose();
			mock.timers.tick(idleMs);
			await settled();
			assert.deepEqual(sweeps(), []);
		});
	});
});
