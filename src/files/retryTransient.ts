import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, isTransient } from './fsErrors.js';

export interface RetryOptions {
	/** Time to go on, in milliseconds; 2,000 by default. */
	readonly maxMs?: number | undefined;
	/** Ends a wait at once. A step that runs is not ended. */
	readonly signal?: AbortSignal | undefined;
	/** Called with the system's code where a step begins to be refused, without one when it is done. */
	readonly onStall?: ((code: string | undefined) => void) | undefined;
}

/**
 * Runs a step of the file system, and again where it was refused for a reason that may pass.
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
	for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 500)) {
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
			await delay(Math.min(waitMs, left), undefined, { signal });
		}
	}
}
