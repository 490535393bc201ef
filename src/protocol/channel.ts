// How a page and the extension talk. The page sends requests, and every one of them is settled: by an
// answer, an error, because the extension closes its end, or by a time-out. The extension sends
// events, which nobody answers. The ends are `pageEnd.ts` and `extensionEnd.ts`; this is what goes
// between them.
import * as z from 'zod/mini';

/**
 * What one page and the extension say to each other. Both sides are typed from it, and check by it
 * what they receive.
 */
export interface Protocol {
	/** What the page asks for, told apart by `type`. */
	readonly request: z.ZodMiniType<{ readonly type: string }>;
	/** What requests are answered with, by their `type`. All others are answered with nothing. */
	readonly answers: Readonly<Record<string, z.ZodMiniType>>;
	/** What the extension tells the page, told apart by `type`. */
	readonly event: z.ZodMiniType<{ readonly type: string }>;
}

export type RequestOf<P extends Protocol> = z.infer<P['request']>;

export type AnswerTo<P extends Protocol, Type extends string> = Type extends keyof P['answers']
	? z.infer<P['answers'][Type]>
	: void;

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
	z.strictObject({ kind: z.literal('answer'), id, answer: z.optional(z.unknown()) }),
	/** Why a request could not be fulfilled, in words for people. */
	z.strictObject({ kind: z.literal('error'), id, message: z.string().check(z.maxLength(4000)) }),
	/** There will be no answer to anything any more. */
	z.strictObject({ kind: z.literal('closed') }),
]);
export type FromExtension = z.infer<typeof fromExtensionSchema>;
