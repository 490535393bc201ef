import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	symlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Journal, now, windowLease, writeState, type JobEntry } from '../../../src/jobs/journal.js';
import { Leases } from '../../../src/jobs/windowLeases.js';
import { bundle, requestOf } from './support.js';

suite('jobs › journal', () => {
	let root: string;
	let journal: Journal;

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-journal-'));
		journal = new Journal(path.join(root, 'jobs'));
	});

	teardown(() => rm(root, { recursive: true }));

	function create(createdAt = now()): Promise<JobEntry> {
		return journal.create(requestOf({ createdAt }));
	}

	test('is empty before the first job', async () => {
		assert.deepEqual(await journal.list(), { entries: [], damaged: [], unreadable: [] });
	});

	test('gives back what was written, oldest first', async () => {
		const later = await create('2026-01-02T00:00:00.000Z');
		const earlier = await create('2026-01-01T00:00:00.000Z');
		assert.deepEqual(await journal.list(), {
			entries: [earlier, later],
			damaged: [],
			unreadable: [],
		});
	});

	test('removes nothing because its request cannot be found, though it is there', async () => {
		const { folder } = await create();
		await writeFile(path.join(folder, 'image'), 'paid for');
		const request = path.join(folder, 'request.json');
		await rm(request);
		await symlink(path.join(root, 'a disk that is not there now'), request);
		const longAgo = new Date(Date.now() - 24 * 60 * 60 * 1000);
		await utimes(folder, longAgo, longAgo);
		const { unreadable, entries, damaged } = await journal.list();
		assert.deepEqual([entries, damaged], [[], []]);
		assert.deepEqual(
			unreadable.map((one) => one.folder),
			[folder],
		);
		assert.equal(await readFile(path.join(folder, 'image'), 'utf8'), 'paid for');
	});

	/** Every length at which a file can have been cut off, but for those that make no difference. */
	function* lengths(whole: Buffer): Generator<number> {
		for (let length = 0; length < whole.length; length += 1) {
			yield length;
		}
	}

	test('tells of an entry whose request was cut off, at whatever length, once, and touches nothing', async () => {
		const sound = await create();
		const whole = await readFile(path.join(sound.folder, 'request.json'));
		for (const length of lengths(whole)) {
			const { folder } = await create();
			await writeFile(path.join(folder, 'image'), 'paid for');
			await writeFile(path.join(folder, 'request.json'), whole.subarray(0, length));
			const { damaged, entries } = await journal.list();
			assert.deepEqual(
				damaged.map((one) => [one.folder, one.image]),
				[[folder, path.join(folder, 'image')]],
				String(length),
			);
			assert.deepEqual(
				entries.map((entry) => entry.folder),
				[sound.folder],
			);
			assert.equal(await readFile(path.join(folder, 'image'), 'utf8'), 'paid for');
			assert.deepEqual((await journal.list()).damaged, [], 'it is told once');
			await rm(folder, { recursive: true });
		}
	});

	test('takes the worst for a state that was cut off, at whatever length', async () => {
		const { folder } = await create();
		const whole = await readFile(path.join(folder, 'state.json'));
		for (const length of lengths(whole)) {
			await writeFile(path.join(folder, 'state.json'), whole.subarray(0, length));
			const { entries, damaged } = await journal.list();
			assert.deepEqual(damaged, []);
			// The request has left, for all that is known: it is followed, not sent.
			assert.equal(entries[0]?.state.state, 'sending', String(length));
		}
	});

	test('reads every other entry where one cannot be read, and that one when it can', async () => {
		const [sound, locked] = [await create(), await create()];
		const file = path.join(locked.folder, 'state.json');
		const content = await readFile(file);
		// Not even root reads a folder as a file: the refusal of a moment, for as long as it is needed.
		await rm(file);
		await mkdir(file);
		const { entries, damaged, unreadable } = await journal.list();
		assert.deepEqual(
			entries.map(({ folder }) => folder),
			[sound.folder],
		);
		assert.deepEqual(damaged, []);
		assert.deepEqual(
			unreadable.map(({ folder }) => folder),
			[locked.folder],
		);
		await rm(file, { recursive: true });
		await writeFile(file, content);
		assert.equal((await journal.list()).entries.length, 2, 'it was left where it was');
	});

	test('can be listed by windows that start together, while one of them tidies', async () => {
		const script = await bundle(`import { Journal } from './src/jobs/journal.ts';
			const journal = new Journal(process.argv[2]!);
			process.stdin.once('data', async () => {
				const { entries, unreadable } = await journal.list();
				console.log(JSON.stringify([entries.length, unreadable.length]));
				process.exit();
			});
			console.log('ready');`);
		await create();
		const before = new Date(Date.now() - 3_600_000);
		for (let index = 0; index < 300; index += 1) {
			const folder = path.join(journal.root, `left-${String(index)}`);
			await mkdir(folder, { recursive: true });
			await utimes(folder, before, before);
		}
		const windows = await Promise.all(
			Array.from({ length: 3 }, async () => {
				const child = spawn(process.execPath, [script, journal.root], {
					stdio: ['pipe', 'pipe', 'inherit'],
				});
				await once(child.stdout, 'data');
				return child;
			}),
		);
		const lists = windows.map(async (child) => {
			child.stdin.write('now\n');
			const [text] = (await once(child.stdout, 'data')) as [Buffer];
			return text.toString().trim();
		});
		assert.deepEqual(await Promise.all(lists), ['[1,0]', '[1,0]', '[1,0]']);
		assert.equal((await readdir(journal.root)).length, 1);
	});

	test('forgets a folder whose job was never written: nothing was asked for', async () => {
		const [half, alive, fresh] = ['half', 'alive', 'fresh'].map((name) =>
			path.join(journal.root, name),
		) as [string, string, string];
		for (const folder of [half, alive, fresh]) {
			await mkdir(path.join(folder, 'references'), { recursive: true });
		}
		// A window that lives may just be making it, however long its references take to copy.
		const leases = new Leases();
		await leases.take(alive, windowLease);
		const before = new Date(Date.now() - 3_600_000);
		for (const folder of [half, alive]) {
			await utimes(folder, before, before);
		}
		assert.deepEqual(await journal.list(), { entries: [], damaged: [], unreadable: [] });
		assert.deepEqual((await readdir(journal.root)).sort(), ['alive', 'fresh']);
		await leases.dispose();
		await utimes(alive, before, before);
		await journal.list();
		assert.deepEqual(await readdir(journal.root), ['fresh']);
	});

	const day = 24 * 60 * 60 * 1000;

	async function over(entry: JobEntry): Promise<void> {
		await writeState(entry.folder, {
			state: 'cancelled',
			charge: 'notSent',
			attempts: [],
			changedAt: now(),
			told: true,
		});
	}

	test('is cleaned of what is over and older than 90 days, and of nothing else', async () => {
		const [undelivered, done] = [await create(), await create()];
		await over(done);
		const list = async () => (await journal.list()).entries.map(({ folder }) => folder);
		const both = [undelivered.folder, done.folder].sort();
		await journal.cleanUp((await journal.list()).entries, Date.now() + 89 * day);
		assert.deepEqual((await list()).sort(), both);
		// A clock that was set back makes entries look younger, never older.
		await journal.cleanUp((await journal.list()).entries, Date.now() - 400 * day);
		assert.deepEqual((await list()).sort(), both);
		await journal.cleanUp((await journal.list()).entries, Date.now() + 91 * day);
		assert.deepEqual(await list(), [undelivered.folder]);
	});

	test('keeps the last thousand jobs', async () => {
		const entry = await create();
		await over(entry);
		const { entries } = await journal.list();
		const many = Array.from({ length: 1000 }, () => entries[0]).filter((one) => one !== undefined);
		await journal.cleanUp(many);
		assert.equal((await readdir(journal.root)).length, 1);
		await journal.cleanUp([...many, ...many.slice(0, 1)]);
		assert.equal((await readdir(journal.root)).length, 0);
	});
});
