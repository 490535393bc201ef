import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { ZodError } from 'zod';
import { codeOf } from '../../../src/files/fsErrors.js';
import { Journal } from '../../../src/jobs/journal.js';
import {
	DamagedFileError,
	now,
	readEntry,
	windowLease,
	type JobEntry,
} from '../../../src/jobs/jobFolder.js';
import { Leases } from '../../../src/jobs/windowLeases.js';
import { onFlush } from '../files/flushes.js';
import { requestOf } from './support.js';
import { scratch as root, useScratch } from '../scratch.js';

suite('jobs › journal', () => {
	useScratch();
	let journal: Journal;

	setup(() => {
		journal = new Journal(path.join(root, 'jobs'));
	});

	function create(createdAt = now()): Promise<JobEntry> {
		return journal.create(requestOf({ createdAt }));
	}

	/** Asserts that the journal lists this, and nothing else. */
	async function assertListed(expected: Partial<Awaited<ReturnType<Journal['list']>>>) {
		const nothing = { entries: [], newer: [], damaged: [], unreadable: [] };
		assert.deepEqual(await journal.list(), { ...nothing, ...expected });
	}

	test('gives back all that was written, once, oldest first', async () => {
		const written: JobEntry[] = [];
		for (let second = 0; second < 40; second += 1) {
			// Neither the order of writing nor that of the folders is theirs.
			const createdAt = `2026-01-01T00:00:${String((second * 7) % 40).padStart(2, '0')}.000Z`;
			written.push(await create(createdAt));
		}
		written.sort((a, b) => Date.parse(a.request.createdAt) - Date.parse(b.request.createdAt));
		await assertListed({ entries: written });
		for (const entry of written) {
			assert.deepEqual(await readEntry(entry.folder), entry);
		}
	});

	test('has flushed the name of a job when it says that it is there', async () => {
		if (process.platform === 'win32') {
			return; // Folders cannot be flushed there.
		}
		const places: number[] = [];
		const flushed = await onFlush(async () => {
			places.push((await [...flushed].at(-1)!.stat()).ino);
		});
		await create();
		mock.restoreAll();
		const storage = path.dirname(journal.root);
		const folders = [path.dirname(storage), storage, journal.root];
		const inodes = await Promise.all(folders.map(async (one) => (await stat(one)).ino));
		const above = places.filter((place) => inodes.includes(place));
		assert.deepEqual(above, inodes, 'with the folders that the first job is made in');
	});

	test('leaves no request behind, which a window would send, where it says that there is none', async () => {
		if (process.platform === 'win32') {
			return; // Folders cannot be flushed there.
		}
		/**
		 * Returns whether a job is made, and whether its request is there, where its folder or that
		 * above refuses.
		 */
		async function outcome(refusing: 'its own' | 'above'): Promise<[boolean, boolean]> {
			const id = crypto.randomUUID();
			const request = path.join(journal.folder(id), 'request.json');
			const flushed = await onFlush(async () => {
				const { ino } = await [...flushed].at(-1)!.stat();
				const isThere = await stat(request).catch(() => undefined);
				const folder = refusing === 'above' ? journal.root : isThere && journal.folder(id);
				if (folder !== undefined && ino === (await stat(folder)).ino) {
					throw Object.assign(new Error('refused'), { code: 'EIO' });
				}
			});
			const isMade = await journal.create(requestOf({ id })).then(
				() => true,
				() => false,
			);
			mock.restoreAll();
			return [isMade, (await stat(request).catch(() => undefined)) !== undefined];
		}
		assert.deepEqual(await outcome('above'), [false, false]);
		assert.deepEqual(await outcome('its own'), [true, true]);
	});

	test('takes for a job only what is a folder of its own', async () => {
		const entry = await create();
		await symlink(entry.folder, path.join(journal.root, 'the same once more'), 'junction');
		await writeFile(path.join(journal.root, '.DS_Store'), '');
		await assertListed({ entries: [entry] });
	});

	test('is not empty because it cannot be read', async () => {
		await symlink(journal.root, journal.root);
		await assert.rejects(journal.list(), { code: 'ELOOP' });
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
		assert.deepEqual(
			unreadable.map(({ error }) => codeOf((error as Error).cause)),
			['ENOENT'],
		);
		assert.equal(await readFile(path.join(folder, 'image'), 'utf8'), 'paid for');
	});

	test('reports an entry whose request was cut off, at whatever length, once, and touches nothing', async () => {
		const sound = await create();
		const whole = await readFile(path.join(sound.folder, 'request.json'));
		const { folder } = await create();
		await writeFile(path.join(folder, 'image'), 'paid for');
		for (const length of whole.keys()) {
			await rm(path.join(folder, 'damaged'), { force: true });
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
			assert.deepEqual((await journal.list()).damaged, [], 'it is reported once');
		}
	});

	test('says what is wrong with a request that cannot be understood', async () => {
		const { folder, request } = await create();
		const wrong: [content: string, where: string | undefined][] = [
			['{', undefined],
			[JSON.stringify({ ...request, prompt: '' }), 'prompt'],
			[JSON.stringify({ ...request, target: { ...request.target, stem: 5 } }), 'target.stem'],
		];
		for (const [content, where] of wrong) {
			await rm(path.join(folder, 'damaged'), { force: true });
			await writeFile(path.join(folder, 'request.json'), content);
			const error: unknown = await readEntry(folder).catch((reason: unknown) => reason);
			assert.ok(error instanceof DamagedFileError);
			assert.equal(error.name, 'DamagedFileError');
			if (where === undefined) {
				assert.equal(error.message, 'request.json is no JSON');
				assert.ok(error.cause instanceof SyntaxError);
			} else {
				assert.ok(error.cause instanceof ZodError);
				const [issue] = error.cause.issues;
				assert.equal(error.message, `request.json: ${where}: ${issue!.message}`);
			}
			await assertListed({ damaged: [{ folder, reason: error.message, image: undefined }] });
		}
	});

	test('takes the worst for a state that was cut off, at whatever length', async () => {
		const { folder } = await create();
		const whole = await readFile(path.join(folder, 'state.json'));
		for (const length of whole.keys()) {
			await writeFile(path.join(folder, 'state.json'), whole.subarray(0, length));
			const { entries, damaged } = await journal.list();
			assert.deepEqual(damaged, []);
			// The request has left, for all that is known: it is followed, not sent.
			const { mtime } = await stat(path.join(folder, 'state.json'));
			const worst = { state: 'sending', attempts: [], changedAt: mtime.toISOString() };
			assert.deepEqual(entries[0]?.state, worst, String(length));
		}
	});

	for (const name of ['request.json', 'state.json']) {
		test(`reads every other entry where the ${name} of one cannot be read, and that one when it can`, async () => {
			const [sound, locked] = [await create(), await create()];
			const file = path.join(locked.folder, name);
			const content = await readFile(file);
			const expectLocked = async () => {
				const { entries, damaged, unreadable } = await journal.list();
				assert.deepEqual([entries, damaged], [[sound], []]);
				assert.deepEqual(
					unreadable.map(({ folder }) => folder),
					[locked.folder],
				);
			};
			// Not even root reads a folder as a file: the refusal of a moment, for as long as it is needed.
			await rm(file);
			await mkdir(file);
			await expectLocked();
			await rm(file, { recursive: true });
			if (name === 'state.json') {
				// A job whose request is there had a state, so this is no job that is over.
				await expectLocked();
			}
			await writeFile(file, content);
			assert.equal((await journal.list()).entries.length, 2, 'it was left where it was');
		});
	}

	test('misses nothing of a job that another window removes at whatever moment', async () => {
		const entries = await Promise.all(Array.from({ length: 16 }, () => create()));
		const away = path.join(root, 'away');
		await mkdir(away);
		const moved = ({ folder }: JobEntry) => path.join(away, path.basename(folder));
		for (let turns = 0; turns < 60; turns += 1) {
			const listing = journal.list();
			for (let turn = 0; turn < turns; turn += 1) {
				await new Promise(setImmediate);
			}
			const gone = entries.filter((entry) => {
				try {
					renameSync(entry.folder, moved(entry));
					return true;
				} catch {
					// Windows moves no folder with an open file in it.
					return false;
				}
			});
			const { damaged, unreadable } = await listing;
			assert.deepEqual([damaged, unreadable], [[], []], `after ${String(turns)} turns`);
			for (const entry of gone) {
				renameSync(moved(entry), entry.folder);
			}
		}
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
		await leases.acquire(alive, windowLease);
		const before = new Date(Date.now() - 3_600_000);
		for (const folder of [half, alive]) {
			await utimes(folder, before, before);
		}
		await assertListed({});
		assert.deepEqual((await readdir(journal.root)).sort(), ['alive', 'fresh']);
		await leases.dispose();
		await utimes(alive, before, before);
		await journal.list();
		assert.deepEqual(await readdir(journal.root), ['fresh']);
	});

	test('removes no folder in which an image lies, whatever else is missing', async () => {
		const longAgo = new Date(Date.now() - 24 * 60 * 60 * 1000);
		const names = ['image', 'image-with-recipe', 'image-saved-as', 'answer', 'answer-2'];
		const folders = await Promise.all(
			names.map(async (name) => {
				const { folder } = await create();
				await rm(path.join(folder, 'request.json'));
				await writeFile(path.join(folder, name), 'paid for');
				await utimes(folder, longAgo, longAgo);
				return folder;
			}),
		);
		const { damaged, ...others } = await journal.list();
		assert.deepEqual(others, { entries: [], newer: [], unreadable: [] });
		assert.deepEqual(damaged.map(({ folder }) => folder).sort(), folders.sort());
		assert.ok(damaged.some(({ image }) => image !== undefined));
		assert.equal((await readdir(journal.root)).length, names.length);
	});
});
