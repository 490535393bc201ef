import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { cutPieces, faultyStatus, jsonAnswer, send, type Answer } from './answer.js';
import { checkAuthorization, recordedHeaders, type AcceptedKey } from './authorization.js';
import { withoutDirectives, type Effects, type FaultBox } from './faults.js';
import { ClientLeft, readJsonObject } from './form.js';
import type { Manner } from './manners.js';
import { badRequest, Refusal } from './refusal.js';

/** The two protocol families beside the images (specification, "Other protocol endpoints"). */
export type Protocol = 'chat' | 'messages';

export function modelEndpoints({ base }: Manner): ReadonlyMap<string, Protocol> {
	return new Map([
		[`${base}/chat/completions`, 'chat'],
		['/messages', 'messages'],
	]);
}

/** A picture as a model was given it. */
export interface SeenPicture {
	readonly contentType: string;
	/** In bytes. */
	readonly size: number;
	/** In lower-case hex. */
	readonly sha256: string;
}

/** One request to a language model, as it was sent. */
export interface ModelRequest {
	readonly protocol: Protocol;
	/** Headers as received; keys are replaced by the result of their check. */
	readonly headers: Readonly<Record<string, string>>;
	readonly model: string;
	readonly instructions: string;
	/** Texts of the user, joined. */
	readonly text: string;
	readonly pictures: readonly SeenPicture[];
	/** The status sent; `left` where the client was gone before, `cut` where a fault cut it. */
	status?: number | 'cut' | 'left';
}

/** A request, in either protocol. */
type Question = Pick<ModelRequest, 'model' | 'instructions' | 'text' | 'pictures'>;

/** Answers a question. */
export type Reply = string | ((question: Question) => string);

const version = '2023-06-01';

/** The language models of the stand-in: they answer what a test has put into `replies`. */
export class LanguageModels {
	readonly requests: ModelRequest[] = [];
	/** For the next requests, one each; then a model repeats the beginning of its question. */
	readonly replies: Reply[] = [];

	constructor(
		private readonly keys: readonly AcceptedKey[],
		private readonly faults: FaultBox,
		private readonly changed: () => void,
		private readonly manner: Manner,
	) {
		this.list = manner.models;
	}

	/** Items of the list; `undefined` where the service has no list. */
	list: readonly string[] | undefined;

	/** Answers with the list of models: to a key in the header of either protocol. */
	async answerList(
		request: IncomingMessage,
		response: ServerResponse,
		gone: AbortSignal,
	): Promise<void> {
		const { headers } = request;
		const protocol = headers['x-api-key'] === undefined ? 'chat' : 'messages';
		try {
			checkAuthorization(authorizationOf(headers, protocol), this.keys, this.manner);
			const data = this.list?.map((id) => ({ id, object: 'model' }));
			const answer =
				data === undefined
					? jsonAnswer(404, { error: { message: 'Not found.' } })
					: jsonAnswer(200, { object: 'list', data });
			await send(response, answer, {}, gone);
		} catch (error) {
			if (!(error instanceof Refusal)) {
				throw error;
			}
			await send(response, jsonAnswer(error.status, error.body, error.headers), {}, gone);
		}
	}

	/** @param gone the client went away, or the service closes */
	async answer(
		request: IncomingMessage,
		response: ServerResponse,
		protocol: Protocol,
		gone: AbortSignal,
	): Promise<void> {
		let record: ModelRequest | undefined;
		let status: ModelRequest['status'] = 'left';
		try {
			checkAuthorization(authorizationOf(request.headers, protocol), this.keys, this.manner);
			const body = await readJsonObject(request);
			const question = protocol === 'chat' ? readChat(body) : readMessages(body);
			const headers = recordedHeaders(authorizationOf(request.headers, protocol), this.keys);
			record = { protocol, headers, ...question };
			this.requests.push(record);
			this.changed();
			const effects = this.faults.take(protocol, question.text);
			if (effects.delay !== undefined) {
				await sleep(effects.delay, undefined, { signal: gone });
			}
			if (effects.cut === 'headers') {
				status = 'cut';
				response.destroy();
				return;
			}
			const answer = this.#answerTo(question, protocol, effects);
			status = (await send(response, answer, effects, gone)) === 'cut' ? 'cut' : answer.status;
		} catch (error) {
			if (error instanceof Refusal) {
				({ status } = error);
				await send(response, jsonAnswer(error.status, error.body, error.headers), {}, gone);
			} else if (!(error instanceof ClientLeft) && !gone.aborted) {
				throw error;
			}
		} finally {
			if (record !== undefined) {
				record.status = status;
			}
			this.changed();
		}
	}

	#answerTo(question: Question, protocol: Protocol, effects: Effects): Answer {
		if (effects.status !== undefined) {
			return faultyStatus(effects.status, effects);
		}
		const reply = this.replies.shift() ?? ownReply;
		const words = typeof reply === 'string' ? reply : reply(question);
		const events =
			protocol === 'chat' ? chatEvents(words, this.manner.firstEvent) : messagesEvents(words);
		return {
			status: 200,
			headers: { 'content-type': 'text/event-stream' },
			body: cutPieces(events, effects.chunkSize),
		};
	}
}

/** Answer of a model that has none prepared. */
function ownReply({ text, pictures }: Question): string {
	const words = withoutDirectives(text).split(' ').slice(0, 12).join(' ');
	return pictures.length > 0 ? `A picture of ${pictures[0]!.size} bytes` : `A picture of: ${words}`;
}

