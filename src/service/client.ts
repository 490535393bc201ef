import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import http, {
	STATUS_CODES,
	type ClientRequest,
	type IncomingHttpHeaders,
	type IncomingMessage,
} from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FormDataEncoder } from 'form-data-encoder';
import { codeOf } from '../files/refusal.js';
import { receiveImage, type ReceivedImage, type ReceiveOptions } from './answer.js';
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
	ConnectionError,
	endOf,
	InterruptedError,
	isImageServiceError,
	isRepeatableStatus,
	RequestError,
	StatusError,
	TimeoutError,
	type Charge,
} from './errors.js';
import { lateAfterMs } from './retry.js';
import type { Transport } from './transport.js';
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

export interface CallOptions extends Pick<ReceiveOptions, 'isWhole' | 'onStall'> {
	readonly transport: Transport;
	readonly key: string;
	/** Where the image goes; the file appears when it is whole. */
	readonly file: string;
	/**
	 * Longest duration of the whole attempt, in milliseconds. A disk that refuses an image that is
	 * here already is waited for as long once more.
	 */
	readonly timeoutMs: number;
	/** Largest size of the answer's body, in bytes. */
	readonly answerLimit?: number | undefined;
	/** Cancels the call; with an {@link InterruptedError} as its reason, ends it as that. */
	readonly signal?: AbortSignal | undefined;
	readonly clock?: Clock | undefined;
	readonly onPhase?: ((phase: Phase) => void) | undefined;
	/** The service has answered; told before its body is read. */
	readonly onAnswer?: ((answered: Answered) => void) | undefined;
}

/** What the head of an answer says. */
export interface Answered {
	readonly status: number;
	/** The service's own identifier of the request, where its answer named one. */
	readonly requestId: string | undefined;
}

export type CallResult = ReceivedImage & Answered;

/**
 * Asks the service for one image, once: one request, no repetition (see `retry.ts`). The calls
 * are synchronous: "the client keeps one HTTP request open, and the finished image comes back in
 * the body of that same response" (specification, "What the service does", 3). An answer that
 * breaks off behind a whole image has brought what was paid for, and counts as one.
 *
 * @throws {RequestError} nothing was sent, the request has to be corrected
 * @throws {ConnectionError} the connection could not be made or broke
 * @throws {StatusError} the service answered with another status than 200
 * @throws {TimeoutError} `timeoutMs` went by
 * @throws {AnswerError} status 200 with an answer that makes no sense
 * @throws {StorageError} the answer could not be written to disk
 * @throws {CancelledError} the signal was aborted; at once, in every phase
 * @throws {InterruptedError} where that is the reason of the signal
 */
export async function callService(call: ImageCall, options: CallOptions): Promise<CallResult> {
	const { signal, clock = systemClock } = options;
	if (signal?.aborted) {
		throw endOf(signal, 'notSent');
	}
	const url = serviceUrl(
		options.transport.address,
		call.references.length > 0 ? 'edits' : 'generations',
	);
	const authorization = bearer(options.key);
	const body = call.references.length > 0 ? await editForm(call) : generationJson(call);

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

	let sent = false;
	let answered: Answered | undefined;
	const startedAt = clock.now();
	options.onPhase?.('sending');
	try {
		if (signal?.aborted) {
			ending.abort(signal.reason);
		}
		const response = await send(
			url,
			{ authorization, body, transport: options.transport },
			() => {
				sent = true;
				options.onPhase?.('waiting');
			},
			ending.signal,
		);
		answered = { status: response.statusCode ?? 0, requestId: requestIdOf(response.headers) };
		options.onAnswer?.(answered);
		if (answered.status !== 200) {
			throw await statusError(response, answered, clock.now() - startedAt);
		}
		options.onPhase?.('receiving');
		const received = await receiveImage(untilWhole(decoded(response), timer), options.file, {
			limit: options.answerLimit,
			isWhole: options.isWhole,
			longestStallMs: options.timeoutMs,
			onStall: options.onStall,
			signal: ending.signal,
			whenBroken: () =>
				!signal?.aborted ? 'keepWhole' : isInterruption(signal) ? 'keepAll' : 'discard',
		});
		return { ...received, ...answered };
	} catch (error) {
		if (ending.signal.aborted) {
			const charge = chargeOf(sent, answered?.status);
			throw ending.signal.reason === timedOut
				? timeoutError(options.timeoutMs, charge, answered)
				: endOf(ending.signal, charge);
		}
		if (isImageServiceError(error)) {
			// The destroyed body ends the connection, so a hostile endless answer stops here.
			throw Object.assign(error, answered);
		}
		if (answered === undefined || isNetworkError(error)) {
			throw connectionError(error, url, sent, answered);
		}
		throw error;
	} finally {
		timer.abort();
		signal?.removeEventListener('abort', onCancel);
		// Whatever the end was, nothing of this connection may stay open.
		ending.abort(new Error('finished'));
	}
}

function isInterruption({ reason }: AbortSignal): boolean {
	return reason instanceof InterruptedError;
}

interface Message {
	readonly authorization: string;
	readonly body: string | FormDataEncoder;
	readonly transport: Transport;
}

