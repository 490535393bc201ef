import { factsOfError, logText } from '../easelError.js';
import { InterruptedError } from '../service/errors.js';

/**
 * Aborts with an {@link InterruptedError} when a signal, an uncaught exception or an unhandled
 * rejection ends this process, so that its work can still note that, and keep what has arrived of
 * the answer. What kills it at once, such as `SIGKILL`, leaves no note.
 */
export function abortAtInterruption(ending: AbortController): void {
	const interrupt = (reason: string, cause?: unknown) => {
		process.exitCode = 1;
		setTimeout(() => process.exit(1), endingTimeoutMs).unref();
		ending.abort(new InterruptedError(reason, cause));
	};
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
		process.on(signal, () => {
			interrupt(signal);
		});
	}
	for (const unexpected of ['uncaughtException', 'unhandledRejection'] as const) {
		process.on(unexpected, (error: unknown) => {
			process.stderr.write(`${describe(error)}\n`);
			interrupt(logText(factsOfError(error)), error);
		});
	}
}

/** Time limit for the work to end by itself after an interruption. */
const endingTimeoutMs = 10_000;

/** Returns the stack of an error where it has one, else its message. */
export function describe(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
