import { STATUS_CODES } from 'node:http';
import { openAsBlob } from 'node:fs';
import { ReadableStream } from 'node:stream/web';
import path from 'node:path';
import type { Dispatcher } from 'undici';
import { defaultAnswerLimit, receiveImage, type ReceivedImage } from './answer.js';
import { serviceUrl } from './address.js';
import { systemClock, type Clock } from './clock.js';
import {
	defaultModel,
	editFieldsSchema,
	errorResponseSchema,
	generationBodySchema,
	type Quality,
	type ReferenceContentType,
	type Size,
} from './contract.js';
import {
	CancelledError,
	ConnectionError,
	isImageServiceError,
	isRepeatableStatus,
	RequestError,
	StatusError,
	TimeoutError,
	type Charge,
} from './errors.js';
import { observeSending } from './observeSending.js';
import { lateAfterMs } from './retry.js';
import { transportFailure } from './transportFailure.js';

/** What the service is asked for: one image. */
export interface ImageCall {
	readonly model?: string | undefined;
	readonly prompt: string;
	readonly size: Size;
	/** Goes into generations only; the edits endpoint does not declare it. */
	readonly quality?: Quality | undefined;
	/** With references the edits endpoint is called, without them the generations endpoint. */
	readonly references: readonly ReferenceFile[];
}

export interface ReferenceFile {
	/** Absolute path; the file must not change while it is sent. */
	readonly path: string;
	/** The name that the service is told. */
	readonly fileName: string;
	/** Decided by the file's first bytes, not by its name. */
	readonly contentType: ReferenceContentType;
}

/** How far an attempt has come. `waiting` starts when the request has left completely. */
export type Phase = 'sending' | 'waiting' | 'receiving';

export interface CallOptions {
	/** Host address without a path, for example `https://images.example.com`. */
	readonly address: string;
	readonly key: string;
	readonly dispatcher: Dispatcher;
	/** Where the image goes; the file appears when it is whole. */
	readonly file: string;
	/** Longest duration of the whole attempt, in milliseconds. */
	readonly timeoutMs: number;
	/** Largest size of the answer's body, in bytes. */
	readonly answerLimit?: number | undefined;
	readonly signal?: AbortSignal | undefined;
	readonly clock?: Clock | undefined;
	readonly onPhase?: ((phase: Phase) => void) | undefined;
}

export interface CallResult extends ReceivedImage {
	/** The service's own identifier of the request, where its answer named one. */
	readonly requestId: string | undefined;
	readonly status: number;
}

/**
 * Asks the service for one image, once: one request, no repetition (see `retry.ts`). The calls
 * are synchronous: "the client keeps one HTTP request open, and the finished image comes back in
 * the body of that same response" (specification, "What the service does", 3).
 *
 * @throws {RequestError} nothing was sent, the request has to be corrected
 * @throws {ConnectionError} the connection could not be made or broke
 * @throws {StatusError} the service answered with another status than 200
 * @throws {TimeoutError} `timeoutMs` went by
 * @throws {AnswerError} status 200 with an answer that makes no sense
 * @throws {StorageError} the answer could not be written to disk
 * @throws {CancelledError} the signal was aborted; at once, in every phase
 */
