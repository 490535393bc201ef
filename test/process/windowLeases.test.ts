import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import type { LeaseOwner } from '../../src/jobs/processIdentity.js';
import { readLease, writeNextLease } from '../../src/jobs/leaseFiles.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { until } from '../host/until';
import { stranger } from './support.js';

suite('jobs › leases', () => {
	let root: string;
	const open: Leases[] = [];

	suiteSetup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-leases-'));
	});

	suiteTeardown(() => rm(root, { recursive: true, maxRetries: 10 }));

	teardown(async () => {
		mock.restoreAll();
		await Promise.all(open.splice(0).map((leases) => leases.dispose()));
	});

	function openWindow(): Leases {
		const leases = new Leases();
		open.push(leases);
		return leases;
	}

	/** The number of the lease that a window acquires, or why it does not. */
	async function acquire(window: Leases, folder: string, name: string): Promise<number | string> {
		const acquired = await window.acquire(folder, name);
		return typeof acquired === 'object' ? acquired.number : acquired;
	}

	const minute = 60 * 1000;

	const newFolder = () => mkdtemp(path.join(root, 'job-'));

	/** Reads the number of the last lease, and whether it is held. */
	async function lastOf(
		folder: string,
		name: string,
	): Promise<[number?: number, isHeld?: boolean]> {
		const lease = await readLease(folder, name);
		return lease === undefined ? [] : [lease.number, lease.owner !== undefined];
	}

	test('stay with the window that has acquired them, until it releases them', async () => {
		const folder = await newFolder();
		const window = openWindow();
		assert.equal(await acquire(window, folder, 'slot'), 1);
		assert.equal(await acquire(window, folder, 'slot'), 'own');
		await window.release(folder, 'slot', 1);
		assert.deepEqual(await lastOf(folder, 'slot'), [2, false]);
		await window.release(folder, 'slot');
		assert.deepEqual(await lastOf(folder, 'slot'), [2, false]);
	});

	test('that a worker has taken over are not released by the window', async () => {
		const folder = await newFolder();
		const window = openWindow();
		await window.release(folder, 'slot');
		assert.deepEqual(await readdir(folder), []);
		await acquire(window, folder, 'slot');
		await writeNextLease(folder, 'slot', 1, stranger('login1', crypto.randomUUID()));
		await window.release(folder, 'slot', 1);
		await window.dispose();
		assert.deepEqual(await lastOf(folder, 'slot'), [2, true]);
	});

	test('are not waited for by a window that has them, but by one that has lost them', async () => {
		const folder = await newFolder();
		const [window, other] = [openWindow(), openWindow()];
		await acquire(window, folder, 'window');
		assert.equal(await window.acquireWhenFree(folder, 'window'), false);
		assert.deepEqual(await lastOf(folder, 'window'), [1, true], 'it stays with it');
		await writeNextLease(folder, 'window', 1, undefined);
		await acquire(other, folder, 'window');
		const waiting = window.acquireWhenFree(folder, 'window');
		await other.dispose();
		assert.equal(await waiting, true);
		assert.deepEqual(await lastOf(folder, 'window'), [5, true]);
	});

	test('taken over from the dead by many at once go to exactly one, over and over', async () => {
		const folder = await newFolder();
		let windows = Array.from({ length: 12 }, openWindow);
		for (let round = 0; round < 30; round += 1) {
			const taken = await Promise.all(windows.map((each) => acquire(each, folder, 'slot')));
			const owners = windows.filter((_, index) => typeof taken[index] === 'number');
			assert.equal(owners.length, 1, `round ${String(round)}`);
			await owners[0]!.release(folder, 'slot');
			windows = [...windows.slice(1), windows[0]!];
		}
		assert.ok((await readdir(folder)).length <= 9, 'old ones are tidied away');
	});

	test('are reported once they are free, and stay free for that', async () => {
		const [free, held] = [await newFolder(), await newFolder()];
		const [owner, asking] = [openWindow(), openWindow()];
		assert.equal(await asking.waitUntilFree(free, 'window'), true);
		assert.equal(await readLease(free, 'window'), undefined);
		await acquire(owner, held, 'window');
		let isFree = false;
		const waiting = asking.waitUntilFree(held, 'window').then((answer) => (isFree = answer));
		assert.equal(await acquire(asking, held, 'window'), 'held');
		assert.equal(isFree, false);
		await owner.dispose();
		assert.equal(await waiting, true);
		assert.equal((await readLease(held, 'window'))?.owner, undefined);
	});

	test('are given back only when what the window does with them is done', async () => {
		const folder = await newFolder();
		const [one, other] = [openWindow(), openWindow()];
		await acquire(one, folder, 'window');
		const saving = Promise.withResolvers<string>();
		const saved = one.during(() => saving.promise);
		const ended = one.dispose();
		// A window that has nothing to do has ended by then.
		const third = openWindow();
		await acquire(third, await newFolder(), 'window');
		await third.dispose();
		assert.equal(await acquire(other, folder, 'window'), 'held');
		saving.resolve('saved');
		assert.equal(await saved, 'saved');
		await ended;
		// The second one gave it back.
		assert.equal(await acquire(other, folder, 'window'), 3);
	});

	test('released late leave alone what the window has acquired again since', async () => {
		const folder = await newFolder();
		const [window, next] = [openWindow(), openWindow()];
		assert.equal(await acquire(window, folder, 'slot'), 1);
		// A worker takes it over, and is done.
		await writeNextLease(folder, 'slot', 1, undefined);
		assert.equal(await acquire(window, folder, 'slot'), 3);
		await window.release(folder, 'slot', 1);
		assert.deepEqual(await lastOf(folder, 'slot'), [3, true]);
		assert.equal(await acquire(next, folder, 'slot'), 'held');
		await window.release(folder, 'slot', 3);
		assert.equal(await acquire(next, folder, 'slot'), 5);
	});

	test('give a window that has ended, and whose process lives on, nothing to do', async () => {
		const folder = await newFolder();
		const window = openWindow();
		await window.dispose();
		let done = false;
		assert.equal(await window.during(() => Promise.resolve((done = true))), undefined);
		assert.equal(done, false);
		assert.equal(await acquire(window, folder, 'window'), 'held');
		assert.deepEqual(await readdir(folder), []);
	});

	test('are not waited for any more by a window that ends, or where the folder is gone', async () => {
		const folder = await newFolder();
		const [one, other] = [openWindow(), openWindow()];
		await acquire(one, folder, 'window');
		const waiting = other.acquireWhenFree(folder, 'window');
		await other.dispose();
		assert.equal(await waiting, false);
		assert.equal(await openWindow().acquireWhenFree(path.join(folder, 'gone'), 'window'), false);
	});

	test('are not asked for in a busy loop while they cannot be taken', async () => {
		const folder = await newFolder();
		await writeFile(path.join(folder, 'window.1'), '{');
		const window = openWindow();
		const before = process.cpuUsage();
		const waiting = window.acquireWhenFree(folder, 'window');
		const startedAt = performance.now();
		await until(() => performance.now() - startedAt > 1000, 'a second to pass');
		const { user, system } = process.cpuUsage(before);
		assert.ok((user + system) / 1000 < 500, `${String((user + system) / 1000)} ms of work`);
		await window.dispose();
		assert.equal(await waiting, false);
	});

	test('say who holds them, and nothing private', async () => {
		const folder = await newFolder();
		await acquire(openWindow(), folder, 'window');
		const text = await readFile(path.join(folder, 'window.1'), 'utf8');
		const record = JSON.parse(text) as LeaseOwner;
		assert.deepEqual(Object.keys(record).sort(), [
			...['address', 'boot', 'endsBy', 'format', 'id', 'machine', 'pid', 'pidNamespace', 'started'],
		]);
	});

	async function endOf(folder: string): Promise<number> {
		const lease = await readLease(folder, 'window');
		assert.ok(typeof lease?.owner === 'object');
		return Date.parse(lease.owner.endsBy);
	}

	test('are over 20 minutes after each was taken, and extended as long as the window lives', async () => {
		const now = Date.now();
		mock.timers.enable({ apis: ['Date', 'setInterval'], now });
		try {
			const window = openWindow();
			const [one, other, given] = [await newFolder(), await newFolder(), await newFolder()];
			await acquire(window, one, 'window');
			await acquire(window, given, 'window');
			await window.release(given, 'window');
			mock.timers.tick(5 * minute);
			await acquire(window, other, 'window');
			assert.deepEqual(
				[await endOf(one), await endOf(other)],
				[now + 20 * minute, now + 25 * minute],
			);
			for (const passed of [10, 20, 30]) {
				mock.timers.tick(passed === 10 ? 5 * minute : 10 * minute);
				const end = now + (passed + 20) * minute;
				await until(async () => (await endOf(one)) === end, 'the one to be extended');
				await until(async () => (await endOf(other)) === end, 'the other to be extended');
			}
			assert.deepEqual(await lastOf(one, 'window'), [1, true]);
			assert.deepEqual(await lastOf(given, 'window'), [2, false]);
			await window.release(one, 'window');
			await window.dispose();
			assert.deepEqual(await lastOf(one, 'window'), [2, false]);
		} finally {
			mock.timers.reset();
		}
	});

	test('are left, all of them, by a window that finds that another one has taken one over', async () => {
		mock.timers.enable({ apis: ['Date', 'setInterval'], now: Date.now() });
		try {
			const window = openWindow();
			const [folder, slot, other] = [await newFolder(), await newFolder(), await newFolder()];
			await acquire(window, slot, 'slot');
			// Its worker has it: that is as it should be.
			await writeNextLease(slot, 'slot', 1, stranger('login1', crypto.randomUUID()));
			await acquire(window, folder, 'window');
			const end = await endOf(folder);
			mock.timers.tick(10 * minute);
			await until(async () => (await endOf(folder)) > end, 'the lease to be extended');
			assert.equal(window.left.aborted, false);

			await acquire(window, other, 'window');
			await writeNextLease(folder, 'window', 1, stranger());
			mock.timers.tick(10 * minute);
			await until(() => window.left.aborted, 'the window to leave');
			await until(async () => (await lastOf(other, 'window'))[1] === false, 'the other lease');
			assert.deepEqual(await lastOf(folder, 'window'), [2, true]);
		} finally {
			mock.timers.reset();
		}
	});

	suite('of another machine whose state is unknown', () => {
		let at: number;

		setup(() => {
			at = 0;
			mock.method(performance, 'now', () => at);
		});

		test('are reported after half a minute in which they were looked at', async () => {
			const window = openWindow();
			const [one, two, three] = [await newFolder(), await newFolder(), await newFolder()];
			await writeNextLease(one, 'window', 0, stranger());
			await writeNextLease(two, 'window', 0, stranger());
			await writeNextLease(three, 'window', 0, stranger('login2'));
			const look = async (folders: readonly string[], seconds: number) => {
				at = seconds * 1000;
				for (const folder of folders) {
					await window.look(folder, 'window').catch(() => undefined);
				}
				return Object.fromEntries(window.unreachableHosts());
			};
			for (const seconds of [0, 10, 20, 29]) {
				assert.deepEqual(await look([one, two, three], seconds), {});
			}
			assert.deepEqual(await look([one, two], 31), { login1: 2 });
			assert.deepEqual(await look([one], 40), { login1: 2 });
			// No window waits for the other one any more.
			assert.deepEqual(await look([one], 50), { login1: 1 });
			// Another process has it now.
			await writeNextLease(one, 'window', 1, stranger());
			assert.deepEqual(await look([one], 60), {});
			assert.deepEqual(await look([one], 75), {});
			assert.deepEqual(await look([one], 90), { login1: 1 });
			await writeNextLease(one, 'window', 2, undefined);
			assert.deepEqual(await look([one], 91), {});
			assert.deepEqual(await look([path.join(root, 'gone')], 92), {});
			// The last look is too long ago to say how it was meanwhile.
			assert.deepEqual(await look([two], 120), {});
		});

		test('are given up as the user says, with those of its workers, and nothing else', async () => {
			const window = openWindow();
			const [one, other, third] = [await newFolder(), await newFolder(), await newFolder()];
			await writeNextLease(one, 'window', 0, stranger());
			await writeNextLease(one, 'worker', 0, stranger());
			await writeNextLease(other, 'window', 0, stranger('login2'));
			await writeNextLease(third, 'window', 0, stranger());
			await writeNextLease(third, 'worker', 0, stranger('login2'));
			const living = openWindow();
			await acquire(living, other, 'worker');
			const taking = window.acquireWhenFree(one, 'window');
			const waiting = window.waitUntilFree(third, 'window');
			const never = window.acquireWhenFree(other, 'window');
			await until(() => window.unreachableHosts(0).size === 2, 'both hosts to be unclear');
			await until(() => window.unreachableHosts(0).get('login1') === 2, 'all folders');
			await window.takeOverFrom('login1');
			assert.deepEqual(await Promise.all([taking, waiting]), [true, true]);
			assert.deepEqual(await lastOf(one, 'window'), [3, true]);
			assert.deepEqual(await lastOf(one, 'worker'), [2, false]);
			assert.deepEqual(await lastOf(third, 'window'), [2, false]);
			assert.deepEqual(await lastOf(third, 'worker'), [1, true]);
			assert.deepEqual(await lastOf(other, 'window'), [1, true]);
			assert.deepEqual(await lastOf(other, 'worker'), [1, true]);
			await window.dispose();
			assert.equal(await never, false);
		});
	});
});
