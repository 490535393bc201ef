import assert from 'node:assert/strict';
import type { FailureFacts } from '../../../src/jobs/failure.js';
import { chargeOf, failureOfAll, type JobState } from '../../../src/jobs/state.js';
import { failureOf } from './support.js';

const changedAt = '2026-01-01T00:00:00.000Z';

/** Attempts that failed with this meaning for the money; `undefined` is one that goes on. */
function attemptsOf(
	charges: readonly (FailureFacts['charge'] | undefined)[],
): JobState['attempts'] {
	return charges.map((charge, index) => {
		const failure = charge && failureOf({ charge, repeatable: true });
		return { number: index + 1, startedAt: changedAt, ...(failure && { failure }) };
	});
}

suite('jobs › what an end means for the money', () => {
	const cases = [
		{ failed: [], paused: 'unknown', underWay: 'unknown' },
		{ failed: ['notSent'], paused: 'notSent', underWay: 'unknown' },
		{ failed: ['notSent', 'rejected'], paused: 'rejected', underWay: 'unknown' },
		{ failed: ['rejected', 'notSent'], paused: 'rejected', underWay: 'unknown' },
		{ failed: ['unknown', 'rejected'], paused: 'unknown', underWay: 'unknown' },
		{ failed: ['charged', 'rejected'], paused: 'charged', underWay: 'charged' },
		{ failed: ['charged', 'unknown'], paused: 'charged', underWay: 'charged' },
	] as const;

	for (const { failed, paused, underWay } of cases) {
		const before = failed.length === 0 ? 'nothing is known of' : failed.join(', then ');
		test(`${before}: ${paused} between two attempts, ${underWay} in the next`, () => {
			const attempts = attemptsOf(failed);
			assert.equal(chargeOf({ state: 'pausing', attempts, changedAt }), paused);
			for (const state of ['sending', 'waiting'] as const) {
				const next = attemptsOf([...failed, undefined]);
				assert.equal(chargeOf({ state, attempts: next, changedAt }), underWay, state);
			}
			assert.equal(chargeOf({ state: 'receiving', attempts, changedAt }), 'charged');
			assert.equal(chargeOf({ state: 'queued', attempts: [], changedAt }), 'notSent');
		});
	}

	const ends = [
		{ failed: ['notSent'], charge: 'notSent', earlier: undefined },
		{ failed: ['rejected', 'notSent'], charge: 'rejected', earlier: true },
		{ failed: ['unknown', 'notSent', 'notSent'], charge: 'unknown', earlier: true },
		{ failed: ['charged', 'notSent'], charge: 'charged', earlier: true },
		{ failed: ['notSent', 'unknown'], charge: 'unknown', earlier: undefined },
		{ failed: ['unknown', 'unknown'], charge: 'unknown', earlier: undefined },
		{ failed: ['unknown', 'charged'], charge: 'charged', earlier: undefined },
	] as const;
	for (const { failed, charge, earlier } of ends) {
		test(`${failed.join(', then ')}, and no other attempt: ${charge}`, () => {
			const attempts = attemptsOf(failed);
			const last = attempts.at(-1)?.failure;
			assert.ok(last);
			const message = 'The last one.';
			const all = failureOfAll({ ...last, message }, attempts);
			assert.deepEqual([all.charge, all.earlier, all.message], [charge, earlier, message]);
			assert.equal(all.unknownOutcome, false);
		});
	}

	test('one attempt whose outcome is not known makes that of all unknown', () => {
		const attempts = attemptsOf(['unknown', 'notSent']);
		const [first, last] = attempts.map(({ failure }) => failure);
		assert.ok(first && last);
		first.unknownOutcome = true;
		assert.equal(failureOfAll(last, attempts).unknownOutcome, true);
		// An attempt that could not be noted, and so was not sent, has no failure of its own.
		const next = { number: 3, startedAt: changedAt };
		assert.equal(failureOfAll(last, [...attempts, next]).charge, 'unknown');
		assert.equal(failureOfAll(last, [next]).charge, 'notSent');
	});

	test('how often the service may have charged counts all attempts, and is said of several only', () => {
		for (const [charges, sentTimes, chargedTimes] of [
			[['unknown'], undefined, undefined],
			[['unknown', 'rejected', 'notSent'], undefined, undefined],
			[['unknown', 'unknown', 'rejected'], 2, 0],
			[['charged', 'unknown'], 2, 1],
			[['charged', 'charged'], 2, 2],
		] as const) {
			const attempts = attemptsOf(charges);
			const all = failureOfAll(attempts.at(-1)!.failure!, attempts);
			assert.deepEqual([all.sentTimes, all.chargedTimes], [sentTimes, chargedTimes]);
		}
	});
});
