import assert from 'node:assert/strict';
import { retryTransient } from '../../../src/files/retryTransient.js';

const refusal = (code: string) => Object.assign(new Error(code), { code });

suite('files › retryTransient', () => {
	test('does a step again that was refused for a moment', async () => {
		let tries = 0;
		const refused: unknown[] = [];
		const result = await retryTransient(
			() => ((tries += 1) < 4 ? Promise.reject(refusal('EBUSY')) : Promise.resolve('done')),
			{ onStall: (code) => refused.push(code) },
		);
		assert.equal(result, 'done');
		assert.deepEqual(refused, ['EBUSY', undefined]);
	});

	// Which refusals these are is tested in `fsErrors.test.ts`.
	test('takes an answer for an answer', async () => {
		for (const error of [refusal('ENOENT'), new Error('a mistake of ours')]) {
			let tries = 0;
			await assert.rejects(
				retryTransient(() => {
					tries += 1;
					return Promise.reject(error);
				}),
				error,
			);
			assert.equal(tries, 1, error.message);
		}
	});

	test('gives up when the time is over, with the last refusal', async () => {
		let tries = 0;
		const startedAt = performance.now();
		await assert.rejects(
			retryTransient(() => Promise.reject(refusal(`E${String((tries += 1))}`)), { maxMs: 100 }),
			() => true,
		);
		const elapsed = performance.now() - startedAt;
		assert.ok(elapsed >= 95 && elapsed < 2000, String(elapsed));
		assert.ok(tries >= 4 && tries < 12, String(tries));
	});

	test('is ended at once by its signal', async () => {
		const controller = new AbortController();
		const step = retryTransient(() => Promise.reject(refusal('EBUSY')), {
			maxMs: 60_000,
			signal: controller.signal,
		});
		controller.abort();
		await assert.rejects(step, { name: 'AbortError' });
	});
});
