import * as z from 'zod';
import { bearer } from '../service/sendRequest.js';

/** A question to a language model. */
export interface ModelQuestion {
	/** An identifier of the service's model list. */
	readonly model: string;
	/** The instruction; nothing in it comes from a document. */
	readonly instructions: string;
	/** The text that the instruction is about. */
	readonly text: string;
	readonly image?: ModelImage | undefined;
}

export interface ModelImage {
	readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp';
	readonly bytes: Uint8Array;
}

/** Content of one event of an answer. */
export interface ModelEvent {
	readonly text?: string | undefined;
	/** True where the answer is complete. */
	readonly isEnd?: boolean;
	/** Why it ends, in the service's own word. */
	readonly reason?: string | undefined;
}

/** The protocol of one family of services (specification, "Other protocol endpoints"). */
export interface ModelProtocol {
	/** "One shared address must not be used for all protocols" (specification, "Addresses by protocol"). */
	readonly path: string;
	/** @throws {RequestError} where the key cannot stand in a header */
	readonly headers: (key: string) => Readonly<Record<string, string>>;
	readonly body: (question: ModelQuestion) => unknown;
	/**
	 * Reads the data of an event, or the answer of a service that does not stream. Anything else says
	 * nothing: services add events of their own.
	 */
	readonly read: (data: unknown) => ModelEvent;
}

/** Length of an answer, in tokens: some 3,000 words. */
const maxTokens = 4096;

const message = z.looseObject({ content: z.unknown().optional() }).nullish().catch(undefined);
const chatAnswer = z.looseObject({
	choices: z.array(
		z.looseObject({
			delta: message,
			message,
			finish_reason: z.string().nullish().catch(undefined),
		}),
	),
});

const messagesAnswer = z.looseObject({
	type: z.string(),
	delta: z
		.looseObject({ text: z.string().nullish(), stop_reason: z.string().nullish() })
		.nullish()
		.catch(undefined),
	content: z.unknown().optional(),
	stop_reason: z.string().nullish().catch(undefined),
});

const textPart = z.looseObject({ type: z.literal('text').optional(), text: z.string() });

/** The payloads are those that the two families have in public; the specification leaves them out. */
export const protocols = {
	/** Chat completions: `POST {base_url}/v1/chat/completions`, a bearer token. */
	chat: {
		path: '/v1/chat/completions',
		headers: (key) => ({ authorization: bearer(key) }),
		body: ({ model, instructions, text, image }) => ({
			model,
			stream: true,
			messages: [
				{ role: 'system', content: instructions },
				{
					role: 'user',
					content: [
						...(image === undefined
							? []
							: [{ type: 'image_url', image_url: { url: dataUri(image) } }]),
						{ type: 'text', text },
					],
				},
			],
		}),
		read: (data) => {
			const choice = chatAnswer.safeParse(data).data?.choices[0];
			const reason = choice?.finish_reason || undefined;
			const { content } = choice?.delta ?? choice?.message ?? {};
			return { text: joinText(content), isEnd: reason !== undefined, reason };
		},
	},
	/** Messages: `POST {base_url}/messages`, `x-api-key`, and a header of the version. */
	messages: {
		path: '/messages',
		headers: (key) => {
			// Not the token's own form, but the same letters.
			bearer(key);
			return { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
		},
		body: ({ model, instructions, text, image }) => ({
			model,
			stream: true,
			max_tokens: maxTokens,
			system: instructions,
			messages: [
				{
					role: 'user',
					content: [
						...(image === undefined
							? []
							: [
									{
										type: 'image',
										source: {
											type: 'base64',
											media_type: image.contentType,
											data: base64(image),
										},
									},
								]),
						{ type: 'text', text },
					],
				},
			],
		}),
		read: (data) => {
			const event = messagesAnswer.safeParse(data).data;
			return {
				text: event?.delta?.text ?? joinText(event?.content),
				isEnd: event?.type === 'message_stop' || event?.type === 'message',
				reason: (event?.delta?.stop_reason ?? event?.stop_reason) || undefined,
			};
		},
	},
} as const satisfies Record<string, ModelProtocol>;

/** Returns the text of a message: it comes as one, or in parts, among which thoughts are no text. */
function joinText(content: unknown): string {
	const parts: unknown[] = Array.isArray(content) ? content : [];
	return typeof content === 'string'
		? content
		: parts.map((part) => textPart.safeParse(part).data?.text ?? '').join('');
}

function dataUri(image: ModelImage): string {
	return `data:${image.contentType};base64,${base64(image)}`;
}

function base64({ bytes }: ModelImage): string {
	return Buffer.from(bytes).toString('base64');
}
