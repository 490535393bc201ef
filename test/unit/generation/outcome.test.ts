import assert from 'node:assert/strict';
import type { FailedJob, NextStep } from '../../../src/generation/failures.js';
import {
	batchText,
	stepsAfterAll,
	type ArrivedJob,
	type BatchEnds,
} from '../../../src/generation/outcome.js';
import type { FailureFacts } from '../../../src/jobs/failure.js';
import { referenceOf } from '../jobs/support.js';
import { failed, interrupted } from './failedJobs.js';

function tooLarge(mebibytes: number): FailedJob {
	const { entry, state } = failed({ status: 413, message: 'Too large' });
	const references = [referenceOf(mebibytes * 1024 * 1024)];
	return { entry: { ...entry, request: { ...entry.request, references } }, state };
}

/** Returns a failure to connect with this charge. */
function unreached(charge: FailureFacts['charge'], earlier?: boolean): FailedJob {
	return failed({ kind: 'connection', status: undefined, message: 'No host', charge, earlier });
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
const answered = 'The image service answered with 500: out of order. You were not charged.';

suite('generation › outcome', () => {
	type Ends = Partial<BatchEnds> & { readonly saved?: number; readonly inserted?: number };

	const endsOf = ({ saved = 0, inserted = 0, ...change }: Ends): BatchEnds => {
		const arrived = Array.from({ length: saved }, (_, index) => ({
			followUp: { inserted: index < inserted ? {} : undefined },
		})) as unknown as ArrivedJob[];
		return { asked: 4, arrived, cancelled: [], failures: [], ...change };
	};

	for (const [change, text] of [
		[{ saved: 4 }, '4 images saved.'],
		[{ asked: 1, saved: 1 }, '1 image saved.'],
		[{ saved: 4, inserted: 4 }, '4 images added.'],
		[{ asked: 1, saved: 1, inserted: 1 }, '1 image added.'],
		[{ saved: 4, inserted: 3 }, '4 images saved.'],
		[{ saved: 3, failures: [failed()] }, `3 of 4 images saved, 1 failed. “a harbor”: ${answered}`],
		[{ failures: times(4, failed) }, `4 images failed. ${answered}`],
		[
			{ asked: 2, failures: [tooLarge(1), tooLarge(2)] },
			[
				'2 images failed.',
				'“a harbor”: The image service answered with 413: Too large. 1 reference image of 1 MB was sent. You were not charged.',
				'“a harbor”: The image service answered with 413: Too large. 1 reference image of 2 MB was sent. You were not charged.',
			].join(' '),
		],
		[
			{
				...{ asked: 8, saved: 5 },
				failures: [failed({ status: 429, message: 'slow down' }), failed(), failed()],
			},
			`5 of 8 images saved, 3 failed. 2 of them: ${answered} “a harbor”: The image service answered with 429: slow down. You were not charged.`,
		],
		[
			{ asked: 2, failures: [unreached('notSent'), unreached('unknown')] },
			'2 images failed. No host. You may already be charged for some of them.',
		],
		[
			{ asked: 3, failures: [unreached('unknown'), unreached('charged'), failed()] },
			`3 images failed. 2 of them: No host. You have probably been charged for some of them. “a harbor”: ${answered}`,
		],
		[
			{ asked: 2, failures: [unreached('unknown'), unreached('unknown', true)] },
			'2 images failed. No host. You may already be charged for some of them.',
		],
		[
			{ asked: 2, failures: [unreached('notSent'), unreached('rejected')] },
			'2 images failed. No host. You were not charged.',
		],
		[{ saved: 2, cancelled: ['notSent', 'rejected'] }, '2 of 4 images saved, 2 cancelled.'],
		[
			{ saved: 2, cancelled: ['notSent', 'unknown'] },
			'2 of 4 images saved, 2 cancelled. You may still be charged.',
		],
		[{ saved: 3 }, '3 of 4 images saved.'],
		[{ cancelled: times(4, () => 'notSent' as const) }, '4 images cancelled.'],
		[
			{ saved: 2, failures: [failed()], cancelled: ['charged'] },
			`2 of 4 images saved, 1 failed, 1 cancelled. “a harbor”: ${answered} You may still be charged.`,
		],
		[
			{ saved: 3, failures: [interrupted('notSent', 'a [red](x) boat')] },
			'3 of 4 images saved, 1 failed. The image “a [red] \u200b(x) boat” was interrupted. Nothing was sent.',
		],
	] satisfies [Ends, string][]) {
		test(`of a round: ${text}`, () => {
			assert.equal(batchText(endsOf(change)), text);
		});
	}

	test('the quota: what was refused and what was not sent, with Retry beside the way out', () => {
		const refused = failed({ status: 402, repeatable: false });
		const unsent = times(2, () => failed({ status: 402, repeatable: false, charge: 'notSent' }));
		const text = batchText(endsOf({ saved: 1, failures: [refused, ...unsent] }));
		assert.match(text, /^1 of 4 images saved, 3 failed\. .* 1 refused, 2 not sent\.$/);
		assert.deepEqual(stepsAfterAll([refused, ...unsent]), ['again', 'useAnotherKey']);
	});

	for (const [what, failures, step] of [
		[
			'one cause has its own step',
			times(3, () => failed({ status: 400, repeatable: false })),
			'change',
		],
		['what stands in the way of all comes first', [failed(), failed({ status: 401 })], 'setKey'],
		['what is too large is sent smaller', [tooLarge(1), tooLarge(2)], 'sendSmaller'],
		['so does the quota', [failed({ status: 402 }), failed()], 'useAnotherKey'],
		['a doubtful one makes all doubtful', [failed(), interrupted('unknown')], 'sendAgain'],
		['one that was not sent does not', [failed(), interrupted('notSent')], 'again'],
		[
			'what else differs is tried again',
			[failed({ status: 400, repeatable: false }), failed()],
			'again',
		],
	] satisfies [string, FailedJob[], NextStep][]) {
		test(`the next step: ${what}`, () => {
			assert.ok(stepsAfterAll(failures).includes(step), stepsAfterAll(failures).join());
		});
	}
});
