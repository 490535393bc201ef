/**
 * Base of every error that is told to a person as it is: `message` says in whole sentences what is
 * wrong, and what to do where that is known. Whatever else is thrown is a fault of ours or of the
 * system; it is told as something that went wrong, with the way to the log.
 */
export abstract class EaselError extends Error {
	/** The full name of the setting that has to be corrected, where it is one. */
	readonly setting: string | undefined = undefined;
}
