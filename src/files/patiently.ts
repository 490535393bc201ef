import { setTimeout as delay } from 'node:timers/promises';
import { mayPass } from './refusal.js';

/** How long a step is tried again. */
export interface Patience {
	/** How long to go on, in milliseconds; 2,000 by default. */
	readonly longestMs?: number | undefined;
	/** Ends a wait at once. A step that runs is not ended. */
	readonly signal?: AbortSignal | undefined;
	/** Called before each wait, with what was refused. */
	readonly onRefusal?: ((error: unknown) => void) | undefined;
}

/**
 * Runs a step of the file system, and again where it was refused for a reason that may pass:
 * after 10 ms, then at intervals that double up to half a second.
 *
 * @throws the last refusal, as soon as it is one that cannot pass, or the time is over; Node's
 * `AbortError` where the signal ended a wait
 */
export async function patiently<T>(
	step: () => Promise<T>,
	{ longestMs = 2000, signal, onRefusal }: Patience = {},
): Promise<T> {
	const startedAt = performance.now();
	for (let wait = firstWaitMs; ; wait = Math.min(2 * wait, longestWaitMs)) {
		try {
			return await step();
		} catch (error) {
			const left = longestMs - (performance.now() - startedAt);
			if (!mayPass(error) || left <= 0) {
				throw error;
			}
			onRefusal?.(error);
			await delay(Math.min(wait, left), undefined, { signal });
		}
	}
}

const firstWaitMs = 10;
const longestWaitMs = 500;
