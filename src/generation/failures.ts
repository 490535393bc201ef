import { notedText } from '../editor/errorTexts.js';
import { safeText, sentence } from '../editor/untrustedText.js';
import { minutesAndSeconds } from '../editor/expectation.js';
import type { FailureFacts } from '../jobs/failure.js';
import { countChargesOf, type FailureState, type StateNamed } from '../jobs/state.js';
import { worseCharge, type Charge } from '../service/errors.js';
import type { Meaning } from '../service/services.js';
import { labels, messages, money } from '../messages.js';
import { readableSize } from '../images/readableSize.js';
import type { GenerationRequest, Reference } from '../jobs/request.js';
import type { JobEntry } from '../jobs/jobFolder.js';

/** A job that has ended without an image, until the user has dealt with it. */
export interface FailedJob {
	readonly entry: JobEntry;
	readonly state: FailureState;
}

/** "API key missing or invalid", "quota or balance insufficient": the next one fares no better. */
export function concernsAll({ status, field, meaning }: FailureFacts): boolean {
	return (
		status === 401 ||
		status === 402 ||
		field === 'key' ||
		field === 'address' ||
		(meaning !== undefined && meaning !== 'moderation')
	);
}

/** Failures by their cause; each interruption is one of its own. */
export function byCause(failures: readonly FailedJob[]): (readonly FailedJob[])[] {
	return [...Map.groupBy(failures, causeOf).values()];
}

/** The same for all that have failed for the same reason; not shown. */
export function causeOf({ entry, state }: FailedJob): string {
	return state.state === 'failed'
		? JSON.stringify([state.failure.kind, reasonText(state.failure, entry.request)])
		: entry.request.id;
}

/**
 * Returns whether an image may well have been made and charged, so that another request may buy it
 * twice.
 */
export function mayHaveBeenMade({ state }: FailedJob): boolean {
	return state.state === 'failed'
		? state.failure.unknownOutcome
		: stepAfterInterruption(state) === 'sendAgain';
}

/** Returns what can be done about a failure, what helps most first: see {@link stepsAfter}. */
export function stepsOf({ entry, state }: FailedJob): NextSteps {
	return state.state === 'failed'
		? stepsAfter(state.failure, entry.request)
		: [stepAfterInterruption(state)];
}

/** The failure in words, and what it means for the money. */
export function failureText(error: FailureFacts, sent?: UploadedReferences): string {
	const { reason, charge } = failureParts(error, sent);
	const answer = error.answerFile === undefined ? undefined : messages.keepsAnswer;
	return [reason, charge, answer].filter(Boolean).join(' ');
}

/** Returns why there is no image, and the money words where the reason does not say them itself. */
export function failureParts(
	error: FailureFacts,
	sent?: UploadedReferences,
): { readonly reason: string; readonly charge: string | undefined } {
	return {
		reason: reasonText(error, sent),
		charge: saysThatNothingWasSent(error) ? undefined : moneyWords(error),
	};
}

/** Some of our own messages say so themselves, in the course of saying why; the service's cannot. */
function saysThatNothingWasSent({ kind, charge, message, error }: FailureFacts): boolean {
	const words = notedText(message, error);
	return kind !== 'status' && charge === 'notSent' && /nothing was|was not sent/i.test(words);
}

/** Failures of one reason, in the words of the first one, and what all mean for the money. */
export function failuresText(
	errors: readonly [FailureFacts, ...FailureFacts[]],
	sent?: UploadedReferences,
): string {
	const [first] = errors;
	const worst = errors.map(({ charge }) => charge).reduce(worseCharge);
	const sum = (key: 'sentTimes' | 'chargedTimes') =>
		errors.reduce((total, error) => total + timesOf(error)[key], 0);
	const times = { sentTimes: sum('sentTimes'), chargedTimes: sum('chargedTimes') };
	const isRepeated = errors.some(({ sentTimes = 1 }) => sentTimes > 1);
	const isSameForAll = errors.every(
		({ charge, earlier }) => charge === worst && earlier === first.earlier,
	);
	return isSameForAll || isFree(worst)
		? failureText({ ...first, charge: worst, ...(isRepeated ? times : {}) }, sent)
		: `${reasonText(first, sent)} ${money[`${worst}ForSome` as const]}`;
}

