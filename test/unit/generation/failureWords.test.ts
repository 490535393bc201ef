import assert from 'node:assert/strict';
import {
	failureText,
	interruptedText,
	stepsAfter,
	stepAfterInterruption,
	stepLabel,
	stepLabels,
	type NextStep,
} from '../../../src/generation/failures.js';
import type { FailureFacts } from '../../../src/jobs/failure.js';
import type { StateNamed } from '../../../src/jobs/state.js';
import { failureOf, referenceOf } from '../jobs/support.js';

const facts = (change: Partial<FailureFacts>) => failureOf({ message: 'bad', ...change });

const now = Date.parse('2026-03-04T12:00:00.000Z');

function interrupted(
	sentAgoMs: number | undefined,
	change: Partial<StateNamed<'interrupted'>> = {},
): StateNamed<'interrupted'> {
	return {
		state: 'interrupted',
		charge: 'unknown',
		changedAt: new Date(now).toISOString(),
		attempts:
			sentAgoMs === undefined
				? []
				: [{ number: 1, startedAt: new Date(now - sentAgoMs).toISOString() }],
		...change,
	};
}

suite('generation › failure words', () => {
	const broken = { kind: 'connection', message: 'It broke', charge: 'charged' } as const;
	const sentences: readonly (readonly [Partial<FailureFacts>, string])[] = [
		[
			{ status: 400, message: 'size: must be one of …' },
			'The image service answered with 400: size: must be one of … You were not charged.',
		],
		[
			{ kind: 'connection', message: 'The connection was refused', charge: 'notSent' },
			'The connection was refused. Nothing was sent.',
		],
		[
			{ kind: 'request', message: 'Nothing was sent, the prompt is empty', charge: 'notSent' },
			'Nothing was sent, the prompt is empty.',
		],
		[
			{ kind: 'storage', message: 'The disk is full', charge: 'charged' },
			'The disk is full. You have probably been charged.',
		],
		[
			{ kind: 'connection', message: 'No host', charge: 'unknown', earlier: true },
			'No host. You may already be charged for an earlier attempt.',
		],
		[
			{ status: 500, message: 'Oops', charge: 'unknown', sentTimes: 4, chargedTimes: 0 },
			'The image service answered with 500: Oops. Sent 4 times; you may be charged each time.',
		],
		[
			{ ...broken, sentTimes: 2, chargedTimes: 2 },
			'It broke. Sent twice; you have probably been charged for both.',
		],
		[
			{ ...broken, sentTimes: 3, chargedTimes: 3 },
			'It broke. Sent 3 times; you have probably been charged each time.',
		],
		[
			{ ...broken, sentTimes: 2, chargedTimes: 1 },
			'It broke. Sent twice; you may be charged for both.',
		],
		[
			{ kind: 'connection', message: 'No host', charge: 'rejected', earlier: true },
			'No host. You were not charged.',
		],
		[
			{ kind: 'storage', message: 'No room, so it was not sent', charge: 'notSent' },
			'No room, so it was not sent.',
		],
		[
			{ kind: 'answer', status: 200, charge: 'unknown', message: 'Rejected for safety.' },
			'The image service answered with an error: Rejected for safety. You may already be charged.',
		],
		[
			{ status: 400, message: '[pay](command:evil)\u202e\nnow' },
			'The image service answered with 400: [pay] \u200b(command\u200b:evil) now. You were not charged.',
		],
	];
	for (const [failure, text] of sentences) {
		test(text, () => {
			assert.equal(failureText(facts(failure)), text);
		});
	}

	const interruptions: readonly (readonly [StateNamed<'interrupted'>, string])[] = [
		[interrupted(undefined, { charge: 'notSent' }), '. Nothing was sent.'],
		[
			interrupted(undefined),
			'. Easel does not know when the request was sent. You may already be charged.',
		],
		[
			interrupted(undefined, { charge: 'charged', reason: 'SIGKILL' }),
			': SIGKILL. Easel does not know when the request was sent. You have probably been charged.',
		],
		[interrupted(undefined, { charge: 'rejected' }), '. Nothing was sent.'],
		[interrupted(61_000), '. The request was sent 1:01 ago. You may already be charged.'],
		[
			interrupted(5_000, { charge: 'rejected', reason: 'SIGTERM' }),
			': SIGTERM. The request was sent 0:05 ago. You were not charged.',
		],
		[
			interrupted(0, { charge: 'notSent' }),
			'. The request was sent just now. You were not charged.',
		],
		[interrupted(999), '. The request was sent just now. You may already be charged.'],
		[interrupted(1000), '. The request was sent 0:01 ago. You may already be charged.'],
	];
	for (const [state, text] of interruptions) {
		test(`The image was interrupted${text}`, () => {
			assert.equal(interruptedText(state, now), text);
		});
	}

	test('an interruption of another day, or of a clock that was set, is shown with its date', () => {
		for (const agoMs of [25 * 60 * 60 * 1000, 60 * 60 * 1000, -60_000]) {
			assert.match(
				interruptedText(interrupted(agoMs), now),
				/The request was sent on March \d, 2026 at /,
			);
		}
	});

	const steps: readonly (readonly [string, Partial<FailureFacts>, NextStep])[] = [
		['a key that is refused is set anew', { status: 401 }, 'setKey'],
		['a key that is missing is set', { kind: 'request', field: 'key' }, 'setKey'],
		['without quota another key is used', { status: 402 }, 'useAnotherKey'],
		['without an address all is set up', { kind: 'request', field: 'address' }, 'setUp'],
		['a wrong setting is opened', { kind: 'setting', field: 'easel.image.size' }, 'openSettings'],
		['a missing model is set', { kind: 'request', field: 'easel.service.model' }, 'openSettings'],
		['a model that is not known is set', { status: 404, meaning: 'model' }, 'openSettings'],
		['an empty balance that says 429', { status: 429, meaning: 'money' }, 'useAnotherKey'],
		['a prompt that is not allowed is changed', { status: 400, meaning: 'moderation' }, 'change'],
		['an organization is verified', { status: 403, meaning: 'verification' }, 'verify'],
		['what was too much at once is tried again', { status: 429, repeatable: true }, 'again'],
		[
			'what was not understood is sent again only with the warning',
			{ kind: 'answer', charge: 'charged' },
			'sendAgain',
		],
		...(
			[
				['moderation_blocked', 'change'],
				[undefined, 'change'],
				['insufficient_quota', 'useAnotherKey'],
				['402', 'useAnotherKey'],
				['invalid_api_key', 'setKey'],
			] as const
		).map(([code, step]): [string, Partial<FailureFacts>, NextStep] => [
			`an error that came with success is never just tried again: ${String(code)}`,
			{ kind: 'answer', charge: 'unknown', status: 200, ...(code && { code }) },
			step,
		]),
		[
			'what may have been made is sent again only with the warning',
			{ kind: 'timeout', charge: 'unknown', unknownOutcome: true },
			'sendAgain',
		],
		['a request that is refused is changed', { status: 400 }, 'change'],
		['so is one that is not sent for its prompt', { kind: 'request', field: 'prompt' }, 'change'],
		['a connection that failed is tried again', { kind: 'connection' }, 'again'],
	];
	for (const [name, failure, step] of steps) {
		test(`next: ${name}`, () => {
			assert.ok(stepsAfter(facts(failure)).includes(step), stepsAfter(facts(failure)).join());
			assert.notEqual(stepLabels[step], undefined);
		});
	}

	test('next: Retry stands beside the way out, and a time-out has its setting', () => {
		assert.deepEqual(stepsAfter(facts({ status: 402 })), ['again', 'useAnotherKey']);
		assert.deepEqual(stepsAfter(facts({ status: 401 })), ['setKey', 'again']);
		assert.deepEqual(stepsAfter(facts({ kind: 'setting' })), ['openSettings', 'again']);
		assert.deepEqual(stepsAfter(facts({ kind: 'timeout', unknownOutcome: true })), [
			'sendAgain',
			'openSettings',
		]);
		// What came with success may have been charged.
		const answer = { kind: 'answer', charge: 'unknown', status: 200, code: '402' } as const;
		assert.deepEqual(stepsAfter(facts(answer)), ['useAnotherKey']);
		assert.deepEqual(stepsAfter(facts({ status: 400 })), ['change']);
	});

	test('next: what was interrupted unsent is tried again, what was sent only with the warning', () => {
		const unsent = interrupted(undefined, { charge: 'notSent' });
		assert.equal(stepAfterInterruption(unsent), 'again');
		assert.equal(stepAfterInterruption(interrupted(1, { charge: 'rejected' })), 'again');
		assert.equal(stepAfterInterruption(interrupted(1)), 'sendAgain');
		assert.equal(stepAfterInterruption(interrupted(undefined)), 'sendAgain');
	});

	test('next: what may have been charged several times says which try the next one is', () => {
		const failure = facts({ status: 500, repeatable: true, charge: 'unknown' });
		assert.equal(stepsAfter(failure)[0], 'again');
		assert.equal(stepsAfter({ ...failure, sentTimes: 4 })[0], 'sendAgain');
		assert.equal(stepLabel('sendAgain', 4), 'Send a Fifth Time');
		assert.equal(stepLabel('sendAgain', 2), 'Send a Third Time');
		assert.equal(stepLabel('sendAgain'), 'Retry (May Be Charged Twice)');
		assert.equal(stepLabel('setKey', 4), 'Set API Key');
	});

	test('says that an answer is stored, and that the computer was asleep', () => {
		const failure = facts({ kind: 'timeout', charge: 'unknown', message: 'Too late.' });
		assert.match(
			failureText({ ...failure, asleepMs: 60_000 }),
			/^Too late\. The computer was asleep during the request\. You may already be/,
		);
		assert.match(
			failureText({ ...failure, answerFile: '/a' }),
			/ Easel stores the answer until you save or discard it\.$/,
		);
	});

	suite('what was too large', () => {
		const reference = referenceOf(12 * 1024 * 1024);
		const tooLarge = facts({ status: 413, message: 'Too large' });
		const answered = 'The image service answered with 413: Too large.';

		test('is changed where it is not known what was sent', () => {
			assert.equal(stepsAfter(tooLarge)[0], 'change');
		});

		for (const [what, references, smallerReferences, step, words] of [
			[
				'is sent smaller',
				[reference],
				undefined,
				'sendSmaller',
				' 1 reference image of 12 MB was sent.',
			],
			[
				'is changed where it was sent smaller already',
				[reference],
				true,
				'change',
				' 1 reference image of 12 MB was sent.',
			],
			['is changed where there is nothing to be made smaller', [], undefined, 'change', ''],
		] as const) {
			test(what, () => {
				const asked = { references, ...(smallerReferences && { smallerReferences }) };
				assert.equal(stepsAfter(tooLarge, asked)[0], step);
				assert.equal(failureText(tooLarge, asked), `${answered}${words} You were not charged.`);
			});
		}

		test('only where the service says so', () => {
			const refused = facts({ status: 400, message: 'Bad' });
			assert.equal(stepsAfter(refused, { references: [reference] })[0], 'change');
			assert.doesNotMatch(failureText(refused, { references: [reference] }), /was sent/);
		});
	});
});
