import assert from 'node:assert/strict';
import { ProgressWords } from '../../../src/jobs/progressWords.js';
import type { JobEvent } from '../../../src/jobs/conversation.js';
import { factsOf } from '../../../src/jobs/failure.js';
import { ConnectionError, StatusError } from '../../../src/service/errors.js';
import type { RetryDecision } from '../../../src/service/retry.js';

suite('jobs › progress words', () => {
	let now = 0;
	const words = (durations: number[] = []) => {
		now = 0;
		return new ProgressWords(durations, () => now);
	};
	const attempt = (number: number): JobEvent => ({
		type: 'attempt',
		attempt: number,
		endpoint: 'generations',
	});
	const failed = (error: StatusError | ConnectionError, next: RetryDecision): JobEvent => ({
		type: 'failed',
		attempt: 1,
		failure: factsOf(error, { elapsedMs: 61_000 }, true),
		next,
	});

	test('tell the elapsed time and what is usual', () => {
		const progress = words();
		progress.event(attempt(1));
		now = 12_345;
		assert.equal(progress.now(), '0:12 · usually 2 to 3 minutes');
		now = 754_000;
		assert.equal(progress.now(), '12:34 · usually 2 to 3 minutes');
	});

	test('tell what was learned of this size', () => {
		const progress = words([100_000, 131_000, 120_000]);
		progress.event(attempt(1));
		assert.equal(progress.now(), '0:00 · usually about 2:00 min');
	});

	test('say when the image waits for a free place, and when it is arriving', () => {
		const progress = words();
		assert.equal(progress.now(), 'waiting for a free place');
		progress.event(attempt(1));
		progress.event({ type: 'phase', phase: 'receiving' });
		now = 5000;
		assert.equal(progress.now(), '0:05 · receiving the image');
	});

	test('count the wait down and number the next attempt', () => {
		const progress = words();
		progress.event(attempt(1));
		progress.event(
			failed(new StatusError('busy', { status: 429, charge: 'rejected' }), {
				action: 'wait',
				waitMs: 3000,
				mayHaveBeenMade: false,
			}),
		);
		assert.equal(progress.now(), 'the service is busy (429); next attempt in 3 s');
		now = 1500;
		assert.equal(progress.now(), 'the service is busy (429); next attempt in 2 s');
		now = 4000;
		progress.event(attempt(2));
		now = 7000;
		assert.equal(progress.now(), 'attempt 2 · 0:03 · usually 2 to 3 minutes');
	});

	test('warn that the image may have been made and charged', () => {
		const progress = words();
		progress.event(attempt(1));
		progress.event(
			failed(new ConnectionError('ECONNRESET', 'cut', { charge: 'ambiguous' }), {
				action: 'wait',
				waitMs: 15_000,
				mayHaveBeenMade: true,
			}),
		);
		assert.equal(
			progress.now(),
			'no answer after 1:01; the image may have been made and charged. Cancel to stop; sending again in 15 s',
		);
	});

	test('say that a decision is waited for', () => {
		const progress = words();
		progress.event(attempt(1));
		progress.event(
			failed(new StatusError('late', { status: 504, charge: 'ambiguous' }), {
				action: 'ask',
				waitMs: 15_000,
			}),
		);
		assert.equal(progress.now(), 'waiting for your decision');
	});
});
