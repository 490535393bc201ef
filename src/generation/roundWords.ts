import { safeText } from '../editor/untrustedText.js';
import type { Charge } from '../service/errors.js';
import { byCause, type FailedJob } from './failures.js';
import {
	failuresText,
	interruptedText,
	stepAfter,
	stepAfterInterruption,
	type NextStep,
} from './failureWords.js';
import { messages, money } from './messages.js';

/** What has become of images that were asked for together. */
export interface RoundCounts {
	/** How many were asked for. */
	readonly asked: number;
	readonly saved: number;
	/** How many of those that are saved have their link in the document. */
	readonly inserted: number;
	/** What those that were cancelled mean for the money. */
	readonly cancelled: readonly Charge[];
	readonly failures: readonly FailedJob[];
}

/** `3 of 4 images saved, 1 failed.`, and why, each cause once. */
export function roundText(counts: RoundCounts): string {
	const { cancelled, failures } = counts;
	const what = countsText(counts);
	const mayCost = cancelled.some((charge) => charge !== 'notSent' && charge !== 'rejected');
	const why = [
		...(failures.length === 0 ? [] : [reasons(failures)]),
		...(mayCost ? [money.cancelled] : []),
	];
	return [what, ...why].join(' ');
}

/** `3 of 4 images saved, 1 failed.`: numbers and words of ours alone. */
export function countsText({ asked, saved, inserted, cancelled, failures }: RoundCounts): string {
	const counts = { saved, failed: failures.length, cancelled: cancelled.length };
	const only = (['saved', 'failed', 'cancelled'] as const).find((end) => counts[end] === asked);
	return inserted === asked
		? messages.added(asked)
		: only !== undefined
			? messages.ended(asked, only)
			: messages.counts({ asked, ...counts });
}

/** Why there are no images, each cause once, the most frequent first. */
function reasons(failures: readonly FailedJob[]): string {
	const causes = byCause(failures).toSorted((a, b) => b.length - a.length);
	return causes
		.map((group) => {
			const why = reasonOf(group);
			return group.length > 1 && causes.length > 1 ? messages.ofThem(group.length, why) : why;
		})
		.join(' ');
}

/** @param group of one cause; one alone is named */
function reasonOf(group: readonly FailedJob[]): string {
	const [first] = group;
	if (first === undefined) {
		return '';
	}
	const { request } = first.entry;
	const prompt = `“${safeText(request.prompt, 60)}”`;
	if (first.state.state === 'interrupted') {
		return messages.interruptedNamed(safeText(request.prompt, 60), interruptedText(first.state));
	}
	const others = group
		.slice(1)
		.flatMap(({ state }) => (state.state === 'failed' ? state.failure : []));
	const named = group.length === 1 ? `${prompt}: ` : '';
	return `${named}${failuresText([first.state.failure, ...others], request)}`;
}

/**
 * What can be done about all that have failed: what stands in the way of every image first, and no
 * word that promises less than it may cost.
 */
export function stepAfterAll(failures: readonly FailedJob[]): NextStep {
	const steps = new Set(
		failures.map(({ entry, state }) =>
			state.state === 'failed'
				? stepAfter(state.failure, entry.request)
				: stepAfterInterruption(state),
		),
	);
	const [only] = steps;
	if (steps.size === 1 && only !== undefined) {
		return only;
	}
	return stepPriority.find((step) => steps.has(step)) ?? 'again';
}

const stepPriority = ['setUp', 'setKey', 'useAnotherKey', 'openSettings', 'sendAgain'] as const;