/** Returns how often one request may have been charged, and has probably been. */
function timesOf({
	charge,
	sentTimes = isFree(charge) ? 0 : 1,
	chargedTimes = charge === 'charged' ? 1 : 0,
}: FailureFacts) {
	return { sentTimes, chargedTimes };
}

/** The failure, in the service's own words where it has some, and how much was too much. */
export function reasonText(error: FailureFacts, sent?: UploadedReferences): string {
	const words = sentence(safeText(notedText(error.message, error.error)));
	const said =
		error.kind === 'status'
			? messages.answered(error.status ?? 0, words)
			: isServiceError(error)
				? messages.answeredWithError(words)
				: words;
	const much = error.status === contentTooLarge && sent ? uploadSize(sent) : '';
	const asleep = error.asleepMs === undefined ? '' : messages.asleep;
	return [said, much, asleep].filter(Boolean).join(' ');
}

/** Returns whether the service has reported an error with success: its outcome is not known. */
function isServiceError({ kind, charge, status }: FailureFacts): boolean {
	return kind === 'answer' && charge === 'unknown' && status !== undefined;
}

function moneyWords(
	failure: Pick<FailureFacts, 'charge' | 'earlier' | 'sentTimes' | 'chargedTimes'>,
): string {
	const { charge, earlier, sentTimes = 1, chargedTimes = 0 } = failure;
	if (sentTimes > 1 && !isFree(charge)) {
		if (chargedTimes === sentTimes) {
			return sentTimes === 2 ? money.sentTwiceCharged : money.sentOftenCharged(sentTimes);
		}
		return sentTimes === 2 ? money.sentTwice : money.sentOften(sentTimes);
	}
	return isFree(charge) || earlier !== true ? money[charge] : money[`${charge}Earlier` as const];
}

/** Next step of the user after a failure; `sendAgain` may be charged twice. */
export type NextStep =
	| 'again'
	| 'sendAgain'
	| 'sendSmaller'
	| 'setKey'
	| 'useAnotherKey'
	| 'verify'
	| 'setUp'
	| 'openSettings'
	| 'change';

export const stepLabels: Record<NextStep, string> = {
	again: labels.retry,
	sendAgain: labels.retryMayCost,
	sendSmaller: labels.sendSmaller,
	setKey: labels.setApiKey,
	useAnotherKey: labels.useAnotherKey,
	verify: labels.verify,
	setUp: labels.setUp,
	openSettings: labels.openSettings,
	change: labels.changeRequest,
};

/** Returns the label of a step; one that may be charged again says which try it is. */
export function stepLabel(step: NextStep, sentTimes = 1): string {
	const next = sentTimes < 2 ? undefined : labels.sendOnce[sentTimes - 2];
	return step === 'sendAgain' && next !== undefined ? next : stepLabels[step];
}

/** One step or two. */
export type NextSteps = readonly [NextStep, NextStep?];

/**
 * Returns the way out of a failure and, where the same request may succeed then, Retry: also after
 * something was done elsewhere, as after topping up a balance.
 */
export function stepsAfter(error: FailureFacts, sent?: UploadedReferences): NextSteps {
	const again = retryAfter(error);
	const step = stepAfter(error, sent);
	if (error.kind === 'answer') {
		// It came with success, and may have been charged.
		return [step];
	}
	return error.kind === 'timeout' ? [step, 'openSettings'] : withRetry(step, again);
}

/** Returns a step with Retry beside it, where that can succeed after the step, or after topping up. */
export function withRetry(step: NextStep, again: 'again' | 'sendAgain'): NextSteps {
	if (step === 'useAnotherKey') {
		return [again, step];
	}
	return step === 'setKey' || step === 'setUp' || step === 'openSettings' || step === 'verify'
		? [step, again]
		: [step];
}

function retryAfter({ unknownOutcome, sentTimes = 1 }: FailureFacts): 'again' | 'sendAgain' {
	return unknownOutcome || sentTimes > 1 ? 'sendAgain' : 'again';
}