/**
 * Specification, "Authentication", 1 and 2: each protocol has a header of its own for the key.
 *
 * @throws {Refusal} 400 where the version is missing
 */
function authorizationOf(headers: IncomingHttpHeaders, protocol: Protocol): IncomingHttpHeaders {
	if (protocol === 'chat') {
		return headers;
	}
	if (headers['anthropic-version'] !== version) {
		throw badRequest(`anthropic-version: must be ${version}.`);
	}
	const { 'x-api-key': key, ...others } = headers;
	return { ...others, authorization: key === undefined ? undefined : `Bearer ${String(key)}` };
}

const dataUri = z.string().regex(/^data:image\/(png|jpeg|webp|gif);base64,/);
const chatSchema = z.looseObject({
	model: z.string().min(1),
	stream: z.literal(true),
	messages: z
		.array(
			z.strictObject({
				role: z.enum(['system', 'user']),
				content: z.union([
					z.string(),
					z.array(
						z.discriminatedUnion('type', [
							z.strictObject({ type: z.literal('text'), text: z.string() }),
							z.strictObject({
								type: z.literal('image_url'),
								image_url: z.strictObject({ url: dataUri }),
							}),
						]),
					),
				]),
			}),
		)
		.min(1),
});

function readChat(body: unknown): Question {
	const { model, messages } = parse(chatSchema, body);
	const parts = (role: string) =>
		messages
			.filter((message) => message.role === role)
			.flatMap(({ content }) =>
				typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
			);
	const pictures = parts('user').flatMap((part) => {
		const [, contentType = '', data = ''] =
			/^data:([^;]+);base64,(.*)$/s.exec(part.type === 'text' ? '' : part.image_url.url) ?? [];
		return data === '' ? [] : [seen(contentType, data)];
	});
	return {
		model,
		instructions: textIn(parts('system')),
		text: textIn(parts('user')),
		pictures,
	};
}

const messagesSchema = z.looseObject({
	model: z.string().min(1),
	max_tokens: z.int().positive(),
	stream: z.literal(true),
	system: z.string().default(''),
	messages: z
		.array(
			z.strictObject({
				role: z.literal('user'),
				content: z.union([
					z.string(),
					z.array(
						z.discriminatedUnion('type', [
							z.strictObject({ type: z.literal('text'), text: z.string() }),
							z.strictObject({
								type: z.literal('image'),
								source: z.strictObject({
									type: z.literal('base64'),
									media_type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
									data: z.string().min(1),
								}),
							}),
						]),
					),
				]),
			}),
		)
		.min(1),
});

function readMessages(body: unknown): Question {
	const { model, system, messages } = parse(messagesSchema, body);
	const parts = messages.flatMap(({ content }) =>
		typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
	);
	const pictures = parts.flatMap((part) =>
		part.type === 'image' ? [seen(part.source.media_type, part.source.data)] : [],
	);
	return { model, instructions: system, text: textIn(parts), pictures };
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
	const { success, data, error } = schema.safeParse(body);
	if (!success) {
		throw badRequest(z.prettifyError(error));
	}
	return data;
}

function textIn(parts: readonly { readonly type: string; readonly text?: string }[]): string {
	return parts.flatMap(({ text }) => text ?? []).join('\n');
}

function seen(contentType: string, base64: string): SeenPicture {
	const bytes = Buffer.from(base64, 'base64');
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	return { contentType, size: bytes.length, sha256 };
}

function* chatEvents(words: string, first: object | undefined): Generator<string> {
	if (first !== undefined) {
		yield `data: ${JSON.stringify(first)}\n\n`;
	}
	const chunk = (delta: object, finish: string | null) =>
		`data: ${JSON.stringify({
			id: 'chatcmpl-1',
			object: 'chat.completion.chunk',
			created: 1,
			model: 'stand-in',
			choices: [{ index: 0, delta, finish_reason: finish }],
		})}\n\n`;
	yield chunk({ role: 'assistant', content: '' }, null);
	for (const content of piecesOf(words)) {
		yield chunk({ content }, null);
	}
	yield chunk({}, 'stop');
	yield 'data: [DONE]\n\n';
}

function messagesReply(text: string) {
	return {
		id: 'msg_1',
		type: 'message',
		role: 'assistant',
		model: 'stand-in',
		content: [{ type: 'text', text }],
		stop_reason: 'end_turn',
		stop_sequence: null,
		usage: { input_tokens: 1, output_tokens: 1 },
	};
}

function* messagesEvents(words: string): Generator<string> {
	const event = (data: { readonly type: string }) =>
		`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
	yield event({
		type: 'message_start',
		...{ message: { ...messagesReply(''), content: [], stop_reason: null } },
	});
	yield event({
		type: 'content_block_start',
		...{ index: 0, content_block: { type: 'text', text: '' } },
	});
	yield event({ type: 'ping' });
	for (const text of piecesOf(words)) {
		yield event({
			type: 'content_block_delta',
			...{ index: 0, delta: { type: 'text_delta', text } },
		});
	}
	yield event({ type: 'content_block_stop', ...{ index: 0 } });
	yield event({
		type: 'message_delta',
		...{ delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
	});
	yield event({ type: 'message_stop' });
}

/** A model's words as they come, a word at a time. */
function piecesOf(words: string): string[] {
	return words.match(/\s*\S+\s*$|\s*\S+/g) ?? [words];
}
