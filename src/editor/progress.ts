import * as vscode from 'vscode';
import { minutesAndSeconds, type Durations } from '../jobs/expectation.js';
import { ProgressWords } from '../jobs/progressWords.js';
import type { JobEvent } from '../jobs/conversation.js';

/** What a running image is doing, in the words of its progress. */
export interface JobProgress {
	/** Takes note of what the job says about itself. */
	event(event: JobEvent): void;
	/** Words that stand in place of everything else until the next event. */
	say(text: string): void;
}

/**
 * Runs a task under a cancellable notification that tells elapsed time, what is usual, the
 * attempt, and the wait before the next one.
 */
export async function withJobProgress<T>(
	title: string,
	durations: Durations,
	task: (progress: JobProgress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	return vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
		async (progress, token) => {
			const ending = new AbortController();
			const cancelling = token.onCancellationRequested(() => {
				ending.abort();
			});
			const words = new ProgressWords(durations);
			const show = () => {
				progress.report({ message: words.now() });
			};
			const ticking = setInterval(show, 1000);
			const seen =
				<A extends unknown[]>(note: (...args: A) => void) =>
				(...args: A) => {
					note(...args);
					show();
				};
			try {
				return await task(
					{
						event: seen((event) => {
							words.event(event);
						}),
						say: seen((text) => {
							words.say(text);
						}),
					},
					ending.signal,
				);
			} finally {
				clearInterval(ticking);
				cancelling.dispose();
			}
		},
	);
}

/**
 * Runs many tasks under one cancellable notification that counts them.
 *
 * @param task gets what it calls whenever one is done, and the signal of the user's cancelling
 */
export async function withSeriesProgress<T>(
	title: string,
	count: number,
	task: (done: () => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	return vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
		async (progress, token) => {
			const ending = new AbortController();
			const startedAt = performance.now();
			let finished = 0;
			let shown = 0;
			const show = () => {
				const elapsed = minutesAndSeconds(performance.now() - startedAt);
				const increment = ((finished - shown) / count) * 100;
				shown = finished;
				progress.report({
					increment,
					message: `${String(finished)} of ${String(count)} · ${elapsed}`,
				});
			};
			const ticking = setInterval(show, 1000);
			const cancelling = token.onCancellationRequested(() => {
				ending.abort();
			});
			show();
			try {
				return await task(() => {
					finished += 1;
					show();
				}, ending.signal);
			} finally {
				clearInterval(ticking);
				cancelling.dispose();
			}
		},
	);
}
