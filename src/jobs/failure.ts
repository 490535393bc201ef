import * as z from 'zod';
import { logText, type ErrorFacts } from '../easelError.js';
import {
	AnswerError,
	charges,
	RequestError,
	StatusError,
	type ImageServiceError,
} from '../service/errors.js';
import { meanings } from '../service/services.js';
import type { FailedAttempt, RetryDecision } from '../service/retry.js';

export const chargeSchema = z.enum(charges);

/** An error as data. A newer version may have written one that has no text in this one. */
export const errorFactsSchema = z.looseObject({
	code: z.string(),
}) as unknown as z.ZodType<ErrorFacts>;

/** Facts of a failure, as data: it crosses processes and stands in the journal. */
export const failureFactsSchema = z.object({
	/** A kind of the service's errors, or: no worker, a wrong setting, a fault of Easel. */
	kind: z.enum([
		...(['request', 'connection', 'status', 'timeout', 'answer', 'storage'] as const),
		...(['worker', 'setting', 'unexpected'] as const),
	]),
	/** The service's own words; with `error`, a text for the log. */
	message: z.string(),
	/** Error that Easel has words for. */
	error: errorFactsSchema.optional(),
	/** See `Charge`; of a job's end, the worst of all its attempts. */
	charge: chargeSchema,
	/**
	 * True where an attempt before the last one has this charge, and not the one that `message`
	 * tells of.
	 */
	earlier: z.boolean().optional(),
	/** True where sending the same request again may help. */
	repeatable: z.boolean(),
	/** HTTP status, and the service's own identifier of the request, where it answered. */
	status: z.number().optional(),
	requestId: z.string().optional(),
	/** Field or setting to correct, where the request itself is wrong, or the setting. */
	field: z.string().optional(),
	/** Meaning of an error to the service, where its status alone does not say it. */
	meaning: z.enum(meanings).optional(),
	/** The code of an error that the service reports, and the link that came in place of an image. */
	code: z.string().optional(),
	link: z.string().optional(),
	/** Absolute path of what has come of an answer that was not understood, with the key hidden. */
	answerFile: z.string().optional(),
	/** True where the user has dealt with it, and only the answer is still kept. */
	isDealtWith: z.boolean().optional(),
	/** From the start of the attempt to its failure, in milliseconds; 0 where there was none. */
	elapsedMs: z.number(),
	/** Time that the machine seems to have slept meanwhile, in milliseconds. */
	asleepMs: z.number().optional(),
	/**
	 * True where an image may well have been made and charged: by this attempt; at the end, by any.
	 */
	unknownOutcome: z.boolean(),
	/**
	 * Number of attempts that may have been charged, this one among them; missing where there is one at
	 * most.
	 */
	sentTimes: z.number().int().optional(),
	/** Number of these that were answered with success, and have probably been charged. */
	chargedTimes: z.number().int().optional(),
});

export type FailureFacts = z.infer<typeof failureFactsSchema>;

/** `RetryDecision` of the service room, as it crosses processes. */
export const retryDecisionSchema = z.discriminatedUnion('action', [
	z.object({ action: z.literal('stop') }),
	z.object({ action: z.literal('wait'), waitMs: z.number(), mayHaveBeenMade: z.boolean() }),
	z.object({ action: z.literal('ask'), waitMs: z.number() }),
]) satisfies z.ZodType<RetryDecision>;

/** The facts of an error, as data. */
export function factsOf(
	error: ImageServiceError,
	{ elapsedMs, jumpMs = 0 }: Omit<FailedAttempt, 'error'>,
	unknownOutcome: boolean,
): FailureFacts {
	const { kind, charge, repeatable, status, requestId, answerFile } = error;
	const { code, link } = error instanceof AnswerError ? error : {};
	const field = error instanceof RequestError ? error.field : undefined;
	const meaning = error instanceof StatusError ? error.meaning : undefined;
	const asleepMs = jumpMs > 0 ? jumpMs : undefined;
	const facts = {
		kind,
		charge,
		repeatable,
		elapsedMs,
		unknownOutcome,
		...errorFields(error.facts),
	};
	const more: Partial<FailureFacts> = {
		...{ status, requestId, answerFile, field, meaning, code, link, asleepMs },
	};
	const known = Object.entries(more).filter(([, value]) => value !== undefined);
	return { ...facts, ...Object.fromEntries(known) };
}

/** Returns an error as it is noted: in words, and as data where Easel words it. */
export function errorFields(facts: ErrorFacts): Pick<FailureFacts, 'message' | 'error'> {
	const message = logText(facts);
	return facts.code === 'words' ? { message } : { message, error: facts };
}