/**
 * Sends the request on a connection of its own and resolves with the head of the answer.
 *
 * @param onSent called when the operating system has taken the last byte of the request. The other
 * side may not have it yet, so before that the request has certainly not left as a whole, and
 * afterwards it may have: what may have left may be charged.
 * @param signal destroys the connection, also after the head has arrived
 */
async function send(
	url: URL,
	{ authorization, body, transport }: Message,
	onSent: () => void,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	const socket = await transport.connect(signal);
	if (signal.aborted) {
		socket.destroy();
		throw signal.reason as Error;
	}
	const request = http.request({
		method: 'POST',
		path: url.pathname,
		headers: {
			host: url.host,
			authorization,
			accept: 'application/json',
			// Nothing can be gained by compressing base64, and an answer comes only once.
			'accept-encoding': 'identity',
			...(typeof body === 'string'
				? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
				: body.headers),
		},
		createConnection: () => socket,
	});
	// Not the request: that would throw away what has come and was not read yet.
	signal.addEventListener('abort', () => socket.destroy(), { once: true });
	request.once('finish', onSent);
	const answer = new Promise<IncomingMessage>((resolve, reject) => {
		request.once('response', resolve);
		// Also where the other side closes the connection without a word.
		request.on('error', reject);
	});
	if (typeof body === 'string') {
		request.end(body);
	} else {
		writeForm(body, request).catch((error: unknown) => request.destroy(error as Error));
	}
	return answer;
}

/**
 * Writes a form as quickly as it is taken. A service may answer before it has everything, and then
 * listen no more; that is for the answer to tell.
 *
 * @throws what is wrong with a file that is read
 */
async function writeForm(form: FormDataEncoder, request: ClientRequest): Promise<void> {
	// Where it closes with an error, the one who waits for the answer is told.
	const closed = once(request, 'close').catch(() => undefined);
	for await (const piece of form) {
		if (request.destroyed) {
			return;
		}
		if (!request.write(piece)) {
			await Promise.race([once(request, 'drain'), closed]);
		}
	}
	request.end();
}

/** The body, and with its end that of the time-out: what is here cannot come too late any more. */
async function* untilWhole(
	body: AsyncIterable<Uint8Array>,
	timer: AbortController,
): AsyncGenerator<Uint8Array> {
	yield* body;
	timer.abort();
}

/** The body without a compression that nobody has asked for (RFC 9110, part 8.4.1). */
function decoded(response: IncomingMessage): AsyncIterable<Uint8Array> {
	const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
	const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
	if (decoder === undefined) {
		return bodyOf(response);
	}
	const stream = decoder();
	// The errors of both come out of the one that is read.
	pipeline(bodyOf(response), stream).catch(() => undefined);
	return stream;
}

/**
 * The pieces of a body, every one that has arrived, and then the error that broke it off, if any.
 * Iterating over the response itself would leave out those that are here and were not read yet.
 */
async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
	const pieces: Buffer[] = [];
	let waiting = Promise.withResolvers<void>();
	let end: { readonly error: Error | undefined } | undefined;
	const finish = (error?: Error) => {
		// TLS reads ahead of whoever waits, so a connection can break before the last piece was told.
		for (let rest = take(response); rest !== null; rest = take(response)) {
			pieces.push(rest);
		}
		end ??= { error };
		waiting.resolve();
	};
	response.on('data', (piece: Buffer) => {
		pieces.push(piece);
		if (pieces.length >= mostPieces) {
			response.pause();
		}
		waiting.resolve();
	});
	// Also where the connection is closed before the end.
	response.on('error', finish);
	response.once('end', () => {
		finish();
	});
	for (;;) {
		const piece = pieces.shift();
		if (piece !== undefined) {
			yield piece;
		} else if (end !== undefined) {
			if (end.error !== undefined) {
				throw end.error;
			}
			return;
		} else {
			waiting = Promise.withResolvers();
			response.resume();
			await waiting.promise;
		}
	}
}

function take(response: IncomingMessage): Buffer | null {
	return response.read() as Buffer | null;
}

/** So many pieces, of up to 64 KiB each, may wait to be read. */
const mostPieces = 16;

const decoders: Readonly<Record<string, () => Duplex>> = {
	gzip: createGunzip,
	'x-gzip': createGunzip,
	deflate: createInflate,
	br: createBrotliDecompress,
};

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
async function editForm(call: ImageCall): Promise<FormDataEncoder> {
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
			const blob = await openAsBlob(reference.path);
			form.append(name, new FileInPieces([blob], reference.fileName, { type }));
		} catch (error) {
			throw new RequestError(
				`references[${String(index)}]`,
				`The reference image ${path.basename(reference.path)} cannot be read. Nothing was sent.`,
				error,
			);
		}
	}
	return new FormDataEncoder(form);
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

function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
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
	response: IncomingMessage,
	{ status, requestId }: Answered,
	elapsedMs: number,
): Promise<StatusError> {
	const text = await errorText(decoded(response));
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
	return new StatusError(message?.trim() ?? statusText(status, response.statusMessage ?? ''), {
		status,
		requestId,
		type,
		code,
		charge: chargeOfStatus(status, elapsedMs),
		retryAfterMs: retryAfterMs(retryAfter),
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
	return codeOf(error) !== '';
}
