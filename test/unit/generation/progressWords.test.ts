import assert from 'node:assert/strict';
import { inWords } from '../../../src/easelError.js';
import { ProgressWords } from '../../../src/generation/progressWords.js';
import type { JobState } from '../../../src/jobs/state.js';
import type { JobEvent } from '../../../src/jobs/workerProtocol.js';
import { factsOf } from '../../../src/jobs/failure.js';
import { ConnectionError, StatusError } from '../../../src/service/errors.js';
import type { RetryDecision } from '../../../src/service/retry.js';
import { resultOf } from '../jobs/results.js';

suite('generation › progress words', () => {
	const busy = new StatusError(inWords('busy'), { status: 429, charge: 'rejected' });
	let now = 0;
	const words = (durations: number[] = []) => {
		now = 0;
		return new ProgressWords(durations, () => now);
	};
	const attempt = (number: number, ageMs = 0): JobEvent => ({
		type: 'attempt',
		ageMs,
		attempt: number,
		endpoint: 'generations',
	});
	const failed = (
		error: StatusError | ConnectionError,
		next: RetryDecision,
		ageMs = 0,
	): JobEvent => ({
		type: 'failed',
		ageMs,
		attempt: 1,
		failure: factsOf(error, { elapsedMs: 61_000 }, true),
		next,
	});

	test('say when the image waits for its turn, and when it is arriving', () => {
		const progress = words();
		assert.equal(progress.words, 'Queued; the service gets a few requests at a time');
		progress.event(attempt(1));
		progress.event({ type: 'phase', ageMs: 0, phase: 'receiving' });
		now = 5000;
		assert.equal(progress.words, '0:05 · receiving the image');
	});

	test('say what the image is at, and are few for a small tile', () => {
		const progress = words();
		const now = () => [progress.stage, progress.short];
		assert.deepEqual(now(), ['queued', 'Queued']);
		progress.event(attempt(1, 72_000));
		assert.deepEqual(now(), ['making', '1:12']);
		progress.unknown();
		assert.deepEqual(now(), ['unknown', 'Checking…']);
		progress.event(failed(busy, { action: 'wait', waitMs: 3000, mayHaveBeenMade: false }));
		assert.deepEqual(now(), ['pausing', 'Waiting']);
		progress.event(failed(busy, { action: 'ask', waitMs: 0 }));
		assert.deepEqual(now(), ['asking', 'Needs your decision']);
	});

	test('warn that the image may have been made and charged', () => {
		const progress = words();
		progress.event(attempt(1));
		progress.event(
			failed(new ConnectionError('ECONNRESET', inWords('cut'), { charge: 'unknown' }), {
				action: 'wait',
				waitMs: 15_000,
				mayHaveBeenMade: true,
			}),
		);
		assert.equal(
			progress.words,
			'No answer after 1:01. You may already be charged. Retrying in 15 s (Cancel to stop).',
		);
	});

	test('go on from where the image is when a window comes later', () => {
		const progress = words();
		progress.event(attempt(1, 50_000));
		progress.event({ type: 'phase', ageMs: 49_000, phase: 'waiting' });
		assert.equal(progress.words, '0:50 · usually 2 to 3 minutes');
		now = 1000;
		assert.equal(progress.words, '0:51 · usually 2 to 3 minutes');
		assert.equal(progress.progress, 51_000 / 150_000);
	});

	test('count a wait down from when it began, not from when a window hears of it', () => {
		const progress = words();
		const next = { action: 'wait', waitMs: 15_000, mayHaveBeenMade: false } as const;
		progress.event(failed(busy, next, 9_000));
		assert.equal(progress.words, 'The service is busy (429). Retrying in 6 s.');
	});

	test('begin after a reload with what the journal says, until the worker reports', () => {
		const startedAt = '2026-01-01T10:00:00.000Z';
		const time = Date.parse(startedAt) + 72_000;
		const common = { changedAt: startedAt, attempts: [{ number: 2, startedAt }] };
		const resumed = (state: JobState) => {
			const progress = words();
			progress.resume(state, time);
			return progress;
		};
		const sending = { ...common, state: 'sending' } as const;
		assert.equal(resumed(sending).words, 'attempt 2 · 1:12 · usually 2 to 3 minutes');
		const sent = resumed({ ...common, state: 'waiting' });
		assert.equal(sent.words, 'attempt 2 · 1:12 · usually 2 to 3 minutes');
		now = 1000;
		assert.equal(sent.words, 'attempt 2 · 1:13 · usually 2 to 3 minutes');
		sent.event(attempt(2, 74_000));
		assert.equal(sent.words, 'attempt 2 · 1:14 · usually 2 to 3 minutes');
		const receiving = resumed({ ...common, state: 'receiving' });
		assert.equal(receiving.words, 'attempt 2 · 1:12 · receiving the image');
		assert.equal(
			resumed({ ...common, state: 'queued', attempts: [] }).words,
			'Queued; the service gets a few requests at a time',
		);
		assert.equal(resumed({ ...common, state: 'pausing' }).words, 'Needs your decision');
		const failure = factsOf(busy, { elapsedMs: 1000 }, false);
		const pause = { ...common, state: 'pausing', until: '2026-01-01T10:01:20.000Z' } as const;
		const attempts = [{ number: 1, startedAt, failure }];
		const pausing = resumed({ ...pause, attempts });
		assert.equal(pausing.words, 'The service is busy (429). Retrying in 8 s.');
		now = 9000;
		assert.match(pausing.words, /^The service is busy .* when another image is done\.$/);
		// Neither says anything of an attempt.
		for (const state of [pause, { ...pause, attempts: [] }, { ...sending, attempts: [] }]) {
			assert.equal(resumed(state).words, 'Queued; the service gets a few requests at a time');
		}
	});

	test('say that the image is here and is being saved, also after a reload', () => {
		const state: JobState = {
			...{ state: 'received', changedAt: '', attempts: [] },
			result: resultOf(),
		};
		const progress = words();
		progress.event(attempt(1));
		progress.event({ type: 'ended', ageMs: 0, state, isNoted: true });
		assert.equal(progress.words, 'saving…');
		assert.equal(progress.short, 'Saving…');
		assert.equal(progress.stage, 'saving');
		assert.equal(progress.progress, undefined);
		const unsaved = words();
		unsaved.event(attempt(1));
		const end: JobState = { state: 'discarded', attempts: [], changedAt: '' };
		unsaved.event({ type: 'ended', ageMs: 0, state: end, isNoted: true });
		assert.equal(unsaved.stage, 'making');
		const resumed = words();
		resumed.resume(state);
		assert.equal(resumed.words, 'saving…');
	});

	test('say when it takes longer than usual', () => {
		const unknown = words();
		unknown.event(attempt(1));
		now = 200_000;
		assert.equal(unknown.words, '3:20 · usually 2 to 3 minutes');
		now = 200_001;
		assert.equal(unknown.words, '3:20 · longer than usual (2 to 3 minutes)');
		const known = words([8_000, 9_000, 10_000]);
		known.event(attempt(1));
		now = 10_000;
		assert.equal(known.words, '0:10 · about 9 seconds');
		now = 12_000;
		assert.equal(known.words, '0:12 · longer than usual (about 9 seconds)');
	});

	test('say that the disk refuses the image, what to do, and when it takes it again', () => {
		const progress = words();
		progress.event(attempt(1));
		progress.event({ type: 'phase', ageMs: 0, phase: 'receiving' });
		now = 5000;
		progress.event({ type: 'stalled', ageMs: 0, code: 'ENOSPC' });
		assert.match(
			progress.words,
			/^0:05 · The image has arrived but the disk is full\. Free some space/,
		);
		progress.event({ type: 'stalled', ageMs: 0, code: 'EACCES' });
		assert.match(progress.words, /cannot be stored \(EACCES\)/);
		progress.event({ type: 'stalled', ageMs: 0 });
		assert.equal(progress.words, '0:05 · receiving the image');
	});

	test('say that the worker is unreachable, until its next event', () => {
		const progress = words();
		progress.unknown();
		assert.equal(
			progress.words,
			'Easel cannot reach the process that waits for this image. Checking again…',
		);
		assert.equal(progress.progress, undefined);
		progress.event(attempt(2, 3000));
		assert.equal(progress.words, 'attempt 2 · 0:03 · usually 2 to 3 minutes');
	});

	test('estimate the progress of an image, never that it is done', () => {
		const progress = words([100_000, 100_000, 100_000]);
		assert.equal(progress.progress, undefined, 'it is queued');
		progress.event(attempt(1));
		assert.equal(progress.progress, 0);
		now = 50_000;
		assert.equal(progress.progress, 0.5);
		now = 500_000;
		assert.equal(progress.progress, 0.95);
		progress.unknown();
		assert.equal(progress.progress, undefined);
		progress.event({ type: 'phase', ageMs: 0, phase: 'waiting' });
		assert.equal(progress.progress, 0.95);
		progress.event(failed(busy, { action: 'wait', waitMs: 3000, mayHaveBeenMade: false }));
		assert.equal(progress.progress, undefined);
		progress.event(attempt(2));
		assert.equal(progress.progress, 0);
		progress.event(failed(busy, { action: 'ask', waitMs: 0 }));
		assert.equal(progress.progress, undefined);
	});

	test('name what an attempt failed of while the next one is waited for', () => {
		for (const [error, expected] of [
			[busy, 'The service is busy (429)'],
			[
				new StatusError(inWords('bad'), { status: 503, charge: 'unknown' }),
				'The service failed (503)',
			],
			[
				new ConnectionError('EPIPE', inWords('no'), { charge: 'notSent' }),
				'No connection to the service',
			],
		] as const) {
			const progress = words();
			progress.event(attempt(1));
			progress.event(failed(error, { action: 'wait', waitMs: 3000, mayHaveBeenMade: false }));
			assert.equal(progress.words, `${expected}. Retrying in 3 s.`);
			now = 2999;
			assert.equal(progress.words, `${expected}. Retrying in 1 s.`);
			now = 3000;
			const over = error.status === 429 ? 'when another image is done' : 'in 0 s';
			assert.equal(progress.words, `${expected}. Retrying ${over}.`);
		}
	});
});
