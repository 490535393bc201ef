import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
	expectation,
	maxUsualDuration,
	minutesAndSeconds,
	readableDuration,
	timeTogether,
	typicalDuration,
} from '../../../src/editor/expectation.js';

suite('editor › expectation', () => {
	test('is that of the specification until three images are known', () => {
		for (const durations of [[], [5_000], [5_000, 6_000]]) {
			assert.equal(expectation(durations), 'usually 2 to 3 minutes');
			assert.equal(typicalDuration(durations), 150_000);
			assert.equal(maxUsualDuration(durations), 200_000);
		}
	});

	test('is the median of what is known, however it is ordered', () => {
		assert.equal(expectation([40_000, 100_000, 20_000]), 'about 40 seconds');
		assert.equal(typicalDuration([100_000, 9_000, 20_000, 30_000]), 30_000);
		assert.equal(expectation([95_000, 95_000, 95_000]), 'about 2 minutes');
	});

	const long = [300_000, 300_000, 300_000];
	const minute = [60_000, 60_000, 60_000];
	for (const [what, images, atOnce, words] of [
		['one alone', [[]], 2, '2 to 3 minutes'],
		['as many as are made at once', [[], []], 2, '2 to 3 minutes'],
		['as many rounds as it takes', Array(7).fill([]), 2, '8 to 12 minutes'],
		['one round where that is enough', Array(7).fill([]), 16, '2 to 3 minutes'],
		['seconds', Array(7).fill([9_000, 9_000, 9_000]), 2, 'about 36 seconds'],
		['a thousand rounds', Array(1000).fill([]), 1, '2,000 to 3,000 minutes'],
		['a long one beside short ones', [long, minute, minute, minute], 2, 'about 5 minutes'],
		['a long one behind short ones', [minute, minute, long], 2, 'about 6 minutes'],
		['a known one and one between its limits', [minute, []], 1, '3 to 4 minutes'],
		['a known one that is the last', [[600_000, 600_000, 600_000], []], 2, 'about 10 minutes'],
		['a known one, hardly changed', [[165_000, 165_000, 165_000], []], 2, 'about 3 minutes'],
	] as const) {
		test(`of several images is that of ${what}`, () => {
			assert.equal(timeTogether(images, atOnce), words);
		});
	}

	test('is exceeded by what takes longer than all that is known, and than the median by a fifth', () => {
		assert.equal(maxUsualDuration([10_000, 20_000, 90_000]), 90_000);
		assert.equal(maxUsualDuration([100_000, 100_000, 100_000]), 120_000);
	});

	test('is shown in seconds below a minute and a half, then in minutes', () => {
		for (const [ms, words] of [
			[0, '1 s'],
			[1_499, '1 s'],
			[1_500, '2 s'],
			[89_400, '89 s'],
			[89_600, '1:29 min'],
			[125_000, '2:05 min'],
		] as const) {
			assert.equal(readableDuration(ms), words);
		}
	});

	test('of a stopwatch never goes back or below zero', () => {
		for (const [ms, words] of [
			[-5, '0:00'],
			[999, '0:00'],
			[7_000, '0:07'],
			[59_999, '0:59'],
			[60_000, '1:00'],
			[750_000, '12:30'],
		] as const) {
			assert.equal(minutesAndSeconds(ms), words);
		}
		fc.assert(
			fc.property(fc.nat(36_000), (seconds) => {
				const [minutes, rest] = minutesAndSeconds(seconds * 1000)
					.split(':')
					.map(Number);
				assert.equal((minutes ?? 0) * 60 + (rest ?? 0), seconds);
			}),
		);
	});
});
