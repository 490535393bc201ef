import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isResponsive } from '../../src/jobs/unresponsiveWindow.js';
import { bundle } from './support.js';

suite('jobs › a window that may not be seen', () => {
	const never = () => new Promise<never>(() => undefined);
	const { signal } = new AbortController();

	test('is not seen where it does not answer in time', async () => {
		const since = performance.now();
		assert.equal(await isResponsive({ ping: never, timeoutMs: 90 }, signal), false);
		const tookMs = performance.now() - since;
		assert.ok(tookMs >= 85, `${String(tookMs)} ms`);
	});

	for (const [what, ping] of [
		['rejects', () => Promise.reject(new Error('Canceled'))],
		['is slow', () => new Promise((resolve) => setTimeout(resolve, 100))],
		[
			'slept while it was asked',
			() => {
				// The whole machine stands still for longer than an answer may take.
				const since = performance.now();
				while (performance.now() - since < 400);
				return new Promise((resolve) => setTimeout(resolve, 20));
			},
		],
	] as const) {
		test(`is seen where it ${what}`, async () => {
			assert.equal(await isResponsive({ ping, timeoutMs: 300 }, signal), true);
		});
	}

	test('is not waited for any more once it closes', async () => {
		const closing = new AbortController();
		const silent = isResponsive({ ping: never }, closing.signal);
		closing.abort();
		assert.equal(await silent, true);
	});

	test('is waited for by no process that has nothing else to do', async () => {
		const aDayMs = 24 * 60 * 60 * 1000;
		const waiter = await bundle(`import { isResponsive } from './src/jobs/unresponsiveWindow.ts';
			const { signal } = new AbortController();
			const silent = () => new Promise(() => undefined);
			void isResponsive({ ping: silent, timeoutMs: ${String(aDayMs)} }, signal);
			setTimeout(() => console.log('waits'), 300);`);
		const { stdout } = await promisify(execFile)(process.execPath, [waiter], { timeout: 20_000 });
		assert.equal(stdout, 'waits\n');
	});
});
