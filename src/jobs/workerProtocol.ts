import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { networkOptionsSchema } from '../service/transport.js';
import { errorFactsSchema, failureFactsSchema, retryDecisionSchema } from './failure.js';
import { toMessageLine, receiveLines } from './messageLines.js';
import { jobStateSchema } from './state.js';

/** Messages of the worker on its standard output before it can be followed, one message a line. */
export const startMessageSchema = z.discriminatedUnion('type', [
	/** It is a worker of ours and runs as Node: nothing is written to it before that. */
	z.object({ type: z.literal('hello'), node: z.string() }),
	/** It can be followed, and goes on by itself. */
	z.object({ type: z.literal('ready') }),
	/** It ends, and has sent nothing. */
	z.object({ type: z.literal('refused'), error: errorFactsSchema }),
]);

export type StartMessage = z.infer<typeof startMessageSchema>;

/** Input of the worker on its standard input, as one line. The key reaches it no other way. */
export const workerInputSchema = z.object({
	/** The job's own folder. */
	folder: z.string(),
	/** The slot that the window has acquired for it, which it takes over. */
	slot: z.object({ folder: z.string(), name: z.string(), number: z.number().int() }).optional(),
	address: z.string(),
	key: z.string(),
	network: networkOptionsSchema,
	/** Longest duration of one attempt, in milliseconds. */
	timeoutMs: z.number(),
	retry: z.enum(['all', 'ask', 'never']),
});

export type WorkerInput = z.infer<typeof workerInputSchema>;

/** Events of a job while it runs. */
const newJobEventSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('attempt'), attempt: z.number(), endpoint: z.string() }),
	z.object({ type: z.literal('phase'), phase: z.enum(['sending', 'waiting', 'receiving']) }),
	z.object({
		type: z.literal('failed'),
		attempt: z.number(),
		failure: failureFactsSchema,
		next: retryDecisionSchema,
	}),
	/**
	 * The disk refuses what arrives, with the system's code; without a code, it accepts it again.
	 * `isEverywhere` says that no folder takes it: the user may choose another.
	 */
	z.object({
		type: z.literal('stalled'),
		code: z.string().optional(),
		isEverywhere: z.boolean().optional(),
	}),
	/** The last one. `isNoted` is false where the journal does not have it (yet). */
	z.object({ type: z.literal('ended'), state: jobStateSchema, isNoted: z.boolean() }),
]);

/** An event with how long ago it happened, in milliseconds by the worker's monotonic clock. */
export const jobEventSchema = newJobEventSchema.and(z.object({ ageMs: z.number().min(0) }));

export type JobEvent = z.infer<typeof jobEventSchema>;
/** An event as it happens. */
export type NewJobEvent = z.infer<typeof newJobEventSchema>;

/** Commands of a window to the worker. */
export const commandSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('cancel') }),
	z.object({ type: z.literal('answer'), again: z.boolean() }),
	/** A folder, absolute, that the user has chosen for an image that no other takes. */
	z.object({ type: z.literal('folder'), folder: z.string() }),
	/** The window has the last event, so the worker need not hold it any longer. */
	z.object({ type: z.literal('taken') }),
]);

export type Command = z.infer<typeof commandSchema>;

/** Sends a message; where the connection has ended, it is dropped. */
export function send(socket: Socket, message: JobEvent | Command): void {
	if (socket.writable) {
		socket.write(toMessageLine(message));
	}
}

/** More than any message of ours has, in UTF-16 code units. */
const maxLineLength = 8 * 1024 * 1024;

/** Calls back for each line that is a valid message, and drops others. A line too long ends the stream. */
export function receive<T>(
	stream: Readable,
	schema: z.ZodType<T>,
	onMessage: (message: T) => void,
): void {
	receiveLines(stream, maxLineLength, (value) => {
		const message = schema.safeParse(value);
		if (message.success) {
			onMessage(message.data);
		}
	});
}
