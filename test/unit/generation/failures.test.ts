import assert from 'node:assert/strict';
import {
	byCause,
	concernsAll,
	mayHaveBeenMade,
	type FailedJob,
} from '../../../src/generation/failures.js';
import { failureOf } from '../jobs/support.js';
import { failed, interrupted } from './failedJobs.js';

suite('generation › failures', () => {
	test('of one cause are shown once, whatever they have cost in time or money', () => {
		const third = failed({ status: 400 });
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
			[interrupted('charged'), true],
			[interrupted('rejected'), false],
			[interrupted('notSent'), false],
		] satisfies [FailedJob, boolean][]) {
			assert.equal(mayHaveBeenMade(job), expected);
		}
	});

	test('of the key or for want of quota concern all that wait, others do not', () => {
		for (const change of [{ status: 401 }, { status: 402 }]) {
			assert.equal(concernsAll(failureOf(change)), true);
		}
		for (const field of ['key', 'address']) {
			assert.equal(concernsAll(failureOf({ field })), true);
		}
		for (const change of [{}, { status: 429 }, { status: 500 }, { field: 'prompt' }]) {
			assert.equal(concernsAll(failureOf(change)), false);
		}
	});
});
