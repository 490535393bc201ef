import * as z from 'zod';
import type { ImageServiceError } from '../service/errors.js';
import type { Failure, RetryDecision } from '../service/retry.js';

/** What is known of a failure, as data: it crosses processes and stands in the journal. */
export const failureFactsSchema = z.object({
	/** Those of the service's errors; no worker could be started; a setting; what nobody expected. */
	kind: z.enum([
		...(['request', 'connection', 'status', 'timeout', 'answer', 'storage'] as const),
		...(['worker', 'setting', 'unexpected'] as const),
	]),
	message: z.string(),
	charge: z.enum(['notSent', 'rejected', 'ambiguous', 'delivered']),
	repeatable: z.boolean(),
	status: z.number().optional(),
	requestId: z.string().optional(),
	/** What has to be corrected, where the request itself is wrong, or the setting. */
	field: z.string().optional(),
	/** From the start of the attempt to its failure, in milliseconds. */
	elapsedMs: z.number(),
	/** Whether an image may well have been made and charged by this attempt. */
	unknownOutcome: z.boolean(),
});

export type FailureFacts = z.infer<typeof failureFactsSchema>;

export const retryDecisionSchema = z.discriminatedUnion('action', [
	z.object({ action: z.literal('stop') }),
	z.object({ action: z.literal('wait'), waitMs: z.number(), mayHaveBeenMade: z.boolean() }),
	z.object({ action: z.literal('ask'), waitMs: z.number() }),
]) satisfies z.ZodType<RetryDecision>;

export function factsOf(
	error: ImageServiceError,
	{ elapsedMs }: Pick<Failure, 'elapsedMs'>,
	unknownOutcome: boolean,
): FailureFacts {
	return {
		kind: error.kind,
		message: error.message,
		charge: error.charge,
		repeatable: error.repeatable,
		elapsedMs,
		unknownOutcome,
		...(error.status === undefined ? {} : { status: error.status }),
		...(error.requestId === undefined ? {} : { requestId: error.requestId }),
		...('field' in error && typeof error.field === 'string' ? { field: error.field } : {}),
	};
}
