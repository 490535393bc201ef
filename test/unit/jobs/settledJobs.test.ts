import assert from 'node:assert/strict';
import {
	appendFile,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	stat,
	symlink,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Journal } from '../../../src/jobs/journal.js';
import { now, writeState, type JobEntry } from '../../../src/jobs/jobFolder.js';
import { noteState } from '../../../src/jobs/noteState.js';
import {
	isAnyJobLeft,
	noteSettledJobs,
	readSettledJobs,
	tidySettledJobs,
} from '../../../src/jobs/settledJobs.js';
import type { JobState } from '../../../src/jobs/state.js';
import { requestOf } from './support.js';

const told: JobState = {
	state: 'cancelled',
	charge: 'notSent',
	attempts: [],
	told: true,
	changedAt: now(),
};
const failed: JobState = {
	...told,
	state: 'failed',
	failure: {
		kind: 'status',
		message: 'No.',
		charge: 'rejected',
		repeatable: false,
		elapsedMs: 5,
		unknownOutcome: false,
	},
};
const interrupted: JobState = { ...told, state: 'interrupted' };

suite('jobs › settledJobs', () => {
	let root: string;
	let journal: Journal;

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-settled-'));
		journal = new Journal(path.join(root, 'jobs'));
	});

	teardown(() => rm(root, { recursive: true }));

	function create(): Promise<JobEntry> {
		return journal.create(requestOf({ createdAt: now() }));
	}

	const fail = (what: string, error: unknown) => assert.fail(`${what}: ${String(error)}`);
	const listed = async () => (await journal.list()).entries.map(({ request }) => request.id);

	test('no job is left before the first one, nor in a folder without any', async () => {
		assert.equal(await isAnyJobLeft(journal.root), false);
		await mkdir(journal.root);
		await writeFile(path.join(journal.root, '.DS_Store'), '');
		assert.equal(await isAnyJobLeft(journal.root), false);
	});

	test('a job is left where nobody can tell', async () => {
		await symlink(journal.root, journal.root);
		assert.equal(await isAnyJobLeft(journal.root), true);
	});

	for (const [what, state, isLeft] of [
		['that is over and told', told, false],
		['that is over and not told', { ...told, told: false }, true],
		['that is under way', { ...told, state: 'waiting' }, true],
		['that has failed, as long as it is shown', failed, true],
		['whose failure was dismissed', { ...failed, dismissed: true }, false],
		['that was interrupted, as long as it is shown', interrupted, true],
		['whose interruption was dismissed', { ...interrupted, dismissed: true }, false],
	] satisfies [string, JobState, boolean][]) {
		test(`a job ${what} is ${isLeft ? '' : 'not '}left, nor read again where it is not`, async () => {
			const { folder, request } = await create();
			assert.equal(await isAnyJobLeft(journal.root), true, 'it is queued');
			await noteState(folder, state, fail);
			assert.equal(await isAnyJobLeft(journal.root), isLeft);
			assert.deepEqual(await listed(), isLeft ? [request.id] : []);
		});
	}

	test('one job that is left is enough, whatever else is settled', async () => {
		for (let count = 0; count < 20; count += 1) {
			await noteState((await create()).folder, told, fail);
		}
		assert.equal(await isAnyJobLeft(journal.root), false);
		const { request } = await create();
		assert.equal(await isAnyJobLeft(journal.root), true);
		assert.deepEqual(await listed(), [request.id]);
	});

	test('a note that is lost, or cut off at any length, costs a look and hides nothing', async () => {
		const [first, second] = [await create(), await create()];
		await noteState(first.folder, told, fail);
		await writeState(second.folder, told);
		const file = path.join(journal.root, 'settled');
		const whole = await readFile(file);
		for (let length = 0; length < whole.length - 1; length += 1) {
			await writeFile(file, whole.subarray(0, length));
			assert.deepEqual([...(await readSettledJobs(journal.root)).keys()], [], String(length));
			assert.equal((await listed()).length, 2);
			// What another window notes behind it is a line of its own.
			await journal.noteSettled([second]);
			assert.deepEqual(await listed(), [first.request.id], String(length));
		}
		await rm(file);
		await mkdir(file);
		assert.equal(await isAnyJobLeft(journal.root), true);
		assert.equal((await listed()).length, 2);
		await journal.noteSettled([first, second]);
	});

	test('what only looks like a note is none', async () => {
		const [first, second] = [await create(), await create()];
		const file = path.join(journal.root, 'settled');
		await writeFile(file, `0${first.request.id} ${now()}\n${second.request.id} ${now()}0\n`);
		assert.deepEqual([...(await readSettledJobs(journal.root)).keys()], []);
		assert.equal(await isAnyJobLeft(journal.root), true);
	});

	test('where nothing is settled nothing is written, and nobody else reads what is', async () => {
		await mkdir(journal.root);
		await noteSettledJobs(journal.root, new Map());
		assert.deepEqual(await readdir(journal.root), []);
		await noteSettledJobs(journal.root, new Map([[crypto.randomUUID(), now()]]));
		const { mode } = await stat(path.join(journal.root, 'settled'));
		assert.equal(process.platform === 'win32' ? 0 : mode & 0o077, 0);
	});

	test('notes stay as long as their jobs, and go with them once they are many', async () => {
		await mkdir(journal.root);
		const file = path.join(journal.root, 'settled');
		const ids = Array.from({ length: 200 }, () => crypto.randomUUID());
		await Promise.all(ids.map((id) => mkdir(path.join(journal.root, id))));
		await noteSettledJobs(journal.root, new Map(ids.map((id) => [id, now()])));
		const before = await readFile(file, 'utf8');
		assert.equal((await journal.list()).settled.size, 200);
		assert.equal(await readFile(file, 'utf8'), before);
		for (const id of ids.slice(0, 100)) await rm(path.join(journal.root, id), { recursive: true });
		assert.equal((await journal.list()).settled.size, 100);
		assert.deepEqual([...(await readSettledJobs(journal.root)).keys()], ids.slice(100));
	});

	test('notes of many windows at once are all kept', async () => {
		await mkdir(journal.root);
		const ids = Array.from({ length: 200 }, () => crypto.randomUUID());
		await Promise.all(ids.map((id) => noteSettledJobs(journal.root, new Map([[id, now()]]))));
		assert.deepEqual([...(await readSettledJobs(journal.root)).keys()].sort(), ids.sort());
	});

	test('a damaged entry is looked at each time, for it may be whole again', async () => {
		const { folder, request } = await create();
		const file = path.join(folder, 'request.json');
		const whole = await readFile(file);
		await writeFile(file, '{');
		assert.equal((await journal.list()).damaged.length, 1);
		assert.deepEqual((await journal.list()).damaged, []);
		assert.equal(await isAnyJobLeft(journal.root), true);
		await writeFile(file, whole);
		assert.deepEqual(await listed(), [request.id]);
	});

	test('a job that was not read is cleaned up like one that was', async () => {
		const { folder, request } = await create();
		await noteState(folder, { ...told, changedAt: '2026-01-01T00:00:00.000Z' }, fail);
		const day = 24 * 60 * 60 * 1000;
		const changedAt = Date.parse('2026-01-01T00:00:00.000Z');
		const listing = await journal.list();
		assert.deepEqual([...listing.settled], [[request.id, changedAt]]);
		await journal.cleanUp(listing, changedAt + 90 * day);
		assert.ok((await stat(folder)).isDirectory());
		await journal.cleanUp(listing, changedAt + 90 * day + 1);
		await assert.rejects(stat(folder), { code: 'ENOENT' });
		assert.deepEqual([...(await journal.list()).settled], []);
	});

	test('a thousand newer jobs push the oldest out, read or not, and none that is left', async () => {
		const left = await create();
		const { folder } = await create();
		await noteState(folder, { ...told, changedAt: '2026-01-01T00:00:00.000Z' }, fail);
		const { entries, settled } = await journal.list();
		const newer = (count: number) =>
			Array.from({ length: count }, () => [crypto.randomUUID(), Date.now()] as const);
		const time = Date.parse('2026-01-02T00:00:00.000Z');
		await journal.cleanUp({ entries, settled: new Map([...settled, ...newer(998)]) }, time);
		assert.ok((await stat(folder)).isDirectory());
		await journal.cleanUp({ entries, settled: new Map([...settled, ...newer(999)]) }, time);
		await assert.rejects(stat(folder), { code: 'ENOENT' });
		assert.ok((await stat(left.folder)).isDirectory());
	});

	test('notes of what is gone are removed once they are many', async () => {
		const { folder, request } = await create();
		await noteState(folder, told, fail);
		const gone = Array.from({ length: 99 }, () => [crypto.randomUUID(), now()] as const);
		await noteSettledJobs(journal.root, new Map(gone));
		const isThere = (id: string) => id === request.id;
		const tidy = async () => {
			await tidySettledJobs(journal.root, await readSettledJobs(journal.root), isThere);
			return readSettledJobs(journal.root);
		};
		const before = await readSettledJobs(journal.root);
		assert.equal(before.size, 100);
		assert.deepEqual(await tidy(), before);
		await appendFile(path.join(journal.root, 'settled'), `${crypto.randomUUID()} ${now()}\n`);
		assert.deepEqual([...(await tidy()).keys()], [request.id]);
		assert.deepEqual((await tidy()).get(request.id), before.get(request.id));
	});

	test('where the notes cannot be written, nothing else fails', async () => {
		await noteSettledJobs(path.join(root, 'nowhere'), new Map([['x', now()]]));
		assert.equal(await isAnyJobLeft(path.join(root, 'nowhere')), false);
	});
});
