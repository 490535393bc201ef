import assert from 'node:assert/strict';
import {
	byCause,
	concernsAll,
	mayHaveBeenMade,
	type FailedJob,
} from '../../../src/generation/failures.js';
import type { FailureFacts } from '../../../src/jobs/failure.js';
import type { StateNamed } from '../../../src/jobs/state.js';
import { requestOf } from '../jobs/support.js';

const changedAt = '2026-01-01T00:00:00.000Z';

const base: FailureFacts = {
	kind: 'status',
	status: 400,
	message: 'bad prompt',
	charge: 'rejected',
	repeatable: false,
	elapsedMs: 0,
	unknownOutcome: false,
};

function failed(change: Partial<FailureFacts> = {}, prompt = 'a harbor'): FailedJob {
	const state: StateNamed<'failed'> = {
		state: 'failed',
		failure: { ...base, ...change },
		attempts: [],
		changedAt,
	};
	return { entry: { folder: '/jobs/x', request: requestOf({ prompt }), state }, state };
}

function interrupted(change: Partial<StateNamed<'interrupted'>> = {}): FailedJob {
	const state: StateNamed<'interrupted'> = {
		state: 'interrupted',
		charge: 'unknown',
		attempts: [],
		changedAt,
		...change,
	};
	return { entry: { folder: '/jobs/x', request: requestOf(), state }, state };
}

suite('generation › failures', () => {
	test('of one cause are shown once, whatever they have cost in time or money', () => {
		const third = failed({ status: 500 });
		const alike = [failed(), failed({ elapsedMs: 5 }), failed({ charge: 'notSent' })];
		assert.deepEqual(byCause([...alike, third]), [alike, [third]]);
	});

	test('by interruption stand each for itself', () => {
		assert.equal(byCause([interrupted(), interrupted()]).length, 2);
	});

	test('may have been made where an outcome is not known, whatever their next step is', () => {
		for (const [job, expected] of [
			[failed(), false],
			[failed({ status: 402, charge: 'unknown' }), false],
			[failed({ status: 402, charge: 'unknown', unknownOutcome: true }), true],
			[interrupted(), true],
			[interrupted({ charge: 'charged' }), true],
			[interrupted({ charge: 'rejected' }), false],
			[interrupted({ charge: 'notSent' }), false],
		] satisfies [FailedJob, boolean][]) {
			assert.equal(mayHaveBeenMade(job), expected);
		}
	});

	test('of the key or for want of quota concern all that wait, others do not', () => {
		for (const change of [{ status: 401 }, { status: 402 }]) {
			assert.equal(concernsAll({ ...base, ...change }), true);
		}
		for (const field of ['key', 'address']) {
			assert.equal(concernsAll({ ...base, status: undefined, field }), true);
		}
		for (const change of [{}, { status: 429 }, { status: 500 }, { field: 'prompt' }]) {
			assert.equal(concernsAll({ ...base, ...change }), false);
		}
	});
});
