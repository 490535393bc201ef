import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { minutesAndSeconds } from './expectation.js';
import { safeText } from './untrustedText.js';
import { ping } from './windowHealth.js';
import { texts } from './texts.js';

/** VS Code shows a progress for 800 ms from when its window hears of it, however soon it is over. */
let minShownMs = 1000;

/** Wait for a window that does not answer. */
const answerTimeoutMs = 5000;

/** Lets tasks end with their work. For extension tests, in which VS Code shows no notification. */
export function endWithoutNotification(): void {
	minShownMs = 0;
}

/**
 * Runs many tasks under one notification that counts them.
 *
 * @param task gets what it calls whenever one is done, and the signal of the user's cancelling
 * @param cancellable whether it has a button for that
 */
export async function withSeriesProgress<T>(
	title: string,
	count: number,
	task: (done: () => void, signal: AbortSignal) => Promise<T>,
	cancellable = true,
): Promise<T> {
	const startedAt = performance.now();
	let finished = 0;
	let shown = 0;
	const now = () => {
		const increment = ((finished - shown) / count) * 100;
		shown = finished;
		const elapsed = minutesAndSeconds(performance.now() - startedAt);
		return { increment, message: texts.progress(finished, count, elapsed) };
	};
	const counting = (changed: () => void, signal: AbortSignal) => {
		changed();
		return task(() => {
			finished += 1;
			changed();
		}, signal);
	};
	return withJobProgress(title, now, counting, cancellable);
}

/**
 * Runs a task under a notification. It resolves when the notification is gone, so that the next one
 * is not shown beside it.
 *
 * @param now what the task is doing, and how many percent were done since it was last asked; asked
 *   every second and whenever the task calls `changed`
 * @param cancellable whether the notification has a button for that
 */
export async function withJobProgress<T>(
	title: string,
	now: () => string | { readonly message: string; readonly increment: number },
	task: (changed: () => void, signal: AbortSignal) => Promise<T>,
	cancellable = true,
): Promise<T> {
	const location = vscode.ProgressLocation.Notification;
	const ended = vscode.window.withProgress(
		{ location, title: safeText(title), cancellable },
		async (progress, token) => {
			const ending = new AbortController();
			const cancelling = token.onCancellationRequested(() => ending.abort());
			const show = () => {
				const words = now();
				progress.report(
					typeof words === 'string'
						? { message: safeText(words) }
						: { ...words, message: safeText(words.message) },
				);
			};
			const ticking = setInterval(show, 1000);
			try {
				return await task(show, ending.signal);
			} finally {
				clearInterval(ticking);
				cancelling.dispose();
			}
		},
	);
	// What is said to a window reaches it in the order in which it was said.
	const heardAt = Promise.race([ping(), delay(answerTimeoutMs, undefined, { ref: false })])
		.catch(() => undefined)
		.then(() => performance.now());
	try {
		return await ended;
	} finally {
		await delay(Math.max(0, (await heardAt) + minShownMs - performance.now()));
	}
}
