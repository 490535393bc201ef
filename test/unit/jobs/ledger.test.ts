import assert from 'node:assert/strict';
import { rmSync, watch } from 'node:fs';
import { appendFile, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileOfMonth } from '../../../src/jobs/jsonLines.js';
import type { JobEntry } from '../../../src/jobs/jobFolder.js';
import { Ledger, LedgerError, type SpendingLine } from '../../../src/jobs/ledger.js';
import type { Attempt, JobState, StateChange } from '../../../src/jobs/state.js';
import type { Charge } from '../../../src/service/errors.js';
import { resultOf } from './results.js';
import { failureOf, requestOf, roundOf } from './support.js';
import { scratch as storage, useScratch } from '../scratch.js';

const start = Date.UTC(2026, 0, 1);
const hour = 60 * 60 * 1000;

const failure = (charge: Charge) => failureOf({ charge });

suite('jobs › ledger', () => {
	useScratch();
	let ledger: Ledger;
	const file = () => fileOfMonth(path.join(storage, 'ledger.jsonl'), new Date());

	setup(() => {
		ledger = new Ledger(storage);
	});

	function ended(
		change: StateChange,
		time = start,
		charges: (Charge | undefined)[] = [],
	): JobEntry {
		const changedAt = new Date(time).toISOString();
		const attempts = charges.map((charge, index): Attempt => ({
			number: index + 1,
			startedAt: changedAt,
			...(charge && { failure: failure(charge) }),
		}));
		const state: JobState = { ...change, attempts, changedAt };
		return { folder: '/jobs/1', request: requestOf(), state };
	}

	const target = 'file:///a.png';
	for (const [outcome, sent, change, charges] of [
		['made', 1, { state: 'saved', result: resultOf(), target }, [undefined]],
		['made', 2, { state: 'saved', result: resultOf(), target }, ['notSent', 'rejected', undefined]],
		['made', 1, { state: 'discarded' }, [undefined]],
		['rejected', 1, { state: 'failed', failure: failure('rejected') }, ['rejected']],
		['rejected', 0, { state: 'failed', failure: failure('notSent') }, ['notSent', 'notSent']],
		['rejected', 0, { state: 'cancelled', charge: 'notSent' }, []],
		[
			'unknown',
			3,
			{ state: 'failed', failure: failure('unknown') },
			['unknown', 'rejected', 'unknown'],
		],
		['unknown', 1, { state: 'interrupted', charge: 'unknown' }, [undefined]],
		['charged', 1, { state: 'failed', failure: failure('charged') }, ['charged']],
		['charged', 1, { state: 'cancelled', charge: 'charged' }, [undefined]],
	] satisfies [string, number, StateChange, (Charge | undefined)[]][]) {
		test(`notes ${outcome} with ${String(sent)} sent where a job is ${change.state} after ${charges.join() || 'nothing else'}`, async () => {
			await ledger.add([ended(change, start, charges)]);
			assert.deepEqual(
				(await ledger.spending()).map((line) => [line.outcome, line.sent]),
				[[outcome, sent]],
			);
		});
	}

	const localTime = (...parts: [number, number, number, number]) =>
		new Date(...parts).toISOString();

	const request = (more: Partial<SpendingLine> = {}) => ({
		...{ time: new Date().toISOString(), request: crypto.randomUUID(), kind: 'image' },
		...{ size: '1024x1024', origin: 'user', sent: 1, outcome: 'made', ...more },
	});

	const writeLines = (...all: object[]) =>
		writeFile(file(), all.map((line) => `\n${JSON.stringify({ format: 1, ...line })}`).join(''));

	test('notes through which door an agent came, its batch and its place in it', async () => {
		const batch = crypto.randomUUID();
		const entry = ended({ state: 'failed', failure: { ...failure('rejected'), status: 402 } });
		const { request } = entry;
		const ofAgent = {
			...request,
			origin: { door: 'mcp', name: 'a stranger' } as const,
			round: roundOf({ id: batch, place: 2 }),
		};
		await ledger.add([{ ...entry, request: ofAgent }]);
		const [line] = await ledger.spending();
		assert.deepEqual(
			[line?.origin, line?.batch, line?.place, line?.status],
			['mcp', batch, 2, 402],
		);
		assert.doesNotMatch(await readFile(file(), 'utf8'), /stranger/);
	});

	test('leaves the lines of newer versions', async () => {
		const old = request({ outcome: 'charged', quality: 'high' });
		await writeLines(old, { ...request(), kind: 'video' }, { ...request(), format: 2 });
		assert.deepEqual(await ledger.spending(), [old]);
		assert.deepEqual(await ledger.budgetUse(), { today: 0, unknown: 0 });
	});

	test('notes again what has another outcome by now, and counts the last', async () => {
		const lost = ended({ state: 'interrupted', charge: 'unknown' });
		await ledger.add([lost]);
		await ledger.add([{ ...lost, state: { ...lost.state, state: 'discarded' } }]);
		assert.deepEqual(
			(await ledger.spending()).map(({ outcome }) => outcome),
			['made'],
		);
	});

	suite('reserves', () => {
		const reserve = (count: number, perDay: number) =>
			ledger.reserve(crypto.randomUUID(), count, perDay);

		test('nothing without a budget, and has no line for what does not fit', async () => {
			assert.equal(await reserve(1, 0), false);
			assert.equal(await reserve(4, 3), false);
			await assert.rejects(readFile(file()), { code: 'ENOENT' });
		});

		test('as much as the limit allows, and the rest of it for less', async () => {
			assert.equal(await reserve(2, 3), true);
			assert.equal(await reserve(2, 3), false);
			assert.equal(await reserve(1, 3), true);
			assert.equal(await reserve(1, 3), false);
			assert.equal(await reserve(1, 4), true);
			assert.deepEqual(await ledger.budgetUse(), { today: 4, unknown: 0 });
		});

		test('a batch once, however often and from wherever it is asked', async () => {
			const batch = crypto.randomUUID();
			for (const one of [ledger, ledger, new Ledger(storage)]) {
				assert.equal(await one.reserve(batch, 2, 2), true);
			}
			assert.equal((await ledger.budgetUse()).today, 2);
			await ledger.release(batch);
			assert.equal((await ledger.budgetUse()).today, 0);
			assert.equal(await ledger.reserve(batch, 2, 2), false);
		});

		test('again what has certainly cost nothing, each place once, and not what may have', async () => {
			const batch = crypto.randomUUID();
			await ledger.reserve(batch, 4, 4);
			const line = (place: number, outcome: SpendingLine['outcome']) =>
				request({ origin: 'mcp', batch, place, outcome });
			const lines = [
				...[{ ...line(0, 'made'), alsoUnknown: 1 }, line(1, 'unknown'), line(2, 'charged')],
				// The user has retried it, which has failed as well.
				...[line(3, 'rejected'), line(3, 'rejected')],
			];
			const before = await readFile(file(), 'utf8');
			const added = lines.map((one) => `\n${JSON.stringify({ format: 1, ...one })}`).join('');
			await writeFile(file(), before + added);
			assert.deepEqual(await ledger.budgetUse(), { today: 3, unknown: 3 });
			assert.deepEqual([await reserve(2, 4), await reserve(1, 4)], [false, true]);
		});

		test('by the days of the clock on the wall', async () => {
			const reservation = (time: string, count: number) => ({
				...{ time, request: crypto.randomUUID(), kind: 'reservation', count },
				perDay: 3,
			});
			await writeLines(
				reservation(localTime(2026, 2, 1, 23), 3),
				reservation(localTime(2026, 2, 1, 23), 1),
				reservation(localTime(2026, 2, 2, 0), 2),
			);
			const on = (day: number) => ledger.budgetUse(new Date(2026, 2, day, 12));
			assert.deepEqual(await on(1), { today: 3, unknown: 0 });
			assert.deepEqual(await on(2), { today: 2, unknown: 0 });
			assert.deepEqual(await on(3), { today: 0, unknown: 0 });
		});
	});

	test('notes a job once, however many windows do so one after another', async () => {
		const jobs = [ended({ state: 'discarded' }), ended({ state: 'cancelled', charge: 'charged' })];
		await ledger.add(jobs);
		await Promise.all([ledger.add(jobs), ledger.add(jobs)]);
		await new Ledger(storage).add(jobs);
		assert.equal((await readFile(file(), 'utf8')).trim().split('\n').length, 2);
	});

	for (const [attempts, status, outcome, sent, alsoUnknown] of [
		[['made'], undefined, 'made', 1, undefined],
		[['rejected'], 402, 'rejected', 1, undefined],
		[['notSent'], undefined, 'rejected', 0, undefined],
		[['unknown', 'made'], undefined, 'made', 2, 1],
		[['notSent', 'unknown', 'notSent'], undefined, 'unknown', 1, undefined],
		[['unknown', 'rejected'], 401, 'unknown', 2, undefined],
	] as const) {
		test(`notes a call of a language model: ${attempts.join(', then ')}`, async () => {
			await ledger.addWords(attempts, status);
			const [line] = await ledger.spending();
			assert.deepEqual(
				[line?.kind, line?.outcome, line?.sent, line?.status, line?.alsoUnknown],
				['words', outcome, sent, status, alsoUnknown],
			);
		});
	}

	test('forgets what is older than five years', async () => {
		const of = (month: number) =>
			path.basename(fileOfMonth('ledger.jsonl', new Date(new Date().getFullYear() - 5, month, 1)));
		const now = new Date().getMonth();
		await ledger.add([ended({ state: 'discarded' })]);
		for (const month of [now - 2, now]) {
			await copyFile(file(), path.join(storage, of(month)));
		}
		await new Ledger(storage).spending();
		assert.deepEqual((await readdir(storage)).sort(), [of(now), path.basename(file())]);
	});

	test('grants nothing where a line of today cannot be read, and is known again the next day', async () => {
		for (const line of [
			'{"format":2,"kind":"reservation","count":3}',
			'{"format":1,"kind":"reservation","cou',
		]) {
			const batch = crypto.randomUUID();
			await appendFile(file(), `\n${line}\n`);
			await assert.rejects(new Ledger(storage).reserve(batch, 1, 3), LedgerError);
			assert.ok(!(await readFile(file(), 'utf8')).includes(batch));
			await rm(file());
		}
		const yesterday = new Date(Date.now() - 25 * hour).toISOString();
		const old = { format: 1, time: yesterday, request: crypto.randomUUID(), kind: 'release' };
		await writeFile(file(), `\n{"format":2}\n${JSON.stringify(old)}`);
		assert.equal(await new Ledger(storage).reserve(crypto.randomUUID(), 1, 3), true);
	});

	test('grants nothing where a line of today cannot be read, and a job of yesterday is noted behind it', async () => {
		await writeFile(file(), '\n{"format":2}');
		await ledger.add([ended({ state: 'discarded' }, Date.now() - 25 * hour)]);
		await assert.rejects(new Ledger(storage).reserve(crypto.randomUUID(), 1, 3), LedgerError);
	});

	test('says that it cannot know a budget whose file is removed whenever it is written', async () => {
		const watcher = watch(storage, () => rmSync(file(), { force: true }));
		try {
			const reserving = ledger.reserve(crypto.randomUUID(), 1, 3);
			await reserving.then(assert.ok, (error: unknown) => assert.ok(error instanceof LedgerError));
		} finally {
			watcher.close();
		}
	});
});
