import { startStopwatch, systemClock, type Clock, type Elapsed } from './clock.js';
import {
	ConnectionError,
	endOf,
	isImageServiceError,
	StatusError,
	type ImageServiceError,
} from './errors.js';

/*
 * When an image is asked for again: a decision of its own, never a library's default. The
 * specification has no idempotency key, so a repeated call may be paid twice.
 */

/** Waits before the second, third and fourth attempt, in ms (specification, "Errors", rule 3). */
export const backoffMs = [3_000, 8_000, 15_000] as const;

/** The first one and those after the waits. */
export const maxAttempts = backoffMs.length + 1;

/** A `Retry-After` is followed up to here, in milliseconds. */
export const maxRetryAfterMs = 120_000;

/**
 * An attempt whose request has left and that failed so many milliseconds after its start has an
 * unknown outcome: gateways cut at 60, 100 or 120 s, well within the duration of a good call.
 */
export const lateAfterMs = 30_000;

/** Wait after an unknown outcome at least, in ms, so that the user has time to stop it. */
export const unknownOutcomeWaitMs = 15_000;

/**
 * `all`: everything repeatable is repeated, an unknown outcome once, then the user is asked. `ask`:
 * without asking, only what cannot have made an image is repeated. `never`: nothing is.
 */
export type RetryMode = 'all' | 'ask' | 'never';

export interface FailedAttempt extends Elapsed {
	readonly error: ImageServiceError;
}

export type RetryDecision =
	| { readonly action: 'stop' }
	/** `mayHaveBeenMade`: the image may exist, which the user has to see during the wait. */
	| { readonly action: 'wait'; readonly waitMs: number; readonly mayHaveBeenMade: boolean }
	/** Only the user may send again; not before `waitMs` have passed since the failure. */
	| { readonly action: 'ask'; readonly waitMs: number };

/**
 * Decides what follows a failed attempt, whose numbers begin at 1.
 *
 * @param unknownRepeats how many unknown outcomes of this image were repeated without asking so far
 */
export function decideRetry(
	failure: FailedAttempt,
	attempt: number,
	unknownRepeats: number,
	mode: RetryMode,
): RetryDecision {
	const { error } = failure;
	const backoff = backoffMs[attempt - 1];
	if (mode === 'never' || !error.repeatable || backoff === undefined) {
		return { action: 'stop' };
	}
	const retryAfter = error instanceof StatusError ? (error.retryAfterMs ?? 0) : 0;
	const waitMs = Math.max(backoff, Math.min(retryAfter, maxRetryAfterMs));
	if (hasUnknownOutcome(failure)) {
		const longerWaitMs = Math.max(waitMs, unknownOutcomeWaitMs);
		return mode === 'ask' || unknownRepeats > 0
			? { action: 'ask', waitMs: longerWaitMs }
			: { action: 'wait', waitMs: longerWaitMs, mayHaveBeenMade: true };
	}
	const hasMadeNone = error.charge === 'notSent' || error.status === 429;
	return mode === 'ask' && !hasMadeNone
		? { action: 'ask', waitMs }
		: { action: 'wait', waitMs, mayHaveBeenMade: false };
}

/**
 * Returns whether an image may well have been made and charged by the attempt that failed. Without a clock
 * that can be trusted, because the machine slept or the clock was set, it counts as late.
 */
export function hasUnknownOutcome({ error, elapsedMs, jumpMs }: FailedAttempt): boolean {
	const isLate = elapsedMs >= lateAfterMs || jumpMs !== undefined;
	const hasAnswered = error instanceof ConnectionError && error.hasAnswered;
	return error.charge === 'charged' || (error.charge === 'unknown' && (isLate || hasAnswered));
}

export interface AttemptOptions {
	readonly mode: RetryMode;
	readonly signal?: AbortSignal | undefined;
	readonly clock?: Clock | undefined;
	/** Called before each attempt, with its number from 1; a rejection prevents the attempt. */
	readonly onAttempt?: ((attempt: number) => void | Promise<void>) | undefined;
	/** Called when an attempt has failed, before anything follows; a rejection ends everything. */
	readonly onFailure?:
		| ((failure: FailedAttempt, attempt: number, next: RetryDecision) => void | Promise<void>)
		| undefined;
	/** Called where an attempt follows by itself, but not before this resolves; the signal ends it. */
	readonly waitForCapacity?: ((failure: FailedAttempt) => Promise<void>) | undefined;
	/** Asks the user whether to send again; without it the answer is no. */
	readonly ask?: ((failure: FailedAttempt, attempt: number) => Promise<boolean>) | undefined;
}

/**
 * Runs attempts until one succeeds or the policy ends them. The signal ends a wait or a question at
 * once; an attempt has to watch it.
 *
 * @throws {ImageServiceError} the last attempt's failure
 * @throws {CancelledError} where the signal was aborted, with what this attempt has cost alone
 * @throws {InterruptedError} where that is the reason of the signal
 * @throws what `onAttempt`, `onFailure`, `waitForCapacity` or `ask` rejects with, and any other error of an attempt
 */
export async function withRetries<T>(
	attemptOnce: (attempt: number) => Promise<T>,
	options: AttemptOptions,
): Promise<T> {
	const { signal, clock = systemClock } = options;
	let unknownRepeats = 0;
	for (let attempt = 1; ; attempt += 1) {
		await options.onAttempt?.(attempt);
		const elapsed = startStopwatch(clock);
		try {
			return await attemptOnce(attempt);
		} catch (error) {
			if (!isImageServiceError(error)) {
				throw error;
			}
			const failedAt = clock.now();
			const failure: FailedAttempt = { error, ...elapsed() };
			const decision = decideRetry(failure, attempt, unknownRepeats, options.mode);
			await options.onFailure?.(failure, attempt, decision);
			if (decision.action === 'stop') {
				throw error;
			}
			if (decision.action === 'ask') {
				const again = await orCancelled(options.ask?.(failure, attempt) ?? Promise.resolve(false));
				if (!again) {
					throw error;
				}
			} else if (decision.mayHaveBeenMade) {
				unknownRepeats += 1;
			}
			const waitMs = failedAt + decision.waitMs - clock.now();
			const room = decision.action === 'wait' ? options.waitForCapacity?.(failure) : undefined;
			await orCancelled(Promise.all([waitMs > 0 ? clock.sleep(waitMs, signal) : undefined, room]));
		}
	}

	/** Rejects as soon as the signal is aborted, whatever `step` does. */
	async function orCancelled<R>(step: Promise<R>): Promise<R> {
		const aborted = Promise.withResolvers<never>();
		const onAbort = () => {
			if (signal?.aborted) {
				aborted.reject(endOf(signal, 'notSent'));
			}
		};
		signal?.addEventListener('abort', onAbort, { once: true });
		try {
			onAbort();
			return await Promise.race([aborted.promise, step]);
		} finally {
			signal?.removeEventListener('abort', onAbort);
		}
	}
}
