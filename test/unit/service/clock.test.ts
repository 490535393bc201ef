import assert from 'node:assert/strict';
import { systemClock } from '../../../src/service/clock.js';

suite('service › clock', () => {
	test('sleeps for as many milliseconds as it is asked to, as it counts them', async () => {
		const startedAt = systemClock.now();
		await systemClock.sleep(30);
		const elapsed = systemClock.now() - startedAt;
		assert.ok(elapsed >= 29 && elapsed < 5000, String(elapsed));
	});

	test('wakes at once with the reason of the signal, aborted before or meanwhile', async () => {
		const reason = new Error('enough');
		await assert.rejects(systemClock.sleep(60_000, AbortSignal.abort(reason)), reason);
		const controller = new AbortController();
		const sleeping = systemClock.sleep(60_000, controller.signal);
		controller.abort(reason);
		await assert.rejects(sleeping, reason);
	});

	test('does not sleep for what is no duration, and says so', async () => {
		const noDuration = '5 s' as unknown as number;
		const { signal } = new AbortController();
		await assert.rejects(systemClock.sleep(noDuration), { code: 'ERR_INVALID_ARG_TYPE' });
		await assert.rejects(systemClock.sleep(noDuration, signal), { code: 'ERR_INVALID_ARG_TYPE' });
	});
});
