import assert from 'node:assert/strict';
import type { FailedJob } from '../../src/generation/failures.js';
import { reportFailure, reportRound } from '../../src/generation/report.js';
import type { FailureFacts } from '../../src/jobs/failure.js';
import { until } from '../host/until.js';
import { referenceOf, requestOf } from '../unit/jobs/support.js';
import { ShownMessages } from './shownMessages.js';

/** Refused for its size, where an attempt before may have been paid for. */
const tooLarge: FailureFacts = {
	kind: 'status',
	status: 413,
	message: 'Too large',
	charge: 'ambiguous',
	earlier: true,
	repeatable: false,
	elapsedMs: 1000,
	unknownOutcome: true,
};
const request = requestOf({ references: [referenceOf(12 * 1024 * 1024)] });
const warning = 'Send Again (May Be Charged Twice)';

suite('What may be charged twice', () => {
	let shown: ShownMessages;
	let done: string[];
	let answer: string | undefined;
	const steps = {
		again: () => done.push('again'),
		smaller: () => done.push('smaller'),
		change: () => done.push('change'),
	};

	setup(() => {
		done = [];
		shown = new ShownMessages(['showErrorMessage', 'showWarningMessage'], ({ modal, buttons }) =>
			modal ? answer : buttons[0],
		);
	});

	teardown(() => {
		shown.dispose();
	});

	function questions(): string[] {
		return shown.all
			.filter(({ modal }) => modal)
			.map(({ text, detail, buttons }) => [text, detail, ...buttons].join(' | '));
	}

	test('is asked about behind a button that does not say so', async () => {
		const question = `Send the image again? | It may have been made and charged already. | ${warning}`;
		await reportFailure(tooLarge, steps, request);
		await until(() => questions().length === 1, 'the question');
		assert.deepEqual(questions(), [question]);
		answer = warning;
		await reportFailure(tooLarge, steps, request);
		await until(() => done.length > 0, 'it to be sent');
		assert.deepEqual(questions(), [question, question]);
		assert.deepEqual(done, ['smaller'], 'once: the first question was answered with no');
	});

	test('is not asked about where the button says so, nor where it cannot be', async () => {
		const unknown = { ...tooLarge, kind: 'timeout', status: undefined } as const;
		await reportFailure(unknown, steps, request);
		assert.match(shown.told[0] ?? '', /charged in an earlier attempt\. \| Send Again \(May Be/);
		await until(() => done.length === 1, 'it to be sent');
		await reportFailure({ ...tooLarge, charge: 'rejected', unknownOutcome: false }, steps, request);
		await until(() => done.length === 2, 'the smaller one to be sent');
		assert.deepEqual(done, ['again', 'smaller']);
		assert.deepEqual(questions(), []);
	});

	test('is counted where one button is for many', async () => {
		const failures = [
			tooLarge,
			{ ...tooLarge, charge: 'rejected', unknownOutcome: false } as const,
		];
		await reportRound(
			{ asked: 2, arrived: [], cancelled: [], failures: failures.map(failedJob) },
			steps,
		);
		await until(() => questions().length === 1, 'the question');
		assert.deepEqual(questions(), [
			`Send 2 images again? | 1 of them may have been made and charged already. | ${warning}`,
		]);
		assert.match(shown.texts[0] ?? '', /Some of them may have been made and charged\.$/);
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
