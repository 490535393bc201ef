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

async function answersWithin(
	answers: WindowProof['answers'],
	longestMs: number,
	signal: AbortSignal,
): Promise<boolean> {
	let hasAnswered = false;
	const answered = new AbortController();
	const onAnswer = () => {
		hasAnswered = true;
		answered.abort();
	};
	// A refusal is an answer too.
	answers().then(onAnswer, onAnswer);
	await awakeFor(longestMs, AbortSignal.any([signal, answered.signal]));
	return hasAnswered;
}

/**
 * Waits until this process has been able to work for so long, or the signal is aborted. The time is
 * counted in small steps. After a sleep of the machine, or where the thread was held up, one step at
 * most is over at once, and what has come meanwhile is read during the others.
 */
export async function awakeFor(ms: number, signal: AbortSignal): Promise<void> {
	for (let step = 0; step < steps && !signal.aborted; step += 1) {
		await delay(ms / steps, undefined, { signal, ref: false }).catch(() => undefined);
	}
}

const steps = 30;