export async function callService(call: ImageCall, options: CallOptions): Promise<CallResult> {
	const { signal, clock = systemClock } = options;
	if (signal?.aborted) {
		throw new CancelledError('notSent');
	}
	const url = serviceUrl(options.address, call.references.length > 0 ? 'edits' : 'generations');
	const authorization = bearer(options.key);
	const body = call.references.length > 0 ? await editForm(call) : generationJson(call);
	const { request } = await import('undici');

	// One signal ends every phase: the user's, or our own time-out.
	const ending = new AbortController();
	const timer = new AbortController();
	const onCancel = () => ending.abort(signal?.reason);
	signal?.addEventListener('abort', onCancel, { once: true });
	const timedOut = new Error('time-out');
	clock.sleep(options.timeoutMs, timer.signal).then(
		() => ending.abort(timedOut),
		() => undefined,
	);

	let phase: Phase = 'sending';
	let answered: Answered | undefined;
	const startedAt = clock.now();
	const enter = (next: Phase) => {
		phase = next;
		options.onPhase?.(next);
	};
	enter('sending');
	const sending = observeSending(
		() =>
			request(url, {
				method: 'POST',
				headers: {
					authorization,
					accept: 'application/json',
					...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
				},
				body,
				dispatcher: options.dispatcher,
				signal: ending.signal,
				// Proxies drop the dispatcher's time-outs, and undici's own default would end every
				// call at 300 s; the timer above is the only one that rules.
				headersTimeout: 0,
				bodyTimeout: 0,
			}),
		() => {
			if (phase === 'sending') {
				enter('waiting');
			}
		},
	);
	try {
		if (signal?.aborted) {
			ending.abort(signal.reason);
		}
		const response = await sending.result;
		const requestId = requestIdOf(response.headers);
		answered = { status: response.statusCode, requestId };
		if (response.statusCode !== 200) {
			throw await statusError(response, requestId, clock.now() - startedAt);
		}
		enter('receiving');
		const received = await receiveImage(
			response.body,
			options.file,
			options.answerLimit ?? defaultAnswerLimit,
		);
		return { ...received, requestId, status: response.statusCode };
	} catch (error) {
		if (ending.signal.aborted) {
			const charge = chargeOf(sending.sent(), answered?.status);
			if (ending.signal.reason === timedOut) {
				throw timeoutError(options.timeoutMs, charge, answered);
			}
			throw new CancelledError(charge);
		}
		if (isImageServiceError(error)) {
			// The destroyed body ends the connection, so a hostile endless answer stops here.
			throw withRequestId(error, answered);
		}
		if (answered === undefined || isNetworkError(error)) {
			throw connectionError(error, url, sending.sent(), answered);
		}
		throw error;
	} finally {
		sending.dispose();
		timer.abort();
		signal?.removeEventListener('abort', onCancel);
		// Whatever the end was, nothing of this connection may stay open.
		ending.abort(new Error('finished'));
	}
}

function generationJson(call: ImageCall): string {
	const body = {
		model: call.model ?? defaultModel,
		prompt: call.prompt,
		n: 1,
		size: call.size,
		...(call.quality === undefined ? {} : { quality: call.quality }),
		response_format: 'b64_json',
		output_format: 'png',
	};
	return JSON.stringify(checked(generationBodySchema.safeParse(body)));
}

/** Builds the form of an edit; the files are read from disk while they are sent. */
async function editForm(call: ImageCall) {
	const { FormData } = await import('undici');
	const fields = checked(
		editFieldsSchema.safeParse({
			model: call.model ?? defaultModel,
			prompt: call.prompt,
			n: '1',
			size: call.size,
			response_format: 'b64_json',
			output_format: 'png',
		}),
	);
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) {
		form.append(name, value);
	}
	// "A single reference uses `image`. Several references use repeated `image[]`."
	const name = call.references.length === 1 ? 'image' : 'image[]';
	for (const [index, reference] of call.references.entries()) {
		try {
			const type = reference.contentType;
			const blob = await openAsBlob(reference.path, { type });
			form.append(name, new FileInPieces([blob], reference.fileName, { type }));
		} catch (error) {
			throw new RequestError(
				`references[${String(index)}]`,
				`The reference image ${path.basename(reference.path)} cannot be read. Nothing was sent.`,
				error,
			);
		}
	}
	return form;
}

/**
 * A file of the form. That of Node streams 64 KiB at a time and leaves so much behind before it is
 * collected that many references cost 80 MB; smaller pieces keep that below 30 MB. Like the whole,
 * they cannot be read any more once the file has changed.
 */
class FileInPieces extends File {
	override stream(): ReturnType<File['stream']> {
		return ReadableStream.from(this.#pieces()) as ReturnType<File['stream']>;
	}

	async *#pieces(): AsyncGenerator<Uint8Array> {
		for (let start = 0; start < this.size; start += pieceBytes) {
			yield new Uint8Array(await this.slice(start, start + pieceBytes).arrayBuffer());
		}
	}
}

const pieceBytes = 16 * 1024;

interface Issue {
	readonly path: readonly PropertyKey[];
	readonly message: string;
}

function checked<T>(
	parsed: { success: true; data: T } | { success: false; error: { issues: Issue[] } },
): T {
	if (parsed.success) {
		return parsed.data;
	}
	const issue = parsed.error.issues[0];
	const field = issue?.path.map(String).join('.') ?? '';
	throw new RequestError(
		field,
		field === 'prompt'
			? 'The prompt is empty. Describe the image that you want.'
			: `The request cannot be sent: ${field}: ${issue?.message ?? 'not allowed'}.`,
		parsed.error,
	);
}

/** `Authorization: Bearer <API_KEY>` (specification, "Authentication", 1). */
function bearer(key: string): string {
	// RFC 9110, part 5.5: other characters cannot stand in a header at all.
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new RequestError(
			'key',
			key === ''
				? 'There is no API key for this service address.'
				: 'The API key contains a space or a character that no key has. Set it again.',
		);
	}
	return `Bearer ${key}`;
}

