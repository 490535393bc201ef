/**
 * Base of every error that is told to a person as it is: `message` says in whole sentences what is
 * wrong, and what to do where that is known. Whatever else is thrown is a fault of ours or of the
 * system; it is told as something that went wrong, with the way to the log.
 */
export abstract class EaselError extends Error {
	/** The full name of the setting that has to be corrected, where it is one. */
	readonly setting: string | undefined = undefined;
}

/** What nobody had expected, as it is told: something went wrong, and what the system says of it. */
export class UnexpectedError extends EaselError {
	override readonly name = 'UnexpectedError';

	/** @param words fit to be shown */
	constructor(words: string, cause: unknown) {
		super(`Something went wrong: ${words}`, { cause });
	}
}
