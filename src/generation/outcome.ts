import type { JobEntry } from '../jobs/jobFolder.js';
import type { ImageRequest } from '../jobs/request.js';
import type { StateNamed } from '../jobs/state.js';
import type { Charge } from '../service/errors.js';
import {
	type FailedJob,
	byCause,
	failuresText,
	interruptedText,
	stepsOf,
	withRetry,
	type NextSteps,
} from './failures.js';
import type { FollowUp } from './linkImage.js';
import type { SavedImage } from './savedImage.js';
import { safeText } from '../editor/untrustedText.js';
import { messages, money } from '../messages.js';

export interface ArrivedJob {
	readonly entry: JobEntry;
	readonly state: StateNamed<'saved'>;
	readonly saved: SavedImage;
	readonly followUp: FollowUp;
}

/** A request that is not in the journal; nothing was sent. */
export interface NotJournaled {
	readonly type: 'notJournaled';
	readonly request: ImageRequest;
	readonly error: unknown;
}

export type Outcome =
	| ({ readonly type: 'arrived' } & ArrivedJob)
	| ({ readonly type: 'failed' } & FailedJob)
	| { readonly type: 'cancelled'; readonly charge: Charge }
	| NotJournaled
	/** The user has seen it already, or the next window shows it. */
	| { readonly type: 'shown' };

export interface BatchEnds {
	readonly asked: number;
	readonly arrived: readonly ArrivedJob[];
	readonly failures: readonly FailedJob[];
	/** Charges of those that were cancelled. */
	readonly cancelled: readonly Charge[];
}

export function sortOutcomes(outcomes: readonly Outcome[]): BatchEnds {
	return {
		asked: outcomes.length,
		arrived: outcomes.filter((outcome) => outcome.type === 'arrived'),
		failures: outcomes.filter((outcome) => outcome.type === 'failed'),
		cancelled: outcomes.flatMap((outcome) => (outcome.type === 'cancelled' ? outcome.charge : [])),
	};
}

/** `3 of 4 images saved, 1 failed.`, and why, each cause once. */
export function batchText(ends: BatchEnds): string {
	return [countsText(ends), lossText(ends)].filter(Boolean).join(' ');
}

/** Returns why images are missing, each cause once, and whether those that were cancelled may cost. */
export function lossText({ cancelled, failures }: BatchEnds): string {
	const parts = [...failureReasons(failures), mayCost(cancelled) ? money.cancelled : ''];
	return parts.filter(Boolean).join(' ');
}

export function mayCost(charges: readonly Charge[]): boolean {
	return charges.some((charge) => charge !== 'notSent' && charge !== 'rejected');
}

/** `3 of 4 images saved, 1 failed.`: numbers and words of ours alone. */
export function countsText({ asked, arrived, cancelled, failures }: BatchEnds): string {
	const counts = { saved: arrived.length, failed: failures.length, cancelled: cancelled.length };
	const only = (['saved', 'failed', 'cancelled'] as const).find((end) => counts[end] === asked);
	return only === 'saved' && arrived.every(({ followUp }) => followUp.inserted)
		? messages.added(asked)
		: only !== undefined
			? messages.ended(asked, only)
			: messages.counts({ asked, ...counts });
}

/** Returns why there are no images, each cause once, the most frequent first. */
export function failureReasons(failures: readonly FailedJob[]): string[] {
	const causes = byCause(failures).toSorted((a, b) => b.length - a.length);
	return causes.map((group) => {
		const why = reasonOf(group);
		return group.length > 1 && causes.length > 1 ? messages.ofThem(group.length, why) : why;
	});
}

/** @param group of one cause; one alone is named */
function reasonOf(group: readonly FailedJob[]): string {
	const [first] = group;
	if (first === undefined) {
		return '';
	}
	const { request } = first.entry;
	const prompt = safeText(request.prompt, 60);
	if (first.state.state === 'interrupted') {
		return messages.interruptedNamed(prompt, interruptedText(first.state));
	}
	const { failure } = first.state;
	const rest = group.slice(1);
	const others = rest.flatMap(({ state }) => (state.state === 'failed' ? state.failure : []));
	const named = group.length === 1 ? `“${prompt}”: ` : '';
	const why = `${named}${failuresText([failure, ...others], request)}`;
	// What concerns all was not even sent for the others.
	const unsent = [failure, ...others].filter(
		({ charge, status }) => charge === 'notSent' && status !== undefined,
	).length;
	return unsent === 0 ? why : `${why} ${messages.refused(group.length - unsent, unsent)}`;
}

/** Returns the steps after all failures; no word promises less than it may cost. */
export function stepsAfterAll(failures: readonly FailedJob[]): NextSteps {
	const steps = failures.map(stepsOf);
	const [first] = steps;
	if (first !== undefined && steps.every((one) => one.join() === first.join())) {
		return first;
	}
	const all = new Set(steps.flat());
	const way = stepPriority.find((step) => all.has(step));
	const again = all.has('sendAgain') ? 'sendAgain' : 'again';
	return way === undefined ? [again] : withRetry(way, again);
}

const stepPriority = ['setUp', 'setKey', 'verify', 'useAnotherKey', 'openSettings'] as const;
