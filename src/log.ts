/** Sink of log entries: in a window the output channel; a worker has none. */
export interface LogSink {
	info(text: string): void;
	warn(text: string): void;
	/** @param error what was caught, if anything */
	error(text: string, error?: unknown): void;
	/** From now on this value appears as `***`. */
	hide(secret: string): void;
	/** Shows the entries to the user. */
	show(): void;
}

let sink: Partial<LogSink> = {};

/** The one log of this process. Never throws. */
export const log: LogSink = {
	info: (text) => sink.info?.(text),
	warn: (text) => sink.warn?.(text),
	error: (text, error) => sink.error?.(text, error),
	hide: (secret) => sink.hide?.(secret),
	show: () => sink.show?.(),
};

/** Sends log entries to `target` until the returned function is called. */
export function logTo(target: Partial<LogSink>): () => void {
	sink = target;
	return () => {
		if (sink === target) {
			sink = {};
		}
	};
}

/** Runs a step whose failure is only logged, in these words; resolves to `undefined` then. */
export async function attempt<T>(
	failure: string,
	step: () => T | Promise<T>,
): Promise<T | undefined> {
	try {
		return await step();
	} catch (error) {
		log.error(failure, error);
		return undefined;
	}
}
