import * as z from 'zod';
import { failureFactsSchema } from './failure.js';

/** One try of a job: recorded before its first byte is sent, completed when it has ended. */
const attemptSchema = z.object({
	number: z.number().int().min(1),
	startedAt: z.iso.datetime(),
	failure: failureFactsSchema.optional(),
});

const resultSchema = z.object({
	/** Absolute path of the image in the job's folder, whole and flushed. */
	file: z.string(),
	format: z.enum(['png', 'jpeg', 'webp']),
	contentType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
	extension: z.enum(['.png', '.jpg', '.webp']),
	width: z.number().int(),
	height: z.number().int(),
	bytes: z.number().int(),
	/** SHA-256 of the bytes, hexadecimal. */
	sha256: z.string(),
	requestId: z.string().optional(),
	revisedPrompt: z.string().optional(),
	elapsedMs: z.number(),
});

const common = {
	attempts: z.array(attemptSchema),
	changedAt: z.iso.datetime(),
	/** Whether a person has been told of this end; a window can go before it could show anything. */
	told: z.boolean().optional(),
	/** Whether the person has put this failure aside. */
	dismissed: z.boolean().optional(),
};

/**
 * The life of a job: queued → sending → waiting → receiving → received → saved, or failed,
 * cancelled, interrupted. The worker writes it while it lives, the extension before and after.
 */
export const jobStateSchema = z.discriminatedUnion('state', [
	z.object({ ...common, state: z.literal('queued') }),
	z.object({ ...common, state: z.literal('sending') }),
	z.object({ ...common, state: z.literal('waiting') }),
	z.object({ ...common, state: z.literal('receiving') }),
	/** Between two attempts; `until` is missing where a person has to decide. */
	z.object({ ...common, state: z.literal('pausing'), until: z.iso.datetime().optional() }),
	z.object({
		...common,
		state: z.literal('received'),
		result: resultSchema,
		/** Whether a window has begun to put it into the workspace; it may be there already. */
		saving: z.boolean().optional(),
	}),
	z.object({ ...common, state: z.literal('saved'), result: resultSchema, target: z.string() }),
	z.object({ ...common, state: z.literal('failed'), failure: failureFactsSchema }),
	z.object({
		...common,
		state: z.literal('cancelled'),
		charge: z.enum(['notSent', 'rejected', 'ambiguous', 'delivered']),
	}),
	z.object({
		...common,
		state: z.literal('interrupted'),
		charge: z.enum(['notSent', 'rejected', 'ambiguous', 'delivered']),
	}),
]);

export type JobState = z.infer<typeof jobStateSchema>;
export type JobResult = z.infer<typeof resultSchema>;
export type Attempt = z.infer<typeof attemptSchema>;

/** Whether nothing will change any more by itself. */
export function isOver({ state }: JobState): boolean {
	return ['saved', 'failed', 'cancelled', 'interrupted'].includes(state);
}
