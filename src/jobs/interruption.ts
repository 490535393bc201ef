import { InterruptedError } from '../service/errors.js';

/**
 * Aborts with an {@link InterruptedError} when a signal, an exception or a rejection ends this process
 * otherwise than by its work, so that a state that says so is left, and what has arrived of the answer.
 * What kills at once leaves its words in the worker's output at most.
 */
export function abortAtInterruption(ending: AbortController): void {
	const interrupt = (reason: string, cause?: unknown) => {
		process.exitCode = 1;
		setTimeout(() => process.exit(1), longestEndingMs).unref();
		ending.abort(new InterruptedError(reason, cause));
	};
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
		process.on(signal, () => {
			interrupt(signal);
		});
	}
	const unexpected = (error: unknown) => {
		process.stderr.write(`${describe(error)}\n`);
		interrupt(messageOf(error), error);
	};
	process.on('uncaughtException', unexpected);
	process.on('unhandledRejection', unexpected);
}

/** What was interrupted has so long to come to an end of its own. */
const longestEndingMs = 10_000;

/** What went wrong, in its own words. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** All that is known of what went wrong. */
export function describe(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
