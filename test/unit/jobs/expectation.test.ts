import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
	expectation,
	longestUsual,
	minutesAndSeconds,
	readableDuration,
	typicalDuration,
} from '../../../src/jobs/expectation.js';

suite('jobs › expectation', () => {
	test('is that of the specification until three images are known', () => {
		for (const durations of [[], [5_000], [5_000, 6_000]]) {
			assert.equal(expectation(durations), 'usually 2 to 3 minutes');
			assert.equal(typicalDuration(durations), 150_000);
			assert.equal(longestUsual(durations), 200_000);
		}
	});

	test('is the median of what is known, however it is ordered', () => {
		assert.equal(expectation([40_000, 100_000, 20_000]), 'usually about 40 s');
		assert.equal(typicalDuration([100_000, 9_000, 20_000, 30_000]), 30_000);
		assert.equal(expectation([95_000, 95_000, 95_000]), 'usually about 1:35 min');
	});

	test('is exceeded by what takes longer than all that is known, and than the median by a fifth', () => {
		assert.equal(longestUsual([10_000, 20_000, 90_000]), 90_000);
		assert.equal(longestUsual([100_000, 100_000, 100_000]), 120_000);
	});

	test('is told in seconds below a minute and a half, then in minutes', () => {
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
