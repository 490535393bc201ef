import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { untilUnseen } from '../../src/jobs/unseenWindow.js';
import { until } from '../host/until';
import { bundle } from './support.js';

suite('jobs › a window that nobody sees', () => {
	const never = () => new Promise<never>(() => undefined);
	const soon = () => Promise.resolve();

	test('is one that does not answer in time', async () => {
		const since = performance.now();
		const { signal } = new AbortController();
		assert.equal(await untilUnseen({ answers: never, longestAnswerMs: 90 }, signal), true);
		const tookMs = performance.now() - since;
		assert.ok(tookMs >= 85, `${String(tookMs)} ms`);
	});

	test('is none that refuses, or is slow, or slept while it was asked', async () => {
		const ending = new AbortController();
		const answers = [
			() => Promise.reject(new Error('Canceled')),
			() => new Promise((resolve) => setTimeout(resolve, 100)),
			// The whole machine stands still for longer than an answer may take.
			() => {
				const since = performance.now();
				while (performance.now() - since < 400);
				return new Promise((resolve) => setTimeout(resolve, 20));
			},
		];
		let asked = 0;
		const waiting = untilUnseen(
			{
				answers: () => {
					const answer = answers[asked % answers.length]!;
					asked += 1;
					return answer();
				},
				longestAnswerMs: 300,
				askEveryMs: 1,
			},
			ending.signal,
		);
		await until(() => asked > 6, 'each to be asked twice');
		ending.abort();
		assert.equal(await waiting, false);
	});

	test('is not waited for any more once nobody wants to know', async () => {
		const aborted = AbortSignal.abort();
		let asked = 0;
		const answers = () => {
			asked += 1;
			return never();
		};
		assert.equal(await untilUnseen({ answers }, aborted), false);
		assert.equal(asked, 0);
		const ending = new AbortController();
		const [silent, seen] = [
			untilUnseen({ answers }, ending.signal),
			untilUnseen({ answers: () => Promise.resolve(asked) }, ending.signal),
		];
		ending.abort();
		assert.deepEqual(await Promise.all([silent, seen]), [false, false]);
	});

	test('is waited for by no process that has nothing else to do', async () => {
		const aDayMs = 24 * 60 * 60 * 1000;
		const waiter = await bundle(`import { untilUnseen } from './src/jobs/unseenWindow.ts';
			const { signal } = new AbortController();
			const silent = () => new Promise(() => undefined);
			void untilUnseen({ answers: silent, longestAnswerMs: ${String(aDayMs)} }, signal);
			const seen = () => Promise.resolve();
			void untilUnseen({ answers: seen, longestAnswerMs: 3, askEveryMs: ${String(aDayMs)} }, signal);
			// Until then the second one waits to ask again.
			setTimeout(() => console.log('waits'), 300);`);
		// The same here: which lines a test reaches is counted in its own process alone.
		const ending = new AbortController();
		const here = Promise.all([
			untilUnseen({ answers: never, longestAnswerMs: aDayMs }, ending.signal),
			untilUnseen({ answers: soon, longestAnswerMs: 3, askEveryMs: aDayMs }, ending.signal),
		]);
		const { stdout } = await promisify(execFile)(process.execPath, [waiter], { timeout: 20_000 });
		assert.equal(stdout, 'waits\n');
		ending.abort();
		assert.deepEqual(await here, [false, false]);
	});
});
