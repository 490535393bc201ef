import { setTimeout as delay } from 'node:timers/promises';

/** How a window proves that somebody can see it; tests give their own times. */
export interface WindowProof {
	/** Resolves when the window has answered. */
	readonly answers: () => PromiseLike<unknown>;
	/** How long one that is seen may take, in milliseconds; 10,000 by default. */
	readonly longestAnswerMs?: number;
	/** Waits before it is asked once more, in milliseconds; 10,000 by default. */
	readonly askEveryMs?: number;
}

/**
 * Waits until a window does not answer any more. In a browser that is so when its page crashed, or
 * was reloaded and could not say goodbye: the server keeps its extension host for 5 minutes after
 * another window has come, and for 3 hours otherwise.
 *
 * @param signal ends the waiting
 * @returns `false` where the signal was aborted first
 */
export async function untilUnseen(
	{ answers, longestAnswerMs = 10_000, askEveryMs = 10_000 }: WindowProof,
	signal: AbortSignal,
): Promise<boolean> {
	while (!signal.aborted) {
		if (!(await answersWithin(answers, longestAnswerMs, signal))) {
			return !signal.aborted;
		}
		await delay(askEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
	}
	return false;
}

/**
 * The time is counted in small steps. After a sleep of the machine one step at most is over at once,
 * and the window, which slept as well, has the others to answer.
 */
async function answersWithin(
	answers: WindowProof['answers'],
	longestMs: number,
	signal: AbortSignal,
): Promise<boolean> {
	let hasAnswered = false;
	const onAnswer = () => {
		hasAnswered = true;
	};
	// A refusal is an answer too.
	answers().then(onAnswer, onAnswer);
	const steps = 30;
	for (let step = 0; step < steps && !hasAnswered && !signal.aborted; step += 1) {
		await delay(longestMs / steps, undefined, { signal, ref: false }).catch(() => undefined);
	}
	return hasAnswered;
}
