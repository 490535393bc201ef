import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { errorWords } from '../service/answerReader.js';
import { inWords } from '../easelError.js';
import { startStopwatch, systemClock, type Clock } from '../service/clock.js';
import {
	AnswerError,
	CancelledError,
	ConnectionError,
	isImageServiceError,
	TimeoutError,
} from '../service/errors.js';
import { readHead, type HttpAnswer } from '../service/httpAnswer.js';
import { withRetries, type RetryMode } from '../service/retry.js';
import { sendRequest } from '../service/sendRequest.js';
import { chargeOfStatus, statusError } from '../service/statusError.js';
import type { Transport } from '../service/transport.js';
import { transportFailure } from '../service/transportFailure.js';
import { protocols, type ModelEvent, type ModelQuestion } from './protocols.js';

export interface StreamOptions {
	readonly protocol: keyof typeof protocols;
	readonly transport: Transport;
	readonly key: string;
	/** Cancels the call. */
	readonly signal: AbortSignal;
	/** Of the whole call at most, in milliseconds. */
	readonly timeoutMs: number;
	/** Whether a call is sent again that may have been charged, as for images. */
	readonly retry: RetryMode;
	readonly clock?: Clock;
}

/** Of an answer, in UTF-16 code units; what comes behind that is left out. */
const maxTextLength = 32 * 1024;

/** Of an answer as it is sent, in bytes. */
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * Asks a language model of the service, and yields its words as they come. These calls are short and
 * nothing lasting depends on them, so nothing of them is kept. What may be repeated is, by the
 * specification's rules, as long as no word has come.
 *
 * @throws {RequestError} the key or the address has to be corrected
 * @throws {ConnectionError | StatusError | TimeoutError} as of a call for an image
 * @throws {AnswerError} where the service reports an error, or answers with something else
 * @throws {CancelledError} where the signal was aborted
 */
export async function* streamAnswer(
	question: ModelQuestion,
	options: StreamOptions,
): AsyncGenerator<string, void> {
	const { key, signal, timeoutMs, retry, clock = systemClock } = options;
	const deadline = AbortSignal.timeout(timeoutMs);
	const ending = new AbortController();
	const end = AbortSignal.any([signal, deadline, ending.signal]);
	const url = new URL(protocols[options.protocol].path, options.transport.address);
	/** What the call is said to have ended with. */
	const endedBy = (error: unknown, hasAnswered: boolean): unknown => {
		const charge = hasAnswered ? 'charged' : 'unknown';
		if (signal.aborted) {
			return new CancelledError(charge);
		}
		if (deadline.aborted) {
			const seconds = Math.round(timeoutMs / 1000);
			return new TimeoutError({ code: 'timeout', seconds }, { charge, cause: error });
		}
		if (isImageServiceError(error)) {
			return error;
		}
		const { code, facts, isRepeatable } = transportFailure(error, url, options.transport.viaProxy);
		return new ConnectionError(
			code,
			hasAnswered ? { code: 'connection.lost', host: url.host, systemCode: code } : facts,
			{ charge, hasAnswered, repeatable: isRepeatable, cause: error },
		);
	};
	try {
		const answer = await withRetries(
			async () => {
				try {
					return await open(question, url, options, end);
				} catch (error) {
					throw endedBy(error, false);
				}
			},
			{ mode: retry, signal: end, clock },
		).catch((error: unknown) => {
			// Where our own time-out ends a wait, it is no cancelling.
			throw error instanceof CancelledError ? endedBy(error, false) : error;
		});
		try {
			yield* readWords(answer, options.protocol, [key]);
		} catch (error) {
			throw endedBy(error, true);
		}
	} finally {
		// However the call ended, also where the caller does not read on, its connection must not stay open.
		ending.abort(new Error('finished'));
	}
}

/** Sends the question once. Resolves with the head of an answer of status 2xx. */
async function open(
	question: ModelQuestion,
	url: URL,
	{ protocol, transport, key, clock = systemClock }: StreamOptions,
	signal: AbortSignal,
): Promise<HttpAnswer> {
	const { headers, body } = protocols[protocol];
	const bytes = Buffer.from(JSON.stringify(body(question)));
	const elapsed = startStopwatch(clock);
	const answer = await sendRequest(
		url,
		{
			headers: { accept: 'text/event-stream', ...headers(key) },
			body: {
				contentType: 'application/json',
				length: bytes.length,
				pieces: () => pieceOf(bytes),
			},
			transport,
		},
		() => undefined,
		signal,
	);
	const { status } = answer;
	if (status < 200 || status > 299) {
		const charge = chargeOfStatus(status, elapsed());
		throw await statusError(answer, readHead(answer, [key]), { url, secrets: [key], charge });
	}
	return answer;
}

async function* pieceOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
	yield await Promise.resolve(bytes);
}

/** Reads the words out of an answer: of its events, or of one JSON where the service does not stream. */
async function* readWords(
	{ body, headers }: HttpAnswer,
	protocol: StreamOptions['protocol'],
	secrets: readonly string[],
): AsyncGenerator<string, void> {
	const isJson = /\bjson\b/i.test(headers['content-type'] ?? '');
	let whole = '';
	let data: string[] = [];
	const parser = createParser({
		onEvent: (event: EventSourceMessage) => data.push(event.data),
	});
	let length = 0;
	let bytes = 0;
	for await (const text of decoded(body)) {
		bytes += text.length;
		if (bytes > maxAnswerBytes) {
			throw new AnswerError({ code: 'answer.tooMuch' });
		}
		if (isJson) {
			whole += text;
			continue;
		}
		parser.feed(text);
		for (const one of data) {
			const { text: words = '', isEnd } = readEvent(one, protocol, secrets);
			const shown = words.slice(0, maxTextLength - length);
			length += shown.length;
			if (shown !== '') {
				yield shown;
			}
			if (isEnd === true || length === maxTextLength) {
				return;
			}
		}
		data = [];
	}
	const { text = '' } = isJson ? readEvent(whole, protocol, secrets) : {};
	if (text === '') {
		// A stream says itself when it is complete; a proxy may close it as politely before.
		throw new AnswerError({ code: length === 0 ? 'answer.noWords' : 'answer.cutWords' });
	}
	yield text.slice(0, maxTextLength);
}

/** @throws {AnswerError} where it reports an error, or is not what the protocol has */
function readEvent(
	text: string,
	protocol: StreamOptions['protocol'],
	secrets: readonly string[],
): ModelEvent {
	if (text === '[DONE]') {
		return { isEnd: true };
	}
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch {
		throw new AnswerError({ code: 'answer.noWords' });
	}
	const { message, code } = errorWords(data, secrets);
	const words = message ?? code;
	if (isError(data) && words !== undefined) {
		throw new AnswerError(inWords(words), { code });
	}
	const event = protocols[protocol].read(data);
	if (event === undefined) {
		throw new AnswerError({ code: 'answer.noWords' });
	}
	return event;
}

/** Both families report an error that comes late as an object `error`. */
function isError(data: unknown): boolean {
	return typeof data === 'object' && data !== null && 'error' in data && Boolean(data.error);
}

async function* decoded(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
	const decoder = new TextDecoder();
	for await (const piece of pieces) {
		yield decoder.decode(piece, { stream: true });
	}
	yield decoder.decode();
}
