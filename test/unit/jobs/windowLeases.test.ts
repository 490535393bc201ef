import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readLease, succeed } from '../../../src/jobs/leaseFiles.js';
import { Leases } from '../../../src/jobs/windowLeases.js';
import { until } from '../../host/until';
import { bundle } from './support.js';

suite('jobs › leases', () => {
	let root: string;
	let script: string;
	const open: Leases[] = [];

	suiteSetup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-leases-'));
		script = await bundle(`import { Leases } from './src/jobs/windowLeases.ts';
			import { createInterface } from 'node:readline';
			const leases = new Leases();
			createInterface({ input: process.stdin }).on('line', async (folder) => {
				console.log((await leases.take(folder, 'window')) !== undefined);
			});
			console.log('ready');`);
	});

	suiteTeardown(() => rm(root, { recursive: true }));

	teardown(async () => {
		await Promise.all(open.splice(0).map((leases) => leases.dispose()));
	});

	function openWindow(): Leases {
		const leases = new Leases();
		open.push(leases);
		return leases;
	}

	async function openProcess(): Promise<ChildProcess> {
		const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
		await once(child.stdout, 'data');
		return child;
	}

	/** Several may be asked at once; the answers come in the order of the questions. */
	async function take(child: ChildProcess, folders: readonly string[]): Promise<boolean[]> {
		assert.ok(child.stdin && child.stdout);
		const answers: boolean[] = [];
		const done = Promise.withResolvers<void>();
		const listen = (text: Buffer) => {
			answers.push(
				...text
					.toString()
					.trim()
					.split('\n')
					.map((line) => line === 'true'),
			);
			if (answers.length === folders.length) {
				done.resolve();
			}
		};
		child.stdout.on('data', listen);
		child.stdin.write(folders.map((folder) => `${folder}\n`).join(''));
		await done.promise;
		child.stdout.off('data', listen);
		return answers;
	}

	const newFolder = () => mkdtemp(path.join(root, 'job-'));

	test('hold as long as their window lives, and go to exactly one of the others when it dies', async () => {
		const windows = await Promise.all(Array.from({ length: 4 }, openProcess));
		try {
			for (let round = 0; round < 8; round += 1) {
				const folder = await newFolder();
				const holder = await openProcess();
				assert.deepEqual(await take(holder, [folder]), [true]);
				assert.deepEqual(await take(holder, [folder]), [true], 'it stays with its window');
				const refused = await Promise.all(windows.map((each) => take(each, [folder])));
				assert.deepEqual(refused.flat(), [false, false, false, false]);
				holder.kill('SIGKILL');
				await once(holder, 'exit');
				const taken = await Promise.all(windows.map((each) => take(each, [folder])));
				assert.equal(taken.flat().filter(Boolean).length, 1);
			}
		} finally {
			windows.forEach((each) => each.kill('SIGKILL'));
		}
	});

	test('taken first by 400 pairs of processes at once go to exactly one of each pair', async () => {
		const pairs = 400;
		const folders = await Promise.all(Array.from({ length: pairs }, newFolder));
		const [one, other] = [await openProcess(), await openProcess()];
		try {
			const counts = { one: 0, other: 0, both: 0, neither: 0 };
			for (const folder of folders) {
				const [first, second] = await Promise.all([take(one, [folder]), take(other, [folder])]);
				counts[first[0] ? (second[0] ? 'both' : 'one') : second[0] ? 'other' : 'neither'] += 1;
			}
			console.log(`      ${JSON.stringify(counts)}`);
			assert.deepEqual([counts.both, counts.neither], [0, 0]);
			// They met: otherwise this would show nothing.
			assert.ok(counts.one > 0 && counts.other > 0);
		} finally {
			one.kill('SIGKILL');
			other.kill('SIGKILL');
		}
	});

	test('taken over from the dead by many at once go to exactly one, over and over', async () => {
		const folder = await newFolder();
		let windows = Array.from({ length: 12 }, openWindow);
		for (let round = 0; round < 30; round += 1) {
			const taken = await Promise.all(windows.map((each) => each.take(folder, 'slot')));
			const holders = windows.filter((_, index) => taken[index] !== undefined);
			assert.equal(holders.length, 1, `round ${String(round)}`);
			await holders[0]!.giveBack(folder, 'slot');
			windows = [...windows.slice(1), windows[0]!];
		}
		assert.ok((await readdir(folder)).length <= 9, 'old ones are tidied away');
	});

	test('are given up with their window, and waited for until then', async () => {
		const folder = await newFolder();
		const [one, other] = [openWindow(), openWindow()];
		assert.equal(await one.take(folder, 'window'), 1);
		assert.equal(await other.take(folder, 'window'), undefined);
		const waiting = other.takeWhenFree(folder, 'window');
		await one.dispose();
		assert.equal(await waiting, true);
	});

	test('are given back only when what the window does with them is done', async () => {
		const folder = await newFolder();
		const [one, other] = [openWindow(), openWindow()];
		await one.take(folder, 'window');
		const saving = Promise.withResolvers<string>();
		const saved = one.during(() => saving.promise);
		const ended = one.dispose();
		assert.equal(await other.take(folder, 'window'), undefined);
		saving.resolve('saved');
		assert.equal(await saved, 'saved');
		await ended;
		// The second one gave it back.
		assert.equal(await other.take(folder, 'window'), 3);
	});

	test('given back late leave alone what the window has taken again since', async () => {
		const folder = await newFolder();
		const window = openWindow();
		const first = await window.take(folder, 'slot');
		// A worker takes it over, and is done.
		const next = openWindow();
		await window.giveBack(folder, 'slot');
		assert.notEqual(await next.take(folder, 'slot'), undefined);
		await next.giveBack(folder, 'slot');
		const second = await window.take(folder, 'slot');
		await window.giveBack(folder, 'slot', first);
		window.forget(folder, 'slot', first);
		assert.equal((await readLease(folder, 'slot'))?.number, second);
		assert.equal(await next.take(folder, 'slot'), undefined, 'it is held');
		await window.giveBack(folder, 'slot', second);
		assert.notEqual(await next.take(folder, 'slot'), undefined);
	});

	test('are nobody’s while they are given back, not even in the same window', async () => {
		for (let round = 0; round < 50; round += 1) {
			const folder = await newFolder();
			const window = openWindow();
			const number = await window.take(folder, 'slot');
			const givingBack = window.giveBack(folder, 'slot', number);
			const taken: number[] = [];
			while (taken.length === 0) {
				const next = await window.takeFree(folder, 'slot');
				taken.push(...(next === undefined ? [] : [next]));
			}
			await givingBack;
			assert.equal((await readLease(folder, 'slot'))?.number, taken[0]);
		}
	});

	test('give a window that has ended, and whose process lives on, nothing to do', async () => {
		const folder = await newFolder();
		const window = openWindow();
		await window.dispose();
		let done = false;
		assert.equal(await window.during(() => Promise.resolve((done = true))), undefined);
		assert.equal(done, false);
		assert.equal(await window.take(folder, 'window'), undefined);
		assert.deepEqual(await readdir(folder), []);
	});

	test('are not waited for any more by a window that ends, or where the folder is gone', async () => {
		const folder = await newFolder();
		const [one, other] = [openWindow(), openWindow()];
		await one.take(folder, 'window');
		const waiting = other.takeWhenFree(folder, 'window');
		await other.dispose();
		assert.equal(await waiting, false);
		assert.equal(await openWindow().takeWhenFree(path.join(folder, 'gone'), 'window'), false);
	});

	test('that cannot be read are nobody’s to take, and asked about again', async () => {
		const folder = await newFolder();
		// Just being written, where there are no hard links.
		await writeFile(path.join(folder, 'window.1'), '{');
		const window = openWindow();
		assert.equal(await window.take(folder, 'window'), undefined);
		const waiting = window.takeWhenFree(folder, 'window');
		// Whoever was writing it has died in that moment, long ago.
		const before = new Date(Date.now() - 60_000);
		await utimes(path.join(folder, 'window.1'), before, before);
		assert.equal(await waiting, true);
		assert.equal((await readLease(folder, 'window'))?.number, 2);
	});

	test('of a number that was used and tidied away are worth nothing', async () => {
		const folder = await newFolder();
		const window = openWindow();
		for (let round = 0; round < 12; round += 1) {
			await window.take(folder, 'slot');
			await window.giveBack(folder, 'slot');
		}
		// Somebody who looked long ago goes on only now.
		assert.equal(await succeed(folder, 'slot', 0, undefined), false);
		assert.equal((await readLease(folder, 'slot'))?.number, 24);
	});

	test('are not asked for in a busy loop while they cannot be taken', async () => {
		const folder = await newFolder();
		await writeFile(path.join(folder, 'window.1'), '{');
		const window = openWindow();
		const before = process.cpuUsage();
		const waiting = window.takeWhenFree(folder, 'window');
		const startedAt = performance.now();
		await until(() => performance.now() - startedAt > 1000, 'a second to pass');
		const { user, system } = process.cpuUsage(before);
		assert.ok((user + system) / 1000 < 500, `${String((user + system) / 1000)} ms of work`);
		await window.dispose();
		assert.equal(await waiting, false);
	});

	test('say who holds them, and nothing that is nobody’s business', async () => {
		const folder = await newFolder();
		await openWindow().take(folder, 'window');
		const text = await readFile(path.join(folder, 'window.1'), 'utf8');
		assert.deepEqual(Object.keys(JSON.parse(text) as object).sort(), [
			...['address', 'boot', 'endsBy', 'id', 'machine', 'pid', 'started'],
		]);
	});
});