function stepAfter(error: FailureFacts, sent?: UploadedReferences): NextStep {
	const again = retryAfter(error);
	// What was sent smaller already gets no smaller, and words do not.
	const canBeSmaller =
		sent !== undefined && sent.references.length > 0 && sent.smallerReferences === undefined;
	if (error.status === contentTooLarge && canBeSmaller) {
		return 'sendSmaller';
	}
	switch (error.kind) {
		case 'setting':
			return 'openSettings';
		case 'request':
			return correcting.get(error.field) ?? 'change';
		case 'status':
			return (
				(error.meaning && stepOfMeaning[error.meaning]) ??
				correcting.get(error.status) ??
				(error.repeatable ? again : 'change')
			);
		case 'answer':
			return isServiceError(error) ? stepByCode(error.code) : 'sendAgain';
		case 'connection':
		case 'timeout':
		case 'storage':
		case 'worker':
		case 'unexpected':
			return again;
	}
}

/** Returns the step after an error that came with success: a retry never helps. */
function stepByCode(code = ''): NextStep {
	return /402|balance|billing|credit|insufficient|quota/i.test(code)
		? 'useAnotherKey'
		: /401|api_?key|unauthori[sz]ed/i.test(code)
			? 'setKey'
			: 'change';
}

/** The status of a service that takes less than was sent (RFC 9110, part 15.5.14). */
const contentTooLarge = 413;

/** By the field of a request, or the status of an answer. */
const correcting = new Map<string | number | undefined, NextStep>([
	['key', 'setKey'],
	['address', 'setUp'],
	['easel.service.model', 'openSettings'],
	[401, 'setKey'],
	[402, 'useAnotherKey'],
]);

const stepOfMeaning: Readonly<Record<Meaning, NextStep>> = {
	key: 'setKey',
	money: 'useAnotherKey',
	moderation: 'change',
	verification: 'verify',
	model: 'openSettings',
};

type InterruptedState = StateNamed<'interrupted'>;

/** Returns what ended it, when it was sent, and its charge; to be put behind “was interrupted”. */
export function interruptedText(
	{ attempts, charge, reason, error }: InterruptedState,
	now = Date.now(),
): string {
	const sentAt = attempts.at(-1)?.startedAt;
	const noted = notedText(reason, error);
	const why = noted === undefined ? '.' : `: ${sentence(safeText(noted))}`;
	if (sentAt === undefined && isFree(charge)) {
		return `${why} ${money.notSent}`;
	}
	// Without attempts the journal was damaged: nothing is known of what was sent.
	const when =
		sentAt === undefined ? messages.sentAtUnknown : messages.sentAt(timeWords(sentAt, now));
	const { charged, unknown } = countChargesOf(attempts, charge);
	const words = isFree(charge)
		? money.rejected
		: moneyWords({ charge, sentTimes: charged + unknown, chargedTimes: charged });
	return `${why} ${when} ${words}`;
}

export function stepAfterInterruption({ charge }: Pick<InterruptedState, 'charge'>): NextStep {
	return isFree(charge) ? 'again' : 'sendAgain';
}

function isFree(charge: Charge): charge is 'rejected' | 'notSent' {
	return charge === 'rejected' || charge === 'notSent';
}

/** `just now`, `2:41 ago` within the hour, else the day and time. */
function timeWords(time: string, now: number): string {
	const ago = now - Date.parse(time);
	if (ago < 0 || ago >= 60 * 60 * 1000) {
		return `on ${new Date(time).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short' })}`;
	}
	return ago < 1000 ? 'just now' : `${minutesAndSeconds(ago)} ago`;
}

/** Reference images of a request, as far as their size matters. */
export interface UploadedReferences extends Pick<GenerationRequest, 'smallerReferences'> {
	readonly references: readonly Reference[];
}

/**
 * Returns the size of what was sent with a request, for a refusal for its size; empty where that
 * was words alone.
 */
export function uploadSize({ references }: UploadedReferences): string {
	const bytes = readableSize(references.reduce((sum, reference) => sum + reference.bytes, 0));
	return references.length === 0 ? '' : messages.sentReferences(references.length, bytes);
}
