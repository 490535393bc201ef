import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { inWords } from '../../../src/easelError.js';
import {
	maxCapacityWaitMs,
	readActiveRequests,
	waitForCapacity,
} from '../../../src/jobs/rateLimit.js';
import { factsOf } from '../../../src/jobs/failure.js';
import { becomePresent, type Presence } from '../../../src/jobs/processIdentity.js';
import { Journal } from '../../../src/jobs/journal.js';
import { now, writeState, type JobEntry } from '../../../src/jobs/jobFolder.js';
import { writeNextLease } from '../../../src/jobs/leaseFiles.js';
import { CancelledError, StatusError } from '../../../src/service/errors.js';
import { FakeClock } from '../service/fakeClock.js';
import { requestOf } from './support.js';
import { scratch as root, useScratch } from '../scratch.js';

/** In seconds from noon; an image that is turned away says since when. */
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 1, 12, 0, seconds)).toISOString();

const refused = (status: number) =>
	factsOf(new StatusError(inWords('no'), { charge: 'rejected', status }), { elapsedMs: 1 }, false);

suite('jobs › a service that is busy', () => {
	useScratch();
	let slots: string;
	let journal: Journal;
	let self: Presence;

	setup(async () => {
		slots = path.join(root, 'slots');
		journal = new Journal(path.join(root, 'jobs'));
		await mkdir(slots);
		self = await becomePresent((each) => each.destroy(), { endsBy: now() });
	});

	teardown(async () => {
		await self.socket.close();
	});

	/** A new job that has the next slot. */
	async function ask(change: Partial<Presence['owner']> = {}): Promise<JobEntry> {
		const entry = await journal.create(requestOf());
		const slot = path.join(slots, String((await journal.list()).entries.length));
		await mkdir(slot);
		await writeNextLease(slot, 'slot', 0, { ...self.owner, job: entry.request.id, ...change });
		return entry;
	}

	const enter = (
		entry: JobEntry,
		state: 'queued' | 'sending' | 'waiting' | 'receiving' | 'pausing' | 'cancelled',
		changedAt = now(),
		failure?: ReturnType<typeof refused>,
	) =>
		writeState(entry.folder, {
			attempts: [{ number: 1, startedAt: now(), ...(failure && { failure }) }],
			changedAt,
			...(state === 'cancelled' ? { state, charge: 'rejected' } : { state }),
		});

	const turnAway = (entry: JobEntry, changedAt?: string) =>
		enter(entry, 'pausing', changedAt, refused(429));

	async function underWay(): Promise<JobEntry> {
		const entry = await ask();
		await enter(entry, 'waiting');
		return entry;
	}

	async function rateLimited(changedAt?: string): Promise<JobEntry> {
		const entry = await ask();
		await turnAway(entry, changedAt);
		return entry;
	}

	/**
	 * Counts the looks of a job until there is room, if ever.
	 *
	 * @param steps run after each look, one each
	 */
	async function looks(
		{ folder }: JobEntry,
		...steps: (() => Promise<unknown>)[]
	): Promise<number | 'for ever'> {
		const clock = new FakeClock();
		const sleep = clock.sleep.bind(clock);
		let isOver = false;
		clock.sleep = async (ms, signal) => {
			await sleep(ms, signal);
			const step = steps.shift();
			isOver = step === undefined;
			await (step?.() ?? clock.pass(maxCapacityWaitMs));
		};
		const { signal } = new AbortController();
		await waitForCapacity(slots, folder, signal, clock);
		return isOver ? 'for ever' : clock.sleeps.length;
	}

	test('is known by the images that have a slot, and by what the journal says of them', async () => {
		for (const state of ['sending', 'waiting', 'receiving'] as const) {
			const entry = await ask();
			await enter(entry, state, at(1));
			const { id } = entry.request;
			assert.deepEqual(await readActiveRequests(slots, journal.root), [
				{ id, stage: 'underWay', since: at(1) },
			]);
			await turnAway(entry, at(2));
			assert.deepEqual(await readActiveRequests(slots, journal.root), [
				{ id, stage: 'rateLimited', since: at(2) },
			]);
			await enter(entry, 'cancelled');
		}
		const other = await ask();
		for (const state of ['queued', 'pausing', 'cancelled'] as const) {
			await enter(other, state);
			assert.deepEqual(await readActiveRequests(slots, journal.root), [], state);
		}
		await enter(other, 'pausing', at(1), refused(503));
		assert.deepEqual(await readActiveRequests(slots, journal.root), []);
		await enter(other, 'cancelled', at(1), refused(429));
		assert.deepEqual(await readActiveRequests(slots, journal.root), []);
		await writeState(other.folder, { state: 'pausing', attempts: [], changedAt: now() });
		assert.deepEqual(await readActiveRequests(slots, journal.root), []);
		await turnAway(other);
		assert.equal((await readActiveRequests(slots, journal.root)).length, 1);
		await rm(path.join(other.folder, 'state.json'));
		assert.deepEqual(await readActiveRequests(slots, journal.root), []);
	});

	test('is not busy for an image whose process is gone while it was turned away', async () => {
		const entry = await ask({ address: path.join(root, 'gone'), started: 'before' });
		await turnAway(entry);
		assert.deepEqual(await readActiveRequests(slots, journal.root), []);
	});

	test('is busy for an image of a machine out of reach only as long as that would wait', async () => {
		const entry = await ask({ machine: 'elsewhere', boot: 'other', address: '/nowhere' });
		const pausing = async (until: number, isNoted = true) => {
			const time = new Date(until).toISOString();
			await writeState(entry.folder, {
				state: 'pausing',
				attempts: [{ number: 1, startedAt: at(0), failure: refused(429) }],
				...(isNoted ? { until: time, changedAt: at(0) } : { changedAt: time }),
			});
			return (await readActiveRequests(slots, journal.root)).length === 1;
		};
		for (const isNoted of [true, false]) {
			assert.equal(await pausing(Date.now() + 60_000, isNoted), true);
			assert.equal(await pausing(Date.now() - maxCapacityWaitMs + 10_000, isNoted), true);
			assert.equal(await pausing(Date.now() - maxCapacityWaitMs - 1, isNoted), false);
		}
	});

	test('is asked again without waiting where it makes no other image of Easel', async () => {
		const entry = await rateLimited();
		assert.equal(await looks(entry), 0);
		// Neither those that it has turned away as well.
		await rateLimited(at(1));
		assert.equal(await looks(entry), 0);
		// Nor by itself, where the journal does not know yet that it was turned away.
		await enter(entry, 'waiting');
		assert.equal(await looks(entry), 0);
	});

	test('is asked again when one of the images that it was making is done', async () => {
		const [first, second] = [await underWay(), await underWay()];
		const entry = await rateLimited();
		assert.equal(
			await looks(
				entry,
				() => enter(first, 'receiving'),
				() => enter(second, 'cancelled'),
			),
			2,
		);
		assert.equal(await looks(entry, () => enter(first, 'cancelled')), 1);
	});

	test('is asked again after five minutes at the latest', async () => {
		await underWay();
		const { folder } = await rateLimited();
		const clock = new FakeClock();
		const { signal } = new AbortController();
		await waitForCapacity(slots, folder, signal, clock);
		assert.equal(maxCapacityWaitMs, 300_000);
		assert.deepEqual(clock.sleeps, Array<number>(1200).fill(250));
	});

	test('had no room for those that it turns away a moment later', async () => {
		await underWay();
		const late = await ask();
		await enter(late, 'sending');
		const entry = await rateLimited();
		// It makes one, not two: that there is one less under way now is no room.
		assert.equal(await looks(entry, () => turnAway(late)), 'for ever');
		await enter(late, 'sending');
		const first = await underWay();
		assert.equal(
			await looks(
				entry,
				() => turnAway(late),
				() => enter(first, 'cancelled'),
			),
			2,
		);
	});

	test('makes no other image where all others are turned away as well', async () => {
		const others = [await ask(), await ask()];
		await Promise.all(others.map((other) => enter(other, 'sending')));
		const entry = await rateLimited();
		assert.equal(await looks(entry, () => Promise.all(others.map((other) => turnAway(other)))), 1);
	});

	test('is asked by one after another in the order in which they were turned away', async () => {
		const making = [await underWay(), await underWay()];
		const [second, first] = [await rateLimited(at(9)), await rateLimited(at(8))];
		const oneEnds = () => enter(making.pop()!, 'cancelled');
		assert.equal(await looks(first, oneEnds), 1);
		making.push(await underWay());
		// Where there is room for one, it is for the first; when that has gone on, for the next.
		assert.equal(await looks(second, oneEnds, () => enter(first, 'sending')), 'for ever');
		await turnAway(first, at(8));
		making.push(await underWay());
		assert.equal(await looks(second, oneEnds, () => enter(first, 'sending'), oneEnds), 3);
	});

	test('is waited for no longer than the signal lets', async () => {
		await underWay();
		const { folder } = await rateLimited();
		const controller = new AbortController();
		const waiting = waitForCapacity(slots, folder, controller.signal);
		const reason = new CancelledError('rejected');
		controller.abort(reason);
		await assert.rejects(waiting, reason);
	});
});
