import { setTimeout as delay } from 'node:timers/promises';

/** Time as the service room sees it; tests pass one of their own, so that they need not wait. */
export interface Clock {
	/** Milliseconds from an arbitrary start; never goes back, whatever happens to the wall clock. */
	now(): number;
	/** Resolves after `ms` milliseconds, or rejects at once with the signal's reason. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Real time. */
export const systemClock: Clock = {
	now: () => performance.now(),
	async sleep(ms, signal) {
		try {
			await delay(ms, undefined, { signal });
		} catch (error) {
			signal?.throwIfAborted();
			throw error;
		}
	},
};
