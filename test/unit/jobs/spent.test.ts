import assert from 'node:assert/strict';
import { sumUpJobs } from '../../../src/jobs/spent.js';
import { failureOfAll, type Attempt, type JobState } from '../../../src/jobs/state.js';
import type { Charge } from '../../../src/service/errors.js';
import { resultOf } from './results.js';
import { failureOf, referenceOf, requestOf } from './support.js';

const changedAt = '2026-01-01T00:00:00.000Z';
const euro = { currency: 'EUR', prices: { image: 4, high: 17 } };

/** One that has answered with success has no failure where it brought the image, or was cut off. */
type Tried = Charge | 'answered' | 'under way';

const attemptsOf = (tried: readonly Tried[]): Attempt[] =>
	tried.map((one, index) => ({
		...{ number: index + 1, startedAt: changedAt },
		...(one === 'answered'
			? { status: 200 }
			: one === 'under way'
				? {}
				: { failure: failureOf({ charge: one }) }),
	}));

function ended(end: 'saved' | 'failed' | 'cancelled' | 'interrupted', tried: readonly Tried[]) {
	const attempts = attemptsOf(tried);
	const common = { attempts, changedAt };
	const charges = attempts.map(({ failure, status }) =>
		status === 200 ? 'charged' : (failure?.charge ?? 'unknown'),
	);
	const order: readonly Charge[] = ['charged', 'unknown', 'rejected', 'notSent'];
	const charge = order.find((one) => charges.includes(one)) ?? 'unknown';
	const state: JobState =
		end === 'saved'
			? { ...common, state: end, result: resultOf(), target: 'file:///a.png' }
			: end === 'failed'
				? { ...common, state: end, failure: failureOfAll(attempts.at(-1)!.failure!, attempts) }
				: { ...common, state: end, charge };
	return { folder: '/jobs/1', request: requestOf(), state };
}

suite('jobs › what was spent', () => {
	const cases: readonly (readonly [
		end: Parameters<typeof ended>[0],
		tried: readonly Tried[],
		made: number,
		charged: number,
		unknown: number,
		money: readonly [number, number] | undefined,
	])[] = [
		['saved', ['answered'], 1, 0, 0, [4, 4]],
		['saved', ['under way'], 1, 0, 0, [4, 4]],
		['saved', ['unknown', 'unknown', 'answered'], 1, 0, 2, [4, 12]],
		['saved', ['charged', 'answered'], 1, 1, 0, [8, 8]],
		// An image that was found after its attempt had failed.
		['saved', ['charged'], 1, 0, 0, [4, 4]],
		['saved', ['unknown'], 1, 0, 0, [4, 4]],
		['failed', ['rejected'], 0, 0, 0, undefined],
		['failed', ['notSent'], 0, 0, 0, undefined],
		['failed', ['unknown'], 0, 0, 1, [0, 4]],
		['failed', ['charged', 'unknown', 'rejected'], 0, 1, 1, [4, 8]],
		['cancelled', ['unknown', 'notSent'], 0, 0, 1, [0, 4]],
		['interrupted', ['unknown', 'under way'], 0, 0, 2, [0, 8]],
		['interrupted', ['unknown', 'answered'], 0, 1, 1, [4, 8]],
		['interrupted', [], 0, 0, 1, [0, 4]],
	];
	for (const [end, tried, made, charged, unknown, money] of cases) {
		test(`${end} after ${tried.join(', ') || 'attempts that are not known'}: ${String(made)} made, ${String(charged)} charged without, ${String(unknown)} perhaps`, () => {
			const sum = sumUpJobs([ended(end, tried)], euro);
			const { from, to } = sum.money ?? {};
			assert.deepEqual(
				[sum.made, sum.charged, sum.unknown, sum.money && [from, to]],
				[made, charged, unknown, money],
			);
		});
	}

	test('has the sum of several, and the price of what was sent of each', () => {
		const [edit, high] = [ended('saved', ['answered']), ended('saved', ['answered'])];
		const jobs = [
			{ ...edit, request: requestOf({ references: [referenceOf(1)] }) },
			{ ...high, request: requestOf({ quality: 'high' }) },
			ended('failed', ['charged', 'unknown', 'unknown']),
		];
		assert.deepEqual(sumUpJobs(jobs, euro), {
			...{ made: 2, charged: 1, unknown: 2, money: { from: 4 + 17 + 4, to: 4 + 17 + 12 } },
		});
	});

	test('has no money where there are no prices, or one that may have cost something has none', () => {
		const jobs = [ended('saved', ['answered']), ended('failed', ['rejected'])];
		assert.equal(sumUpJobs(jobs, undefined).money, undefined);
		const ofHigh = { currency: 'EUR', prices: { high: 17 } };
		assert.equal(sumUpJobs(jobs, ofHigh).money, undefined);
		const [saved, refused] = jobs;
		const priced = { ...saved!, request: requestOf({ quality: 'high' }) };
		assert.deepEqual(sumUpJobs([priced, refused!], ofHigh).money, { from: 17, to: 17 });
		const free = { currency: 'EUR', prices: { image: 0 } };
		assert.deepEqual(sumUpJobs(jobs, free).money, { from: 0, to: 0 });
	});
});
