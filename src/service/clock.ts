import { setTimeout as delay } from 'node:timers/promises';

/** Time as the service room sees it; tests pass one of their own, so that they need not wait. */
export interface Clock {
	/** Milliseconds from an arbitrary start; never goes back, whatever happens to the wall clock. */
	now(): number;
	/** Milliseconds since 1970, by the clock that people set. */
	wallTime(): number;
	/** Resolves after `ms` milliseconds, or rejects at once with the signal's reason. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The time that has passed. */
export interface Elapsed {
	/** In milliseconds, by the clock that says more: on Linux, one stands still while the machine sleeps. */
	readonly elapsedMs: number;
	/**
	 * Time beyond that by the wall clock, in milliseconds, if 5 s or more: the machine slept, or
	 * the clock was set; below 0 where it was set back.
	 */
	readonly jumpMs?: number;
}

/** Starts to measure. Returns what reads how much time has passed. */
export function startStopwatch(clock: Clock): () => Elapsed {
	const started = clock.now();
	const startedAt = clock.wallTime();
	return () => {
		const passedMs = clock.now() - started;
		const jumpMs = clock.wallTime() - startedAt - passedMs;
		return Math.abs(jumpMs) < minJumpMs
			? { elapsedMs: passedMs }
			: { elapsedMs: Math.max(passedMs, passedMs + jumpMs), jumpMs };
	};
}

/** Clocks are corrected by less, in milliseconds. */
const minJumpMs = 5_000;

/** Real time. */
export const systemClock: Clock = {
	now: () => performance.now(),
	wallTime: () => Date.now(),
	sleep: (ms, signal) =>
		delay(ms, undefined, { signal }).catch((error: unknown) => {
			signal?.throwIfAborted();
			throw error;
		}),
};
