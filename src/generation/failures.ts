import type { FailureFacts } from '../jobs/failure.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { StateNamed } from '../jobs/state.js';
import { reasonText, stepAfter, stepAfterInterruption, type NextStep } from './failureWords.js';

/** An end without an image. */
export type FailedState = StateNamed<'failed' | 'interrupted'>;

/** A job that has ended without an image, until somebody has dealt with it. */
export interface FailedJob {
	readonly entry: JobEntry;
	readonly state: FailedState;
}

/** "API key missing or invalid", "quota or balance insufficient": the next one fares no better. */
export function concernsAll({ status, field }: FailureFacts): boolean {
	return status === 401 || status === 402 || field === 'key' || field === 'address';
}

/** Failures by their cause; each interruption stands for itself. */
export function byCause(failures: readonly FailedJob[]): (readonly FailedJob[])[] {
	return [...Map.groupBy(failures, causeOf).values()];
}

/** The same for all that have failed for the same reason; no words for people. */
export function causeOf({ entry, state }: FailedJob): string {
	return state.state === 'failed'
		? JSON.stringify([state.failure.kind, reasonText(state.failure, entry.request)])
		: entry.request.id;
}

/** Whether an image may well have been made and charged, so that another request may buy it twice. */
export function mayHaveBeenMade({ state }: FailedJob): boolean {
	return state.state === 'failed'
		? state.failure.unknownOutcome
		: stepAfterInterruption(state) === 'sendAgain';
}

/** The next step after a failure or an interruption. */
export function stepOf({ entry, state }: FailedJob): NextStep {
	return state.state === 'failed'
		? stepAfter(state.failure, entry.request)
		: stepAfterInterruption(state);
}
