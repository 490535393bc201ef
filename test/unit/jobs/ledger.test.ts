import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JobEntry } from '../../../src/jobs/jobFolder.js';
import { Ledger } from '../../../src/jobs/ledger.js';
import type { FailureFacts } from '../../../src/jobs/failure.js';
import type { Attempt, JobState, StateChange } from '../../../src/jobs/state.js';
import type { Charge } from '../../../src/service/errors.js';
import { resultOf } from './results.js';
import { requestOf } from './support.js';

const start = Date.UTC(2026, 0, 1);
const hour = 60 * 60 * 1000;

const failure = (charge: Charge): FailureFacts => ({
	...{ kind: 'status', message: 'No.', charge, repeatable: false },
	...{ elapsedMs: 5, unknownOutcome: false },
});

suite('jobs › ledger', () => {
	let storage: string;
	let ledger: Ledger;
	const file = () => path.join(storage, 'ledger.jsonl');

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-ledger-'));
		ledger = new Ledger(storage);
	});

	teardown(() => rm(storage, { recursive: true }));

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

	interface Line {
		readonly time: string;
		readonly kind: string;
		readonly outcome: string;
		readonly sent: number;
	}

	async function lines(): Promise<Line[]> {
		const text = await readFile(file(), 'utf8');
		return text
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as Line);
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
				(await lines()).map((line) => [line.outcome, line.sent]),
				[[outcome, sent]],
			);
		});
	}

	test('notes a job once, however many windows do so one after another', async () => {
		const jobs = [ended({ state: 'discarded' }), ended({ state: 'cancelled', charge: 'charged' })];
		await ledger.add(jobs);
		await Promise.all([ledger.add(jobs), ledger.add(jobs)]);
		await new Ledger(storage).add(jobs);
		assert.equal((await lines()).length, 2);
		const { mode } = await stat(file());
		assert.equal(process.platform === 'win32' ? 0 : mode & 0o077, 0);
	});

	test('notes the calls of language models as calls of their kind', async () => {
		await ledger.addWords('made');
		await ledger.addWords('rejected');
		await ledger.addWords('notSent');
		assert.deepEqual(
			(await lines()).map(({ kind, outcome, sent }) => [kind, outcome, sent]),
			[
				['words', 'made', 1],
				['words', 'rejected', 1],
				['words', 'rejected', 0],
			],
		);
	});

	test('forgets what is older than five years once it is long, and nothing else', async () => {
		const year = 366 * 24 * hour;
		await ledger.add([ended({ state: 'discarded' }, Date.now() - 5 * year + hour, [undefined])]);
		const [line = ''] = (await readFile(file(), 'utf8')).trim().split('\n');
		const { time } = JSON.parse(line) as { time: string };
		const lineOf = (at: string) =>
			line.replace(/"request":"[^"]*"/, `"request":"${crypto.randomUUID()}"`).replace(time, at);
		const old = new Date(Date.now() - 5 * year - hour).toISOString();
		const write = (lines: string[]) => writeFile(file(), lines.map((one) => `\n${one}`).join(''));
		await write([...new Array<string>(9_999).fill(old), time].map(lineOf));
		await new Ledger(storage).add([]);
		assert.equal((await lines()).length, 10_000);
		await write([...new Array<string>(9_999).fill(old), time, time].map(lineOf));
		await new Ledger(storage).add([]);
		assert.deepEqual(
			(await lines()).map((one) => one.time),
			[time, time],
		);
	});
});
