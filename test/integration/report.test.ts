import assert from 'node:assert/strict';
import type { FailedJob } from '../../src/generation/failures.js';
import { maySendAgain, reportBatch, reportFailure } from '../../src/generation/report.js';
import type { FailureFacts } from '../../src/jobs/failure.js';
import { referenceOf, requestOf } from '../unit/jobs/support.js';
import { ShownMessages } from './shownMessages.js';

/** Refused for its size, where an attempt before may have been paid for. */
const tooLarge: FailureFacts = {
	kind: 'status',
	status: 413,
	message: 'Too large',
	charge: 'unknown',
	earlier: true,
	repeatable: false,
	elapsedMs: 1000,
	unknownOutcome: true,
};
/** Refused for its size, and nothing was paid for. */
const cheap: FailureFacts = { ...tooLarge, charge: 'rejected', unknownOutcome: false };
const request = requestOf({ references: [referenceOf(12 * 1024 * 1024)] });
const warning = 'Retry (May Be Charged Twice)';

suite('Retries that may be charged twice', () => {
	let shown: ShownMessages;
	let answer: string | undefined;

	setup(() => {
		shown = new ShownMessages(['showErrorMessage', 'showWarningMessage'], ({ modal, buttons }) =>
			modal ? answer : buttons[0],
		);
	});

	function questions(): string[] {
		return shown.all
			.filter(({ modal }) => modal)
			.map(({ text, detail, buttons }) => [text, detail, ...buttons].join(' | '));
	}

	test('is asked about by all steps but the one whose button says so', async () => {
		const done = [await reportFailure(tooLarge, request)];
		const unknown = { ...tooLarge, kind: 'timeout', status: undefined } as const;
		done.push(await reportFailure(unknown, request));
		assert.match(shown.reported[1] ?? '', /charged for an earlier attempt\. \| Retry \(May Be/);
		assert.deepEqual(done, ['sendSmaller', 'sendAgain']);
	});

	test('is asked about once, and only yes is taken as yes', async () => {
		const question = `Retry this image? | You may already be charged. | ${warning}`;
		assert.equal(await maySendAgain([failedJob(tooLarge)]), false);
		answer = warning;
		assert.equal(await maySendAgain([failedJob(tooLarge)]), true);
		assert.deepEqual(questions(), [question, question]);
	});

	test('is not asked about where nothing can be', async () => {
		assert.equal(await maySendAgain([failedJob(cheap)]), true);
		assert.deepEqual(questions(), []);
	});

	test('is counted where one button is for many', async () => {
		const failures = [failedJob(tooLarge), failedJob(cheap)];
		await reportBatch({ asked: 2, arrived: [], cancelled: [], failures });
		assert.match(shown.texts[0] ?? '', /You may already be charged for some of them\.$/);
		await maySendAgain(failures);
		assert.deepEqual(questions(), [
			`Retry 2 images? | You may already be charged for 1 of them. | ${warning}`,
		]);
	});
});

function failedJob(failure: FailureFacts): FailedJob {
	const state = {
		state: 'failed',
		failure,
		attempts: [],
		changedAt: '2026-01-01T00:00:00.000Z',
	} as const;
	return {
		entry: { folder: '/jobs/x', request, state: { ...state, attempts: [] } },
		state: { ...state, attempts: [] },
	};
}
