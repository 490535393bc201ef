import assert from 'node:assert/strict';
import { logTo } from '../../../src/log.js';
import { logEnd, logEvent } from '../../../src/generation/jobLog.js';
import type { JobState } from '../../../src/jobs/state.js';
import type { JobEvent } from '../../../src/jobs/workerProtocol.js';
import { resultOf } from '../jobs/results.js';
import { failureOf, referenceOf, requestOf } from '../jobs/support.js';

const id = '6f2c0ecf-0b5c-4a86-a3a6-9e3e3b8d6a51';
const plain = requestOf({ id, prompt: 'a harbor' });
const failure = failureOf({
	...{ message: 'bad gateway', charge: 'unknown', repeatable: true, status: 502 },
	...{ requestId: 'req-1', elapsedMs: 125_000, unknownOutcome: true },
});
const common = { attempts: [], changedAt: '2026-01-01T00:00:00.000Z' };
const reference = referenceOf(1);

/** Returns the log entries, each with its level. */
function logged(write: () => void): string[] {
	const lines: string[] = [];
	const take = (level: string) => (text: string) => {
		lines.push(`${level}: ${text}`);
	};
	const stop = logTo({ info: take('info'), warn: take('warn'), error: take('error') });
	write();
	stop();
	return lines;
}

const ofEvent = (event: JobEvent, request = plain) =>
	logged(() => {
		logEvent(request, event);
	});
const ofEnd = (state: JobState) =>
	logged(() => {
		logEnd(plain, state);
	});

suite('generation › jobLog', () => {
	const attempt: JobEvent = { type: 'attempt', ageMs: 0, attempt: 2, endpoint: 'generations' };

	test('an attempt is logged with all that it asks for but its prompt', () => {
		assert.deepEqual(ofEvent(attempt), [
			`info: ${id} attempt 2: POST /v1/images/generations, std-image-2, 1024x1024, quality unset, prompt of 8 characters.`,
		]);
		const request = { ...plain, quality: 'high' as const, references: [reference, reference] };
		assert.deepEqual(ofEvent({ ...attempt, endpoint: 'edits' }, request), [
			`info: ${id} attempt 2: POST /v1/images/edits, std-image-2, 1024x1024, quality high, 2 references, prompt of 8 characters.`,
		]);
		assert.match(ofEvent(attempt, { ...plain, references: [reference] })[0]!, /, 1 references, /);
		const style = { path: '.easel/style.md', sha256: '', references: [] };
		const styled = { ...plain, style, effectivePrompt: 'a harbor, flat' };
		assert.match(ofEvent(attempt, styled)[0]!, /, prompt of 14 characters with the style guide\.$/);
	});

	test('a failure is logged with what the service needs to find it, and what comes next', () => {
		const failed = { type: 'failed', ageMs: 0, attempt: 1, failure } as const;
		const next = [
			[{ action: 'stop' }, 'not repeated'],
			[{ action: 'ask', waitMs: 1 }, 'you are asked'],
			[{ action: 'wait', waitMs: 1, mayHaveBeenMade: false }, 'repeated after a wait'],
		] as const;
		for (const [decision, words] of next) {
			assert.deepEqual(ofEvent({ ...failed, next: decision }), [
				`warn: ${id} attempt 1 failed after 2:05 min with 502 (unknown; ${words}), request id req-1: bad gateway`,
			]);
		}
		const unknown = { ...failure, status: undefined, requestId: undefined };
		assert.deepEqual(ofEvent({ ...failed, failure: unknown, next: { action: 'stop' } }), [
			`warn: ${id} attempt 1 failed after 2:05 min (unknown; not repeated): bad gateway`,
		]);
	});

	test('a disk that refuses the image is logged, and one that takes it again', () => {
		assert.deepEqual(ofEvent({ type: 'stalled', ageMs: 0, code: 'ENOSPC' }), [
			`warn: ${id}: the disk refuses the image (ENOSPC); it is tried again.`,
		]);
		assert.deepEqual(ofEvent({ type: 'stalled', ageMs: 0 }), [
			`warn: ${id}: the disk takes the image again.`,
		]);
	});

	test('each end is logged with its reason', () => {
		const result = resultOf({ height: 512, bytes: 2_000_000, elapsedMs: 60_000 });
		const received = `info: ${id} received: 2000000 bytes, 1024 x 512 png, 60 s`;
		assert.deepEqual(ofEnd({ ...common, state: 'received', result }), [`${received}.`]);
		assert.deepEqual(
			ofEnd({ ...common, state: 'received', result: { ...result, requestId: 'req-1' } }),
			[`${received}, request id req-1.`],
		);
		const interrupted = { ...common, state: 'interrupted', charge: 'unknown' } as const;
		assert.deepEqual(ofEnd({ ...interrupted, reason: 'out of memory' }), [
			`error: ${id} was interrupted (unknown): out of memory`,
		]);
		assert.deepEqual(ofEnd(interrupted), [`error: ${id} was interrupted (unknown): `]);
		assert.deepEqual(ofEnd({ ...common, state: 'failed', failure }), [
			`error: ${id} failed: bad gateway`,
		]);
	});
});
