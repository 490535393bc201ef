import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { networkOptionsSchema } from '../service/transport.js';
import { failureFactsSchema, retryDecisionSchema } from './failure.js';

/** What the worker gets through its standard input: the key goes no other way. */
export const orderSchema = z.object({
	folder: z.string(),
	address: z.string(),
	key: z.string(),
	network: networkOptionsSchema,
	timeoutMs: z.number(),
	retry: z.enum(['all', 'ask', 'never']),
});

export type Order = z.infer<typeof orderSchema>;

/** What a job says about itself while it runs. */
export const jobEventSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('attempt'), attempt: z.number(), endpoint: z.string() }),
	z.object({ type: z.literal('phase'), phase: z.enum(['sending', 'waiting', 'receiving']) }),
	z.object({
		type: z.literal('failed'),
		attempt: z.number(),
		failure: failureFactsSchema,
		next: retryDecisionSchema,
	}),
]);

export type JobEvent = z.infer<typeof jobEventSchema>;

/** What a window says to the worker. */
export const commandSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('cancel') }),
	z.object({ type: z.literal('answer'), again: z.boolean() }),
]);

export type Command = z.infer<typeof commandSchema>;

export function send(socket: Socket, message: JobEvent | Command): void {
	if (socket.writable) {
		socket.write(`${JSON.stringify(message)}\n`);
	}
}

/** Calls back for each message; what is none is dropped, for it cannot come from us. */
export function receive<T>(
	socket: Socket,
	schema: z.ZodType<T>,
	onMessage: (message: T) => void,
): void {
	const lines = createInterface({ input: socket });
	// It repeats the socket's error, which whoever owns the socket hears anyway.
	lines.on('error', () => undefined);
	lines.on('line', (line) => {
		try {
			const parsed = schema.safeParse(JSON.parse(line));
			if (parsed.success) {
				onMessage(parsed.data);
			}
		} catch {
			// Not JSON.
		}
	});
}
