// How a page and the extension talk. The page sends requests, and every one of them is settled: when it
// is done, by an error, because the extension closes its end, or by a time-out. The extension sends
// events, which are not answered; what a request was for comes as events too. The ends are
// `pageChannel.ts` and `hostChannel.ts`; this is what goes between them.
import * as z from 'zod/mini';

/**
 * Messages between one page and the extension. Both sides are typed from it, and check by it what
 * they receive.
 */
export interface Protocol {
	/** Requests of the page, distinguished by `type`. */
	readonly request: z.ZodMiniType<{ readonly type: string }>;
	/** Events that the extension sends to the page, distinguished by `type`. */
	readonly event: z.ZodMiniType<{ readonly type: string }>;
}

export type RequestOf<P extends Protocol> = z.infer<P['request']>;

export type EventOf<P extends Protocol> = z.infer<P['event']>;

/**
 * Unique among all pages: an answer that is late must not be taken for that to another request of
 * the page that has come in place of the one that asked.
 */
const id = z.uuid();

/** Around every request. */
export const fromPageSchema = z.strictObject({
	kind: z.literal('request'),
	id,
	request: z.unknown(),
});
export type FromPage = z.infer<typeof fromPageSchema>;

/** Around everything that the extension sends. */
export const fromExtensionSchema = z.discriminatedUnion('kind', [
	z.strictObject({ kind: z.literal('event'), event: z.unknown() }),
	/** A request is done. */
	z.strictObject({ kind: z.literal('done'), id }),
	/** Why a request could not be fulfilled, in words for people. */
	z.strictObject({ kind: z.literal('error'), id, message: z.string().check(z.maxLength(4000)) }),
	/** There will be no answer to anything any more. */
	z.strictObject({ kind: z.literal('closed') }),
]);
export type FromExtension = z.infer<typeof fromExtensionSchema>;

/** A message that was understood, or what is wrong with it; never the message itself. */
export type ParsedMessage<T> =
	| { readonly success: true; readonly message: T }
	| { readonly success: false; readonly problem: string };

/** Parses a message of the other side. */
export function parseMessage<T>(schema: z.ZodMiniType<T>, data: unknown): ParsedMessage<T> {
	const result = z.safeParse(schema, data);
	if (result.success) {
		return { success: true, message: result.data };
	}
	// Codes and the paths of our own fields: what a stranger wrote stays out.
	const issues = result.error.issues.slice(0, 5);
	return {
		success: false,
		problem: issues.map(({ code, path }) => [path.join('.'), code].join(' ').trim()).join(', '),
	};
}
