import { setTimeout as delay } from 'node:timers/promises';

/** How a window proves that the user can see it; tests pass their own times. */
export interface WindowProof {
	/** Resolves when the window has answered. */
	readonly ping: () => PromiseLike<unknown>;
	/** How long a visible window may take, in milliseconds; 10,000 by default. */
	readonly timeoutMs?: number;
}

/**
 * Returns whether a window answers. In a browser it does not when its page crashed, or was reloaded
 * and could not say goodbye: the server keeps its extension host for 5 minutes after another window
 * has come, and for 3 hours otherwise.
 *
 * @param signal ends the waiting; the window counts as seen then
 */
export async function isResponsive(
	{ ping, timeoutMs = 10_000 }: WindowProof,
	signal: AbortSignal,
): Promise<boolean> {
	const answered = new AbortController();
	const onAnswer = () => {
		answered.abort();
	};
	// A rejection is an answer too.
	ping().then(onAnswer, onAnswer);
	const ending = AbortSignal.any([signal, answered.signal]);
	await awakeFor(timeoutMs, ending);
	return ending.aborted;
}

/**
 * Waits until this process has been able to work for so long, or the signal is aborted. The time is
 * counted in small steps: after a sleep of the machine, or where the thread was held up, one step at
 * most is over at once, and what has come meanwhile is read during the others.
 */
export async function awakeFor(ms: number, signal: AbortSignal): Promise<void> {
	for (let step = 0; step < steps && !signal.aborted; step += 1) {
		await delay(ms / steps, undefined, { signal, ref: false }).catch(() => undefined);
	}
}

const steps = 30;
