import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { inWords } from '../../src/easelError.js';
import { factsOf } from '../../src/jobs/failure.js';
import { becomePresent } from '../../src/jobs/processIdentity.js';
import { Journal } from '../../src/jobs/journal.js';
import { now, readState, writeState } from '../../src/jobs/jobFolder.js';
import { writeNextLease } from '../../src/jobs/leaseFiles.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { Slots } from '../../src/jobs/slots.js';
import { CancelledError, StatusError } from '../../src/service/errors.js';
import { until } from '../host/until';
import { startImageService } from '../service/server.js';
import { seeded } from '../unit/images/random.js';
import { bundle, bundledWorker, faultyWorker, follow, hasWorker, stranger } from './support.js';
import { useService } from './useService.js';

/** A short time beside what a worker takes; a window of the product looks every 250 ms. */
const lookEveryMs = 10;

/** Lets so many turns of the event loop go by. */
async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn += 1) {
		await new Promise(setImmediate);
	}
}

suite('jobs › slots', () => {
	const at = useService();
	/** The storage; several in a test that needs it anew. */
	let root: string;
	const windows: Leases[] = [];

	setup(() => {
		({ root } = at);
	});

	teardown(async () => {
		await Promise.all(windows.splice(0).map((leases) => leases.dispose()));
	});

	/** The slots as a window has them; windows know nothing of each other. */
	function openWindow(): Slots {
		const leases = new Leases();
		windows.push(leases);
		return new Slots(path.join(root, 'slots'), leases, new Journal(at.journal.root), lookEveryMs);
	}

	async function make(
		window: Slots,
		limit: number,
		{ address = at.service.address, script }: { address?: string; script?: string } = {},
	) {
		const entry = await at.create();
		const { signal } = new AbortController();
		const slot = await window.acquire({ limit: () => limit, signal });
		await at.start(entry, { address, slot }, script === undefined ? {} : { script });
		await window.release(slot);
		return follow(entry).end;
	}

	/** Asks for a slot; `giveUp` gives the turn up. */
	function ask(window: Slots, limit = 1) {
		const controller = new AbortController();
		const refusals: unknown[] = [];
		const slot = window.acquire({
			limit: () => limit,
			signal: controller.signal,
			onRefusal: (error) => refusals.push(error),
		});
		slot.catch(() => undefined);
		const giveUp = () => {
			controller.abort();
		};
		return { slot, giveUp, refusals };
	}

	const folderOf = (index: number) => path.join(root, 'slots', String(index));

	test('are given up by each that waits, at once, whatever the one before it does', async () => {
		const window = openWindow();
		const first = await ask(window).slot;
		assert.deepEqual(first, { folder: folderOf(0), name: 'slot', number: 1 });
		const [second, third] = [ask(window), ask(window)];
		for (const each of [third, second]) {
			each.giveUp();
			const error: unknown = await each.slot.catch((reason: unknown) => reason);
			assert.ok(error instanceof CancelledError);
			assert.equal(error.charge, 'notSent');
			assert.deepEqual(each.refusals, []);
		}
		await window.release(first);
		// The one that was given up may just have been about to take it.
		assert.ok((await ask(window).slot).number >= 3);
	});

	test('are not taken away from the next one by one that is given up in any moment', async () => {
		const { owner, socket } = await becomePresent((each) => each.destroy(), { endsBy: now() });
		const { readdir } = fs;
		const random = seeded(20_261_123);
		// A folder takes long to be listed now and then, so that all that may overlap does.
		Object.assign(fs, {
			readdir: async (...args: Parameters<typeof readdir>) => {
				const names = await readdir(...args);
				await turns(random() * 30);
				return names;
			},
		});
		try {
			for (let round = 0; round < 40; round += 1) {
				root = await mkdtemp(path.join(at.scratch, 'storage-'));
				const window = openWindow();
				const asked = Array.from({ length: 4 }, () => ask(window));
				const last = asked.pop()!;
				for (const { slot, giveUp } of asked) {
					await turns(random() * 60);
					giveUp();
					void slot.then((had) => window.release(had)).catch(() => undefined);
				}
				const { folder, name, number } = await last.slot;
				// What is still to be done for the others is done meanwhile.
				await turns(200);
				assert.ok(await writeNextLease(folder, name, number, owner), `round ${String(round)}`);
			}
		} finally {
			Object.assign(fs, { readdir });
			await socket.close();
		}
	});

	test('are all waited for as long as the worker of one was turned away by a 429, and no longer', async () => {
		const endsBy = new Date(Date.now() + 3_600_000).toISOString();
		const entry = await at.create();
		const { owner, socket } = await becomePresent((each) => each.destroy(), {
			endsBy,
			job: entry.request.id,
		});
		try {
			await mkdir(folderOf(1), { recursive: true });
			await writeNextLease(folderOf(1), 'slot', 0, owner);
			const failure = factsOf(
				new StatusError(inWords('no'), { charge: 'rejected', status: 429 }),
				{ elapsedMs: 1 },
				false,
			);
			await writeState(entry.folder, {
				state: 'pausing',
				attempts: [{ number: 1, startedAt: now(), failure }],
				changedAt: now(),
			});
			const waiting = ask(openWindow());
			// Another window asks as long as one look takes, and finds nothing either.
			const given = ask(openWindow());
			const startedAt = performance.now();
			await until(() => performance.now() - startedAt > 100, 'several looks');
			given.giveUp();
			await assert.rejects(given.slot, CancelledError);
			assert.equal(existsSync(path.join(folderOf(0), 'slot.1')), false);
			await socket.close();
			// The process is gone for certain, so no job goes on.
			await writeNextLease(folderOf(1), 'slot', 1, { ...owner, started: 'before' });
			assert.equal((await waiting.slot).number, 1);
			assert.deepEqual([...waiting.refusals, ...given.refusals], []);
		} finally {
			await socket.close();
		}
	});

	test('limit several windows together', async () => {
		// So that two are there at once, however long their workers need to start.
		at.service.faults.add({ hold: true, times: 2 });
		at.service.faults.add({ delay: 60 });
		const all = [openWindow(), openWindow(), openWindow()];
		const making = all.flatMap((window) => Array.from({ length: 2 }, () => make(window, 2)));
		await at.service.waitForRequest(2, 'held');
		at.service.releaseHeld();
		const ends = await Promise.all(making);
		assert.deepEqual(
			ends.map(({ state }) => state),
			ends.map(() => 'received'),
		);
		assert.equal(at.service.maxAtOnce, 2);
		assert.equal(at.service.imagesMade, 6);
	});

	test('stay with a worker whose window was killed, until that worker is gone', async () => {
		at.service.faults.add({ hold: true, times: 1 });
		const first = await at.create();
		const input = at.inputFor(first);
		const window = await forkWindow(JSON.stringify(input));
		await once(window, 'message');
		await at.service.waitForRequest(1, 'held');
		window.kill('SIGKILL');
		await once(window, 'exit');

		const second = make(openWindow(), 1);
		assert.equal(await hasWorker(first), true);
		at.service.releaseHeld();
		assert.equal((await second).state, 'received');
		assert.equal(at.service.maxAtOnce, 1);
		assert.equal(at.service.imagesMade, 2);
		assert.equal((await readState(first.folder)).state, 'received');
	});

	/** A window in a process of its own, which takes the slot and starts a worker. */
	async function forkWindow(input: string): Promise<ChildProcess> {
		const script = await bundle(`import { Leases } from './src/jobs/windowLeases.ts';
			import { Journal } from './src/jobs/journal.ts';
			import { Slots } from './src/jobs/slots.ts';
			import { startWorker } from './src/jobs/workerProcess.ts';
			const [root, script, input] = process.argv.slice(2);
			const slots = new Slots(root + '/slots', new Leases(), new Journal(root + '/jobs'));
			slots.acquire({ limit: () => 1, signal: new AbortController().signal }).then(async (slot) => {
				await startWorker({ script, input: { ...JSON.parse(input), slot } });
				process.send(slot);
			});
			setInterval(() => undefined, 1000);`);
		return fork(script, [root, await bundledWorker(), input]);
	}

	test('that may be free on another machine are reported once, and waited for', async () => {
		let lists = 0;
		const { readdir } = fs;
		mock.method(fs, 'readdir', (...args: Parameters<typeof readdir>) => {
			lists += 1;
			return readdir(...args);
		});
		const someLooks = async (asked: ReturnType<typeof ask>) => {
			// At up to six lists of files a look, many more looks than a report takes.
			lists = 0;
			await until(() => lists > 200, 'many looks');
			return asked.refusals.map(String);
		};
		for (const index of [0, 1]) {
			await mkdir(folderOf(index), { recursive: true });
			await writeNextLease(folderOf(index), 'slot', 0, stranger());
		}
		const [asked, next] = [ask(openWindow(), 2), ask(openWindow(), 2)];
		try {
			next.giveUp();
			const reported = await someLooks(asked);
			assert.equal(reported.length, 1, reported.join());
			assert.match(
				reported[0]!,
				/^Error: it is queued behind other images, .* whether they have ended$/,
			);
			await writeNextLease(folderOf(0), 'slot', 1, undefined);
			assert.equal((await asked.slot).number, 3);
			assert.equal(asked.refusals.length, 1);
			// As long as one image is certainly under way, it is this one that is waited for.
			const third = ask(openWindow(), 2);
			const more = await someLooks(third);
			third.giveUp();
			assert.deepEqual([...more, ...next.refusals], []);
		} finally {
			asked.giveUp();
			mock.restoreAll();
		}
	});

	test('are more than the service makes at a time: none is turned away twice, and none fails', async () => {
		const one = await startImageService({
			key: at.key,
			concurrencyLimit: 1,
			pictures: 'small',
		});
		try {
			// Longer than the wait for the second attempt, which is a tenth of 3 s here.
			one.faults.add({ delay: 1_000, times: 1 });
			const script = await faultyWorker('hurryAttempts()');
			const window = openWindow();
			const ends = await Promise.all(
				Array.from({ length: 3 }, async () => make(window, 3, { address: one.address, script })),
			);
			assert.deepEqual(
				ends.map(({ state }) => state),
				['received', 'received', 'received'],
			);
			assert.equal(Math.max(...ends.map(({ attempts }) => attempts.length)), 2);
			assert.equal(one.imagesMade, 3);
		} finally {
			await one.close();
		}
	});
});