function requestIdOf(headers: Dispatcher.ResponseData['headers']): string | undefined {
	for (const name of ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray']) {
		const value = headers[name];
		const text = Array.isArray(value) ? value[0] : value;
		if (text !== undefined && text !== '') {
			// It ends in messages and in the journal, so its length must be bounded.
			return text.slice(0, 200);
		}
	}
	return undefined;
}

/** Longest error body that is read, in bytes; more than any message needs. */
const errorBodyLimit = 64 * 1024;

async function statusError(
	response: Dispatcher.ResponseData,
	requestId: string | undefined,
	elapsedMs: number,
): Promise<StatusError> {
	const status = response.statusCode;
	const text = await errorText(response.body);
	let type: string | undefined;
	let code: string | undefined;
	let message: string | undefined;
	try {
		const parsed = errorResponseSchema.parse(JSON.parse(text));
		type = parsed.error?.type ?? undefined;
		code = parsed.error?.code == null ? undefined : String(parsed.error.code);
		// "A client reads `error.message` first, then `message`, then the HTTP status text."
		message = [parsed.error?.message, parsed.message].find((words) => words?.trim()) ?? undefined;
	} catch {
		// Not JSON: a gateway's page, or nothing. The status text speaks for it.
	}
	const retryAfter = response.headers['retry-after'];
	return new StatusError(message?.trim() ?? statusText(status, response.statusText), {
		status,
		requestId,
		type,
		code,
		charge: chargeOfStatus(status, elapsedMs),
		retryAfterMs: retryAfterMs(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter),
	});
}

/**
 * A 5xx may come from a gateway that gave up while the work went on. The other repeatable statuses
 * are refusals when they come early; late, they are as unclear as a 5xx. 429 is always a refusal.
 */
function chargeOfStatus(status: number, elapsedMs: number): Charge {
	if (status >= 500) {
		return 'ambiguous';
	}
	const late = elapsedMs >= lateAfterMs && status !== 429;
	return late && isRepeatableStatus(status) ? 'ambiguous' : 'rejected';
}

function statusText(status: number, given: string): string {
	return given.trim() || STATUS_CODES[status] || `HTTP status ${String(status)}`;
}

async function errorText(body: AsyncIterable<Uint8Array>): Promise<string> {
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	try {
		for await (const piece of body) {
			pieces.push(piece);
			bytes += piece.byteLength;
			if (bytes > errorBodyLimit) {
				break;
			}
		}
	} catch {
		// The status is known already; a body that breaks off only costs its words.
	}
	return Buffer.concat(pieces).toString('utf8');
}

/** RFC 9110, part 10.2.3: a number of seconds or a date. Returns milliseconds from now. */
export function retryAfterMs(value: string | undefined, now = Date.now()): number | undefined {
	const text = value?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(text)) {
		return Number(text) * 1000;
	}
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function chargeOf(sent: boolean, status: number | undefined): Charge {
	if (status === 200) {
		return 'delivered';
	}
	if (status !== undefined && status < 500) {
		return 'rejected';
	}
	return sent ? 'ambiguous' : 'notSent';
}

interface Answered {
	readonly status: number;
	readonly requestId: string | undefined;
}

function timeoutError(ms: number, charge: Charge, answered: Answered | undefined): TimeoutError {
	const seconds = Math.round(ms / 1000);
	return new TimeoutError(
		`The service did not finish within ${String(seconds)} seconds, the time-out that is set.`,
		{ charge, ...answered },
	);
}

function connectionError(
	error: unknown,
	url: URL,
	sent: boolean,
	answered: Answered | undefined,
): ConnectionError | RequestError {
	if (error instanceof Error && error.name === 'NotReadableError') {
		return new RequestError(
			'references',
			'A reference image changed or vanished while it was being sent. Nothing was made.',
			error,
		);
	}
	const failure = transportFailure(error, url);
	return new ConnectionError(
		failure.code,
		answered === undefined
			? failure.text
			: `The connection to ${url.host} broke while the image was arriving (${failure.code}).`,
		{ charge: chargeOf(sent, answered?.status), cause: error, ...answered },
	);
}

function isNetworkError(error: unknown): boolean {
	return error instanceof Error && 'code' in error;
}

function withRequestId(error: Error, answered: Answered | undefined): Error {
	return answered === undefined ? error : Object.assign(error, answered);
}
