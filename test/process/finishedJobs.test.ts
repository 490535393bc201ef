import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileOfMonth } from '../../src/jobs/jsonLines.js';
import { inWords } from '../../src/easelError.js';
import { factsOf } from '../../src/jobs/failure.js';
import { FinishedJobs, type FinishedJobsOptions } from '../../src/jobs/finishedJobs.js';
import { Gallery } from '../../src/jobs/gallery.js';
import { Journal } from '../../src/jobs/journal.js';
import { readState, workerLease, writeState, type JobEntry } from '../../src/jobs/jobFolder.js';
import { Ledger } from '../../src/jobs/ledger.js';
import type { GenerationRequest } from '../../src/jobs/request.js';
import type { Attempt, JobState, StateChange } from '../../src/jobs/state.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { RequestError } from '../../src/service/errors.js';
import { resultOf } from '../unit/jobs/results.js';
import { requestOf } from '../unit/jobs/support.js';
import { logTo } from '../../src/log.js';
import { ownFolder } from './support.js';

const day = 24 * 60 * 60 * 1000;
const failure = factsOf(new RequestError('prompt', inWords('empty')), { elapsedMs: 0 }, false);
const saved = { state: 'saved', result: resultOf(), target: 'file:///w/a.png' } as const;
const arrivals = ['image', 'image-with-recipe', 'image-saved-as', 'answer', 'answer-2'];

