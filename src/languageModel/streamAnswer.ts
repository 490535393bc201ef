import { createParser } from 'eventsource-parser';
import { errorWords } from '../service/errorWords.js';
import { inWords } from '../easelError.js';
import { ByteReader } from '../service/byteReader.js';
import { startStopwatch, systemClock, type Clock } from '../service/clock.js';
import {
	AnswerError,
	CancelledError,
	ConnectionError,
	isImageServiceError,
	TimeoutError,
	type Charge,
} from '../service/errors.js';
import { decodeContent } from '../service/contentCoding.js';
import { readAnswerHead, type HttpAnswer } from '../service/httpAnswer.js';
import { withRetries, type AttemptOptions, type RetryMode } from '../service/retry.js';
import { keyHeader } from '../service/sendRequest.js';
import type { Service } from '../service/services.js';
import { serviceText, serviceTextPieces } from '../service/serviceText.js';
import { chargeOfStatus, statusError } from '../service/statusError.js';
import type { Transport } from '../service/transport.js';
import { transportFailure } from '../service/transportFailure.js';
import { protocols, type ModelEvent, type ModelQuestion } from './protocols.js';

export interface StreamOptions {
	readonly protocol: keyof typeof protocols;
	readonly transport: Transport;
	readonly key: string;
	/** Decides base and header of the key, where these are not the protocol's own. */
	readonly service?: Service | undefined;
	/** Cancels the call. */
	readonly signal: AbortSignal;
	/** Time limit of the whole call, in milliseconds. */
	readonly timeoutMs: number;
	/** Decides whether a call is sent again that may have been charged, as for images. */
	readonly retry: RetryMode;
	/** Called when an attempt has failed without an answer, before anything follows. */
	readonly onFailure?: AttemptOptions['onFailure'];
	readonly clock?: Clock;
}

/** Length of an answer, in UTF-16 code units; the rest is left out. */
const maxTextLength = 32 * 1024;

/** Length of all that comes as an answer, in UTF-16 code units. */
const maxAnswerLength = 4 * 1024 * 1024;

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
	const { key, signal, timeoutMs, retry, onFailure, clock = systemClock } = options;
	const deadline = AbortSignal.timeout(timeoutMs);
	const ending = new AbortController();
	const end = AbortSignal.any([signal, deadline, ending.signal]);
	const url = modelUrl(options);
	/** Charge of the attempt under way, or of the wait for the next one, as far as it is known. */
	let charge: Charge = 'notSent';
	let hasAnswered = false;
	/** The words for the end of the call. */
	const endedBy = (error: unknown): unknown => {
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
			charge === 'charged' ? { code: 'connection.lost', host: url.host, systemCode: code } : facts,
			{ charge, hasAnswered, repeatable: isRepeatable, cause: error },
		);
	};
	const onStep = (step: 'sent' | 'answering') => {
		if (step === 'sent') {
			charge = 'unknown';
		} else {
			hasAnswered = true;
		}
	};
	try {
		const answer = await withRetries(
			async () => {
				try {
					return await open(question, url, options, onStep, end);
				} catch (error) {
					throw endedBy(error);
				}
			},
			{
				mode: retry,
				signal: end,
				clock,
				onFailure: (...failed) => {
					charge = 'notSent';
					hasAnswered = false;
					return onFailure?.(...failed);
				},
			},
		).catch((error: unknown) => {
			// Where our own time-out ends a wait, it is no cancelling.
			throw error instanceof CancelledError ? endedBy(error) : error;
		});
		charge = 'charged';
		try {
			yield* readWords(answer, options.protocol, [key]);
		} catch (error) {
			throw endedBy(error);
		}
	} finally {
		// However the call ended, also where the caller does not read on, its connection must not stay open.
		ending.abort(new Error('finished'));
	}
}

/** Returns whether the row counts: the other family of services has addresses and headers of its own. */
function usesRow(
	protocol: StreamOptions['protocol'],
	service: Service | undefined,
): service is Service {
	return protocol === 'chat' && service !== undefined;
}

function modelUrl({ protocol, service, transport }: StreamOptions): URL {
	const { path } = protocols[protocol];
	const own = usesRow(protocol, service) ? path.replace('/v1', service.base) : path;
	return new URL(own, transport.address);
}

/** Sends the question once. Resolves with the head of an answer of status 2xx. */
async function open(
	question: ModelQuestion,
	url: URL,
	{ protocol, transport, key, service, clock = systemClock }: StreamOptions,
	onStep: (step: 'sent' | 'answering') => void,
	signal: AbortSignal,
): Promise<HttpAnswer> {
	const { headers, body } = protocols[protocol];
	const { callShort } = await import('./shortCall.js');
	const elapsed = startStopwatch(clock);
	const answer = await callShort(
		url,
		{
			headers: {
				accept: 'text/event-stream',
				...(usesRow(protocol, service) ? keyHeader(service, key) : headers(key)),
			},
			body: JSON.stringify(body(question)),
			transport,
		},
		onStep,
		signal,
	);
	const { status } = answer;
	if (status < 200 || status > 299) {
		const charge = chargeOfStatus(status, elapsed());
		throw await statusError(answer, readAnswerHead(answer, [key]), { url, secrets: [key], charge });
	}
	return answer;
}

