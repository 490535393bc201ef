import { EaselError, type ErrorFacts } from '../easelError.js';
import type { Meaning } from './services.js';

/*
 * Everything that can go wrong with one image: what to say (`facts`), whether repeating makes sense
 * (`repeatable`), what it means for the money (`charge`). Cancelling is never shown as a failure.
 */

/**
 * Knowledge about the charge when an attempt has ended, from the best to the worst:
 * - `notSent`: the request never left completely, so no image can have been made;
 * - `rejected`: the service refused it, no image was made;
 * - `unknown`: it left, and no clear answer came back; an image may have been made and charged;
 * - `charged`: the service answered with success, so it has made, and most probably charged for, an
 *   image, whether or not the answer could be used.
 */
export const charges = ['notSent', 'rejected', 'unknown', 'charged'] as const;
export type Charge = (typeof charges)[number];

/** Returns the worse of two for the user, who pays. */
export function worseCharge(one: Charge, other: Charge): Charge {
	return charges.indexOf(one) > charges.indexOf(other) ? one : other;
}

interface Details {
	readonly charge: Charge;
	readonly status?: number | undefined;
	readonly requestId?: string | undefined;
	readonly answerFile?: string | undefined;
	readonly cause?: unknown;
}

/** Base of every failure of one image. */
export abstract class ImageServiceError extends EaselError {
	abstract readonly kind: 'request' | 'connection' | 'status' | 'timeout' | 'answer' | 'storage';
	/** True where sending the same request again may help (specification, "Errors", rule 2). */
	abstract readonly repeatable: boolean;
	readonly charge: Charge;
	/** HTTP status, where the service answered. */
	readonly status: number | undefined;
	/** The service's own identifier of the request, where its answer named one. */
	readonly requestId: string | undefined;
	/** Absolute path of what has come of an answer that was not understood, with the key hidden. */
	readonly answerFile: string | undefined;

	constructor(facts: ErrorFacts, details: Details) {
		super(facts, { cause: details.cause });
		this.charge = details.charge;
		this.status = details.status;
		this.requestId = details.requestId;
		this.answerFile = details.answerFile;
	}
}

/** The request cannot be sent as it is: a bad address, key, field or reference image. */
export class RequestError extends ImageServiceError {
	override readonly name = 'RequestError';
	readonly kind = 'request';
	readonly repeatable = false;

	constructor(
		/** The part to be corrected, for example `address`, `key`, `prompt`, `references[0]`. */
		readonly field: string,
		facts: ErrorFacts,
		cause?: unknown,
	) {
		super(facts, { charge: 'notSent', cause });
	}
}

/** The connection could not be made, or it broke before the whole answer was here. */
export class ConnectionError extends ImageServiceError {
	override readonly name = 'ConnectionError';
	readonly kind = 'connection';
	readonly repeatable: boolean;
	/** True where a byte of an answer had come when it broke. */
	readonly hasAnswered: boolean;

	constructor(
		/** As of `TransportFailure`, for example `ECONNREFUSED`. */
		readonly code: string,
		facts: ErrorFacts,
		details: Details & { readonly repeatable?: boolean; readonly hasAnswered?: boolean },
	) {
		super(facts, details);
		this.repeatable = details.repeatable ?? true;
		this.hasAnswered = details.hasAnswered ?? details.status !== undefined;
	}
}

/** The service answered with a status other than 2xx. */
export class StatusError extends ImageServiceError {
	override readonly name = 'StatusError';
	readonly kind = 'status';
	override readonly status: number;
	/** From `Retry-After`. */
	readonly retryAfterMs: number | undefined;
	/** Meaning to the service, where the status alone does not say it. */
	readonly meaning: Meaning | undefined;

	constructor(
		facts: ErrorFacts,
		details: Details & {
			readonly status: number;
			readonly retryAfterMs?: number | undefined;
			readonly meaning?: Meaning | undefined;
		},
	) {
		super(facts, details);
		this.status = details.status;
		this.retryAfterMs = details.retryAfterMs;
		this.meaning = details.meaning;
	}

	/** Never true with a meaning: an empty balance that comes with status 429 waits for the user. */
	get repeatable(): boolean {
		return this.meaning === undefined && isRepeatableStatus(this.status);
	}
}

/** Our own time-out ended the wait. Never repeated automatically. */
export class TimeoutError extends ImageServiceError {
	override readonly name = 'TimeoutError';
	readonly kind = 'timeout';
	readonly repeatable = false;
}

/** The service answered with success, but with something that was not understood. */
export class AnswerError extends ImageServiceError {
	override readonly name = 'AnswerError';
	readonly kind = 'answer';
	readonly repeatable = false;
	/** The code of an error that the service reports in its answer. */
	readonly code: string | undefined;
	/** The address of an image that came in place of it. */
	readonly link: string | undefined;

	constructor(
		facts: ErrorFacts,
		details: Partial<Details> & { readonly code?: string; readonly link?: string } = {},
	) {
		super(facts, { charge: 'charged', ...details });
		this.code = details.code;
		this.link = details.link;
	}
}

/** This machine's disk refused the answer, or what must be noted before sending; see `charge`. */
export class StorageError extends ImageServiceError {
	override readonly name = 'StorageError';
	readonly kind = 'storage';
	readonly repeatable = false;

	constructor(
		/** The system's code, for example `ENOSPC`. */
		readonly code: string,
		facts: ErrorFacts,
		details: Omit<Details, 'charge'> & { readonly charge?: Charge } = {},
	) {
		super(facts, { charge: 'charged', ...details });
	}
}

/** The user cancelled. Not a failure; `charge` tells what it means for the money. */
export class CancelledError extends Error {
	override readonly name = 'CancelledError';

	constructor(
		readonly charge: Charge,
		/** Absolute path of what had come of an answer. */
		readonly answerFile?: string,
	) {
		super(`cancelled (${charge})`);
	}
}

/** The process that asks has to end before the image is here. Not a failure of the service. */
export class InterruptedError extends Error {
	override readonly name = 'InterruptedError';

	/** @param message why, in a few words: `SIGTERM`, or the message of an unexpected error */
	constructor(message: string, cause?: unknown) {
		super(message, { cause });
	}
}

/** The error of what a signal has ended: its reason where that is an interruption, else cancelling. */
export function endOf(
	{ reason }: AbortSignal,
	charge: Charge,
	answerFile?: string,
): InterruptedError | CancelledError {
	return reason instanceof InterruptedError ? reason : new CancelledError(charge, answerFile);
}

export function isImageServiceError(error: unknown): error is ImageServiceError {
	return error instanceof ImageServiceError;
}

export function isCancelled(error: unknown): error is CancelledError {
	return error instanceof CancelledError;
}

/** Returns whether to retry: 408, 409, 425, 429 and 5xx (specification, "Errors", rule 2). */
export function isRepeatableStatus(status: number): boolean {
	return [408, 409, 425, 429].includes(status) || (status >= 500 && status <= 599);
}