suite('jobs › finishedJobs', () => {
	const storage = ownFolder();
	let journal: Journal;
	let gallery: Gallery;
	let ledger: Ledger;
	let troubles: string[];
	let removed: string[];

	setup(() => {
		journal = new Journal(path.join(storage.path, 'jobs'));
		gallery = new Gallery(storage.path);
		ledger = new Ledger(storage.path);
		troubles = [];
		removed = [];
		logTo({ error: (what) => troubles.push(what) });
	});

	const finished = (change: Partial<FinishedJobsOptions> = {}) =>
		new FinishedJobs({
			gallery,
			ledger,
			images: { holds: () => Promise.resolve(true) },
			onRemoved: (folder) => removed.push(path.basename(folder)),
			...change,
		});

	interface More extends Partial<GenerationRequest> {
		readonly age?: number;
		readonly notified?: boolean;
		readonly dismissed?: boolean;
		readonly attempts?: Attempt[];
	}

	async function job(
		change: StateChange,
		{ age = 0, notified = true, dismissed = false, attempts = [], ...request }: More = {},
	): Promise<JobEntry> {
		const entry = await journal.create(requestOf(request));
		const changedAt = new Date(Date.now() - age).toISOString();
		const state = { ...change, attempts, changedAt, notified, dismissed };
		await writeState(entry.folder, state);
		return { ...entry, state };
	}

	const left = () => readdir(journal.root);
	const ledgerFile = fileOfMonth('ledger.jsonl', new Date());
	const lines = async (name: string) =>
		(await readFile(path.join(storage.path, name), 'utf8').catch(() => ''))
			.trim()
			.split('\n')
			.filter(Boolean);

	test('have a line in the gallery and in the ledger, and no folder', async () => {
		const { request, state, folder } = await job(saved, { operation: 'edit', quality: 'low' });
		await writeFile(path.join(folder, 'worker.log'), '');
		await finished().remove(folder);
		assert.deepEqual(await left(), []);
		assert.deepEqual(removed, [request.id]);
		assert.deepEqual(
			(await gallery.list()).map(({ id }) => id),
			[request.id],
		);
		const [line] = await lines(ledgerFile);
		const { notedAt, ...noted } = JSON.parse(line!) as { readonly notedAt: string };
		assert.ok(Date.parse(notedAt) >= Date.parse(state.changedAt));
		assert.deepEqual(noted, {
			...{ format: 1, time: state.changedAt, request: request.id, kind: 'edit' },
			...{ size: '1024x1024', quality: 'low', origin: 'user', sent: 0, outcome: 'made' },
			...{ batch: request.round.id, place: 0 },
		});
		assert.doesNotMatch(line!, /harbor|nowhere|jobs/, 'neither the prompt nor a path');
		assert.deepEqual(troubles, []);
	});

	test('are those that the user knows of, and needs no more', async () => {
		const going = [await job(saved), await job({ state: 'failed', failure }, { dismissed: true })];
		const staying = [
			await job(saved, { notified: false }),
			await job({ state: 'failed', failure }),
			await job({ state: 'queued' }),
		];
		await finished().removeAll([...staying, ...going].map(({ folder }) => folder));
		assert.deepEqual((await left()).sort(), staying.map(({ request }) => request.id).sort());
		assert.equal((await lines(ledgerFile)).length, going.length);
		assert.deepEqual(troubles, []);
	});

	test('have their line also while a failure is listed, with its status, and one more for another outcome', async () => {
		const refused = { ...failure, charge: 'rejected', status: 402 } as const;
		const { folder, request, state } = await job({ state: 'failed', failure: refused });
		await finished().note(folder);
		await finished().note(folder);
		const notes = async () =>
			(await lines(ledgerFile)).map((line) => JSON.parse(line) as Record<string, unknown>);
		assert.deepEqual(
			(await notes()).map(({ request: id, outcome, status }) => [id, outcome, status]),
			[[request.id, 'rejected', 402]],
		);
		assert.deepEqual(await left(), [request.id]);
		await writeState(folder, { ...state, ...saved });
		await finished().note(folder);
		assert.equal((await notes()).length, 1, 'it is not listed any more');
		await finished().remove(folder);
		assert.deepEqual(
			(await notes()).map(({ outcome }) => outcome),
			['rejected', 'made'],
		);
		await finished().note(folder);
		assert.deepEqual([await left(), troubles], [[], []]);
	});

	for (const name of arrivals) {
		test(`are none as long as their folder holds the file ${name}, whatever their state says`, async () => {
			const entries = [
				await job({ state: 'cancelled', charge: 'charged' }),
				await job({ state: 'failed', failure }, { dismissed: true }),
				await job({ state: 'interrupted', charge: 'unknown' }, { age: 8 * day }),
			];
			for (const { folder } of entries) {
				await writeFile(path.join(folder, name), 'paid for');
				await finished().remove(folder);
				assert.equal(await readFile(path.join(folder, name), 'utf8'), 'paid for');
			}
			assert.deepEqual(await lines(ledgerFile), [], 'that is not their end');
			for (const { folder } of entries) {
				await rm(path.join(folder, name));
			}
			await finished().removeAll(entries.map(({ folder }) => folder));
			assert.deepEqual(await left(), []);
		});

		test(`are none where the file ${name} arrives while they are written down`, async () => {
			const { folder } = await job({ state: 'failed', failure }, { dismissed: true });
			const late = {
				add: async (entries: readonly JobEntry[]) => {
					await ledger.add(entries);
					await writeFile(path.join(folder, name), 'paid for');
				},
			};
			await finished({ ledger: late }).remove(folder);
			assert.equal(await readFile(path.join(folder, name), 'utf8'), 'paid for');
			assert.equal((await readState(folder)).state, 'failed');
		});
	}

	test('are none whose image comes after their end was noted: their state is read again', async () => {
		const { folder, state } = await job(
			{ state: 'interrupted', charge: 'unknown' },
			{ dismissed: true },
		);
		const received = { ...state, state: 'received', result: resultOf() } as JobState;
		const late = { add: () => writeState(folder, received) };
		await finished({ ledger: late }).remove(folder);
		assert.equal((await readState(folder)).state, 'received');
	});

	test('are none whose worker may still bring an image, until it has ended', async () => {
		const worker = new Leases();
		const { folder } = await job({ state: 'cancelled', charge: 'unknown' });
		await worker.acquire(folder, workerLease);
		await finished().removeAll([folder]);
		assert.equal((await left()).length, 1);
		const removing = finished().remove(folder);
		await worker.dispose();
		await removing;
		assert.deepEqual(await left(), []);
		assert.deepEqual(troubles, []);
	});

	test('of which a copy of the image is left go where the image is, and nowhere else', async () => {
		for (const [what, holds, expected] of [
			['it is there', () => Promise.resolve(true), undefined],
			['it is not there', () => Promise.resolve(false), 'received'],
			['it is unknown', () => Promise.reject(new Error('EIO')), 'saved'],
		] as const) {
			const { folder } = await job(saved);
			await writeFile(path.join(folder, 'image'), 'paid for');
			await finished({ images: { holds } }).remove(folder);
			const state = await readState(folder).catch(() => undefined);
			assert.equal(state?.state, expected, what);
			if (state !== undefined) {
				assert.equal(await readFile(path.join(folder, 'image'), 'utf8'), 'paid for', what);
			}
		}
	});

	test('keep their folder until what stays of them is written, and have it written once', async () => {
		const { folder, request } = await job(saved);
		for (const name of ['gallery.jsonl', ledgerFile]) {
			await mkdir(path.join(storage.path, name));
			await finished().remove(folder);
			assert.deepEqual(await left(), [request.id]);
			await rm(path.join(storage.path, name), { recursive: true });
		}
		assert.equal(new Set(troubles).size, 1);
		// As where a window has ended before the folder has gone, and two find it.
		await ledger.add([{ folder, request, state: await readState(folder) }]);
		await Promise.all([finished().remove(folder), finished().removeAll([folder])]);
		assert.deepEqual(await left(), []);
		assert.equal((await lines('gallery.jsonl')).length, 1);
		assert.equal((await lines(ledgerFile)).length, 1);
	});
});