/**
 * Yields the words of an answer of status 2xx, untrusted but without the secrets that were sent: of its
 * events, or of one JSON where the service does not stream, whatever the answer calls itself.
 *
 * @throws {AnswerError} where the service reports an error, or there are no words or not all of them
 * @throws the error of the body
 */
export async function* readWords(
	{ body, headers }: Pick<HttpAnswer, 'body' | 'headers'>,
	protocol: StreamOptions['protocol'],
	secrets: readonly string[],
): AsyncGenerator<string, void> {
	const reader = new ByteReader(body);
	// A gateway that has unpacked the answer may leave the header.
	const isUnpacked = /^(?:data|even)/.test(await reader.peek(4));
	const pieces = decodeContent(reader.rest(), isUnpacked ? '' : headers['content-encoding']);
	yield* serviceTextPieces(wordsIn(splitEvents(decodeText(pieces)), protocol, secrets), secrets);
}

/** An event of the stream, or all that has come where `type` says so. */
interface ReceivedEvent {
	readonly type: 'event' | 'error' | 'whole';
	readonly data: string;
}

async function* wordsIn(
	events: AsyncIterable<ReceivedEvent>,
	protocol: StreamOptions['protocol'],
	secrets: readonly string[],
): AsyncGenerator<string, void> {
	let length = 0;
	let reason: string | undefined;
	let arrived = '';
	for await (const one of events) {
		const event = readEvent(one, protocol, secrets);
		reason = ordinaryEnds.includes(event.reason) ? reason : event.reason;
		// The end of a stream says less than what came before it.
		arrived = event.isEnd === true && one.type !== 'whole' ? arrived : one.data;
		const shown = (event.text ?? '').slice(0, maxTextLength - length);
		length += shown.length;
		if (shown !== '') {
			yield shown;
		}
		if (event.isEnd === true || length === maxTextLength) {
			if (length === 0) {
				const said = serviceText(reason ?? arrived, secrets, 100) || undefined;
				throw new AnswerError({ code: 'answer.noWords', reason: said });
			}
			return;
		}
	}
	// A stream says itself when it is complete; a proxy may close it as politely before.
	throw new AnswerError({ code: 'answer.cutWords' });
}

/** Reasons that do not say why an answer has no words. */
const ordinaryEnds: readonly (string | undefined)[] = ['stop', 'end_turn', undefined];

/** @throws {AnswerError} where it reports an error, or is no JSON */
function readEvent(
	{ type, data: text }: ReceivedEvent,
	protocol: StreamOptions['protocol'],
	secrets: readonly string[],
): ModelEvent {
	if (text === '[DONE]') {
		return { isEnd: true };
	}
	const data = parsed(text);
	const event = protocols[protocol].read(data);
	if ((event.text ?? '') === '') {
		const { message, code } = errorWords(data, secrets);
		const said = type === 'error' ? serviceText(text, secrets) : undefined;
		const words = message ?? (isError(data) || type === 'error' ? (code ?? said) : undefined);
		if (words !== undefined) {
			throw new AnswerError(inWords(words), { code, charge: 'unknown' });
		}
	}
	if (data === undefined) {
		throw new AnswerError({ code: text.startsWith('<') ? 'answer.html' : 'answer.notJson' });
	}
	return type === 'whole' ? { ...event, isEnd: true } : event;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Both families report an error that comes late as an object `error`. */
function isError(data: unknown): boolean {
	return typeof data === 'object' && data !== null && 'error' in data && Boolean(data.error);
}

/** Yields the events of a text, or the text itself once it is whole where it begins as JSON or a page. */
async function* splitEvents(pieces: AsyncIterable<string>): AsyncGenerator<ReceivedEvent, void> {
	const events: ReceivedEvent[] = [];
	const parser = createParser({
		onEvent: ({ event, data }) => events.push({ type: event === 'error' ? event : 'event', data }),
	});
	let length = 0;
	let first = '';
	let rest = '';
	for await (const text of pieces) {
		length += text.length;
		if (length > maxAnswerLength) {
			throw new AnswerError({ code: 'answer.tooLarge', megabytes: maxAnswerLength / 1024 / 1024 });
		}
		first ||= text.trimStart().charAt(0);
		rest += text;
		// Whole lines alone: the parser reads what is left of the last one anew with each piece.
		if (!'{[<'.includes(first) && /[\r\n]/.test(text)) {
			const end = Math.max(rest.lastIndexOf('\n'), rest.lastIndexOf('\r')) + 1;
			parser.feed(rest.slice(0, end));
			rest = rest.slice(end);
			yield* events.splice(0);
		}
	}
	if (first !== '' && '{[<'.includes(first)) {
		yield { type: 'whole', data: rest.trim() };
	}
}

async function* decodeText(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
	const decoder = new TextDecoder();
	for await (const piece of pieces) {
		yield decoder.decode(piece, { stream: true });
	}
	yield decoder.decode();
}
