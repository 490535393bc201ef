import { log } from '../log.js';

/** What could not be offered last, and why: it is not logged again with every key. */
let lastFailure: string | undefined;

/**
 * Wraps a provider so that errors are logged once instead of thrown.
 *
 * @param what it offers, as a subject: `A hover`
 */
export function safeProvider<Args extends unknown[], T>(
	what: string,
	provide: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T | undefined> {
	return async (...args) => {
		try {
			return await provide(...args);
		} catch (error) {
			const failure = `${what}: ${String(error)}`;
			if (lastFailure !== failure) {
				lastFailure = failure;
				log.error(`${what} failed`, error);
			}
			return undefined;
		}
	};
}
