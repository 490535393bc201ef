import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, isTransient } from './fsErrors.js';

/** How long a step is tried again. */
export interface RetryOptions {
	/** How long to go on, in milliseconds; 2,000 by default. */
	readonly maxMs?: number | undefined;
	/** Ends a wait at once. A step that runs is not ended. */
	readonly signal?: AbortSignal | undefined;
	/** Called with the system's code where a step begins to be refused, without one when it is done. */
	readonly onStall?: ((code: string | undefined) => void) | undefined;
}

/**
 * Runs a step of the file system, and again where it was refused for a reason that may pass:
 * after 10 ms, then at intervals that double up to half a second.
 *
 * @throws the last refusal, as soon as it is one that cannot pass, or the time is over; Node's
 * `AbortError` where the signal ended a wait
 */
export async function retryTransient<T>(
	step: () => Promise<T>,
	{ maxMs = 2000, signal, onStall }: RetryOptions = {},
): Promise<T> {
	const startedAt = performance.now();
	let isStalled = false;
	for (let wait = firstWaitMs; ; wait = Math.min(2 * wait, maxWaitMs)) {
		try {
			const done = await step();
			if (isStalled) {
				onStall?.(undefined);
			}
			return done;
		} catch (error) {
			const left = maxMs - (performance.now() - startedAt);
			if (!isTransient(error) || left <= 0) {
				throw error;
			}
			if (!isStalled) {
				isStalled = true;
				onStall?.(codeOf(error));
			}
			await delay(Math.min(wait, left), undefined, { signal });
		}
	}
}

const firstWaitMs = 10;
const maxWaitMs = 500;
