import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inWords } from '../../src/easelError.js';
import { createJob } from '../../src/jobs/createJob.js';
import { factsOf } from '../../src/jobs/failure.js';
import { Journal } from '../../src/jobs/journal.js';
import { readState, windowLease, writeState, type JobEntry } from '../../src/jobs/jobFolder.js';
import { readLease } from '../../src/jobs/leaseFiles.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { recover, type Recovery } from '../../src/jobs/recovery.js';
import type { RoundPlace } from '../../src/jobs/request.js';
import type { StateChange } from '../../src/jobs/state.js';
import { RequestError } from '../../src/service/errors.js';
import { until } from '../host/until';
import { resultOf } from '../unit/jobs/results.js';
import { pictureOf, requestOf, roundOf } from '../unit/jobs/support.js';
import { logTo } from '../../src/log.js';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const failure = factsOf(new RequestError('prompt', inWords('empty')), { elapsedMs: 0 }, false);

suite('jobs › recovery', () => {
	let root: string;
	let journal: Journal;
	let leases: Leases;
	let ending: AbortController;
	/** Calls, with the prompts of the jobs. */
	let called: string[];
	let troubles: string[];
	/** The folders of the jobs that are to be removed. */
	let finished: string[];

	setup(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'easel-recovery-'));
		journal = new Journal(path.join(root, 'jobs'));
		leases = new Leases();
		ending = new AbortController();
		called = [];
		troubles = [];
		logTo({ error: (what) => troubles.push(what) });
		finished = [];
	});

	teardown(async () => {
		ending.abort();
		await leases.dispose();
		await rm(root, { recursive: true, maxRetries: 10 });
	});

	interface Age {
		/** Age of the request in milliseconds. */
		readonly made?: number;
		/** Age of the state in milliseconds. */
		readonly changed?: number;
		readonly notified?: boolean;
		readonly dismissed?: boolean;
		readonly round?: RoundPlace;
	}

	async function job(
		prompt: string,
		change: StateChange = { state: 'queued' },
		{ made = 0, changed = 0, round, ...more }: Age = {},
	): Promise<JobEntry> {
		const createdAt = new Date(Date.now() - made).toISOString();
		const entry = await journal.create(requestOf({ prompt, createdAt, ...(round && { round }) }));
		const changedAt = new Date(Date.now() - changed).toISOString();
		const state = { ...change, attempts: [], changedAt, ...more };
		await writeState(entry.folder, state);
		return { ...entry, state };
	}

	function recovering(change: Partial<Recovery> = {}): Recovery {
		const note =
			(what: string) =>
			({ request }: JobEntry): void => {
				called.push(`${what} ${request.prompt}`);
			};
		return {
			belongsHere: ({ request }) => !request.prompt.startsWith('other'),
			resume: (entry) => Promise.resolve(note('take up')(entry)),
			askAbout: (entries) => {
				called.push(`ask about ${entries.map(({ request }) => request.prompt).join()}`);
				return Promise.resolve();
			},
			listFailure: note('failure'),
			dismiss: (entry) => Promise.resolve(note('dismiss')(entry)),
			listUnsaved: note('unsaved'),
			reportDamaged: (damaged) => {
				called.push(`damaged ${String(damaged.length)}`);
			},
			reportNewer: (folders) => {
				called.push(`newer ${String(folders.length)}`);
			},
			removeFinished: (folders) => {
				finished.push(...folders);
				return Promise.resolve();
			},
			signal: ending.signal,
			...change,
		};
	}

	/** Looks through the journal until this much was done. */
	async function recovered(calls: number, change: Partial<Recovery> = {}): Promise<string[]> {
		await recover(journal, leases, recovering(change));
		await until(() => called.length >= calls, `${String(calls)} calls, not ${called.join()}`);
		await new Promise(setImmediate);
		return called.sort();
	}

	test('takes up what goes on or was not reported, and nothing that is settled', async () => {
		await job('queued');
		await job('waiting', { state: 'waiting' });
		await job('saved', { state: 'saved', result: resultOf(), target: 'file:///a' });
		await job('reported', { state: 'discarded' }, { notified: true });
		// Its worker had counted as gone, and has brought its image after all.
		const late = { notified: true, dismissed: true };
		await job('late', { state: 'received', result: resultOf() }, late);
		assert.deepEqual(await recovered(6), [
			...['ask about ', 'damaged 0', 'take up late', 'take up queued'],
			...['take up saved', 'take up waiting'],
		]);
		assert.deepEqual(troubles, []);
	});

	test('asks about what was queued for more than a day, in either direction of the clock', async () => {
		for (const [prompt, made] of [
			['old', day + hour],
			['future', -day - hour],
			['new', day - hour],
		] as const) {
			await job(prompt, { state: 'queued' }, { made });
		}
		await job('sent', { state: 'waiting' }, { made: 2 * day });
		assert.deepEqual(await recovered(4), [
			...['ask about old,future', 'damaged 0', 'take up new', 'take up sent'],
		]);
	});

	test('dismisses a failure that its window had sent again, and lists those that it had not', async () => {
		const notified = true;
		const failed = { state: 'failed', failure } as const;
		const id = crypto.randomUUID();
		const inRound = (place: number, ofRound = id) => roundOf({ id: ofRound, place });
		const old = { notified, made: hour, changed: hour } as const;
		await job('sent again', failed, { ...old, round: inRound(0) });
		await job('new', { state: 'waiting' }, { round: inRound(0) });
		// In each place of the round, however often it was sent.
		await job('first', failed, { ...old, made: 3 * hour, round: inRound(1) });
		await job('second', failed, { ...old, made: 2 * hour, round: inRound(1) });
		await job('third', failed, { ...old, round: inRound(1) });
		await job('another round', failed, { ...old, round: inRound(0, crypto.randomUUID()) });
		await job('alone', failed, old);
		assert.deepEqual(await recovered(9), [
			...['ask about ', 'damaged 0', 'dismiss first', 'dismiss second', 'dismiss sent again'],
			...['failure alone', 'failure another round', 'failure third', 'take up new'],
		]);
		assert.deepEqual(troubles, []);
	});

	test('dismisses what was sent again once, and nothing that may still have an image', async () => {
		const round = roundOf();
		const interrupted = { state: 'interrupted', charge: 'unknown' } as const;
		const old = { made: hour, round } as const;
		await job('new failure', { state: 'failed', failure }, old);
		await job('new interruption', interrupted, old);
		await job('reported interruption', interrupted, { ...old, notified: true });
		await job(
			'dismissed',
			{ state: 'failed', failure },
			{ ...old, notified: true, dismissed: true },
		);
		await job('cancelled', { state: 'cancelled', charge: 'notSent' }, old);
		await job('new', { state: 'failed', failure }, { notified: true, round });
		assert.deepEqual(await recovered(7), [
			...['ask about ', 'damaged 0', 'dismiss new failure', 'dismiss reported interruption'],
			...['failure new', 'take up cancelled', 'take up new interruption'],
		]);
	});

	test('leaves to the next window all that goes on, was not reported, or is a failure of a week', async () => {
		const notified = true;
		const failed = { state: 'failed', failure } as const;
		await job('queued');
		await job('waiting', { state: 'waiting' });
		await job('received', { state: 'received', result: resultOf() });
		await job('not reported', { state: 'discarded' });
		await job('other', { state: 'received', result: resultOf() });
		await job('failed', failed, { notified });
		const over = [
			await job('old', failed, { notified, changed: 8 * day }),
			await job('dismissed', failed, { notified, dismissed: true }),
			await job('over', { state: 'discarded' }, { notified }),
			await job('other over', { state: 'discarded' }, { notified }),
		];
		await recovered(8);
		assert.deepEqual(finished.sort(), over.map(({ folder }) => folder).sort());
	});

	const leaseNumber = async (folder: string) => (await readLease(folder, windowLease))?.number ?? 0;

	test('lists an image of another workspace as soon as the window that has it has ended, as it stands then', async () => {
		const other = new Leases();
		const left = await job('other left', { state: 'received', result: resultOf() });
		const saved = await job('other saved', { state: 'received', result: resultOf() });
		for (const { folder } of [left, saved]) {
			await other.acquire(folder, windowLease);
		}
		assert.deepEqual(await recovered(2), ['ask about ', 'damaged 0']);
		await writeState(saved.folder, {
			...{ state: 'saved', result: resultOf(), target: 'file:///a', notified: true },
			...{ attempts: [], changedAt: new Date().toISOString() },
		});
		await other.dispose();
		await until(() => called.length >= 3, 'the image to be listed');
		assert.deepEqual(called.slice(2), ['unsaved other left']);
		// It is free: it belongs to the next window of its workspace.
		assert.equal((await readLease(left.folder, windowLease))?.owner, undefined);
		assert.deepEqual(troubles, []);
	});

	test('takes up what another window had as soon as that has ended, as it stands then', async () => {
		const other = new Leases();
		const [going, done] = [
			await job('going', { state: 'waiting' }),
			await job('done', { state: 'waiting' }),
		];
		for (const { folder } of [going, done]) {
			await other.acquire(folder, windowLease);
		}
		assert.deepEqual(await recovered(2), ['ask about ', 'damaged 0']);
		await writeState(done.folder, {
			state: 'discarded',
			attempts: [],
			changedAt: done.state.changedAt,
			notified: true,
		});
		await other.dispose();
		await until(() => called.length > 2, 'the other window to be gone');
		await until(async () => (await leaseNumber(done.folder)) > 2, 'the other job to be taken');
		assert.deepEqual(called.slice(2), ['take up going']);
	});

	test('reports damage, and touches nothing of it', async () => {
		const damaged = await job('damaged');
		await writeFile(path.join(damaged.folder, 'request.json'), '{');
		assert.deepEqual(await recovered(2), ['ask about ', 'damaged 1']);
		assert.deepEqual(finished, []);
		assert.equal(await readFile(path.join(damaged.folder, 'request.json'), 'utf8'), '{');
	});

	test('leaves alone what this window has begun meanwhile, while something else cannot be read', async () => {
		const other = new Leases();
		const left = await job('left', { state: 'waiting' });
		await other.acquire(left.folder, windowLease);
		// As an entry is that a virus scanner has open, or that lies on a disk that has just gone.
		const file = path.join(left.folder, 'request.json');
		const content = await readFile(file);
		await rm(file);
		await mkdir(file);
		const looking = recover(journal, leases, recovering());
		await until(() => troubles.length > 0, 'the trouble');
		const begin = (prompt: string) => createJob(requestOf({ prompt }), [], { journal, leases });
		await begin('own queued');
		for (const change of [
			{ state: 'waiting' },
			{ state: 'received', result: resultOf() },
			{ state: 'saved', result: resultOf(), target: 'file:///a' },
		] as const) {
			const { folder } = await begin(`own ${change.state}`);
			await writeState(folder, { ...change, attempts: [], changedAt: new Date().toISOString() });
		}
		await rm(file, { recursive: true });
		await writeFile(file, content);
		await looking;
		await other.dispose();
		await until(() => called.includes('take up left'), 'the job of another window');
		assert.deepEqual(called.sort(), [
			...['ask about ', 'ask about ', 'damaged 0', 'damaged 0', 'take up left'],
		]);
		assert.equal(troubles.length, 1);
	});

	for (const [what, change] of [
		['failed', { state: 'failed', failure }],
		['cancelled', { state: 'cancelled', charge: 'unknown' }],
		['interrupted', { state: 'interrupted', charge: 'unknown' }],
	] as const satisfies readonly [string, StateChange][]) {
		test(`finds an image that came after a job had ${what}, in its workspace and elsewhere`, async () => {
			const image = await pictureOf('late', 'small');
			const late = async (prompt: string, withWhat: Uint8Array | string) => {
				const entry = await job(prompt, change, { notified: true, dismissed: true, made: hour });
				await writeFile(path.join(entry.folder, 'image'), withWhat);
				return entry;
			};
			const [here, elsewhere] = [await late('here', image), await late('other', image)];
			const broken = await late('broken', 'no image');
			assert.deepEqual(await recovered(4), [
				...['ask about ', 'damaged 0', 'unsaved here', 'unsaved other'],
			]);
			for (const { folder } of [here, elsewhere]) {
				const state = await readState(folder);
				assert.equal(state.state, 'received');
				assert.deepEqual(await readFile(state.result.file), image);
			}
			assert.deepEqual((await readState(broken.folder)).state, broken.state.state);
			assert.deepEqual(troubles, []);
		});
	}

	test('finds a late image in a raw answer', async () => {
		const image = await pictureOf('late', 'small');
		const end: StateChange = { state: 'interrupted', charge: 'charged' };
		const settled = { notified: true, dismissed: true };
		const inAnswer = await job('in an answer', end, settled);
		const answer = JSON.stringify({ data: [{ b64_json: image.toString('base64') }] });
		await writeFile(path.join(inAnswer.folder, 'answer'), answer);
		assert.deepEqual(await recovered(3), ['ask about ', 'damaged 0', 'unsaved in an answer']);
		const state = await readState(inAnswer.folder);
		assert.ok(state.state === 'received', state.state);
		assert.deepEqual(await readFile(state.result.file), image);
	});

	test('lists a late answer that is not understood, until the user has dealt with it', async () => {
		const changes: StateChange[] = [
			{ state: 'failed', failure },
			{ state: 'cancelled', charge: 'charged' },
			{ state: 'interrupted', charge: 'charged' },
		];
		const entries = await Promise.all(
			changes.map((change) => job(change.state, change, { notified: true, dismissed: true })),
		);
		const listed = await job('listed', { state: 'failed', failure }, { notified: true });
		for (const { folder } of [...entries, listed]) {
			await writeFile(path.join(folder, 'answer-2'), '{"data": [{"b64_json": "iVBO');
		}
		for (let windows = 0; windows < 2; windows += 1) {
			called = [];
			assert.deepEqual(await recovered(6), [
				...['ask about ', 'damaged 0', 'failure cancelled', 'failure failed'],
				...['failure interrupted', 'failure listed'],
			]);
		}
		for (const { folder } of entries) {
			const state = await readState(folder);
			assert.ok(state.state === 'failed', state.state);
			assert.equal(state.failure.answerFile, path.join(folder, 'answer-2'));
			assert.equal(state.failure.isDealtWith, true);
		}
		assert.deepEqual(await readState(listed.folder), listed.state, 'it can still be sent again');
		assert.deepEqual([finished.length, troubles], [entries.length, []]);
	});

	test('goes on where one thing fails, and says which', async () => {
		const notified = true;
		await job('queued');
		await job('failed', { state: 'failed', failure }, { notified });
		await job('other', { state: 'received', result: resultOf() });
		const fail = () => {
			throw new Error('no');
		};
		await recover(
			journal,
			leases,
			recovering({
				resume: () => Promise.reject(new Error('no')),
				askAbout: () => Promise.reject(new Error('no')),
				listFailure: fail,
				listUnsaved: fail,
				reportDamaged: fail,
			}),
		);
		await until(() => troubles.length >= 5, 'every trouble');
		assert.deepEqual(troubles.sort(), [
			'A failure could not be listed',
			'A job could not be resumed',
			'An image that waits could not be listed',
			'Damaged entries could not be reported',
			'Old images could not be asked about',
		]);
	});
});
