import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ErrorFacts } from '../easelError.js';
import { exists } from '../files/exists.js';
import { codeOf } from '../files/fsErrors.js';
import { serviceUrl } from './address.js';
import { holdPieces, storeAnswer, type OnStall } from './answerFile.js';
import { takeImage, type ReaderOptions, type TakenImage } from './answerReader.js';
import { startStopwatch, systemClock, type Clock } from './clock.js';
import {
	AnswerError,
	ConnectionError,
	endOf,
	InterruptedError,
	isImageServiceError,
	StorageError,
	TimeoutError,
	type Charge,
} from './errors.js';
import {
	MalformedAnswerError,
	readAnswerHead,
	type Answered,
	type HttpAnswer,
} from './httpAnswer.js';
import { isBlank, JsonOutline } from './jsonOutline.js';
import { redactInPlace } from './redact.js';
import { requestBody, type ImageCall } from './requestBody.js';
import { keyHeader, sendRequest } from './sendRequest.js';
import { defaultService, services, type Service } from './services.js';
import { chargeOfStatus, statusError } from './statusError.js';
import type { Transport } from './transport.js';
import { transportFailure } from './transportFailure.js';

/** The progress of an attempt. `waiting` starts when the request has left completely. */
export type Phase = 'sending' | 'waiting' | 'receiving';

export interface CallOptions {
	readonly transport: Transport;
	/** Opens the way to an image that an answer has a link to. */
	readonly openLink?: ((link: URL) => Transport) | undefined;
	/** Empty where the service works without one. */
	readonly key: string;
	/** Absolute path of the image, which appears when it is whole; until then its answer lies beside it. */
	readonly file: string;
	/** Absolute paths of the folders to use where the one of `file` refuses; more can be added later. */
	readonly otherFolders?: readonly string[] | undefined;
	/** Says what a file is; by default every file is an image, and none is certainly complete. */
	readonly inspect?: ReaderOptions['inspect'] | undefined;
	/** Duration of the whole attempt at most, in milliseconds. */
	readonly timeoutMs: number;
	/** Wait for a disk that refuses the image of a stored answer, in ms; by default `timeoutMs`. */
	readonly maxStallMs?: number | undefined;
	/** Largest size of the answer's body, in bytes; 256 MiB by default. */
	readonly maxAnswerBytes?: number | undefined;
	/** Cancels the call; with an {@link InterruptedError} as its reason, ends it as that. */
	readonly signal?: AbortSignal | undefined;
	readonly clock?: Clock | undefined;
	readonly onPhase?: ((phase: Phase) => void) | undefined;
	/** Called when the service has answered, before the body is read. */
	readonly onAnswer?: ((answered: Answered) => void) | undefined;
	readonly onStall?: OnStall | undefined;
}

export interface CallResult extends Answered, TakenImage {
	/** Absolute path of the image; in another folder where that of the option has refused. */
	readonly file: string;
}

/** Size of an answer's body, in bytes. */
const defaultMaxAnswerBytes = 256 * 1024 * 1024;

/** Time to wait for the end of a connection after a complete answer, in milliseconds. */
const graceMs = 2_000;

/** Time to wait for a disk that refuses where the user has cancelled, or the answer broke off, in ms. */
const brokenStallMs = 2_000;

/**
 * Asks the service for one image, with one request (specification, "What the service does", 3);
 * `retry.ts` repeats it. Whatever comes with a status 2xx goes to a file first and is understood from
 * there; what is not understood stays, with the key hidden in it, and the error names it.
 *
 * @throws {RequestError} the request has to be corrected; it was not sent, or not completely
 * @throws {ConnectionError} the connection could not be made or broke
 * @throws {StatusError} the service answered with a status that is not 2xx
 * @throws {TimeoutError} `timeoutMs` went by
 * @throws {AnswerError} an answer that was not understood
 * @throws {StorageError} the answer or its image could not be written to disk
 * @throws {CancelledError} the signal was aborted; at once, in every phase
 * @throws {InterruptedError} where that is the reason of the signal
 */
export async function callService(call: ImageCall, options: CallOptions): Promise<CallResult> {
	const { signal, clock = systemClock } = options;
	if (signal?.aborted) {
		throw endOf(signal, 'notSent');
	}
	const service = services[call.service ?? defaultService];
	const endpoint = call.references.length > 0 ? 'images/edits' : 'images/generations';
	const url = serviceUrl(options.transport.address, service, endpoint);
	const headers = keyHeader(service, options.key);
	const body = await requestBody(call);

	// One signal ends every phase: the user's, or our own.
	const ending = new AbortController();
	const end = AbortSignal.any(signal === undefined ? [ending.signal] : [signal, ending.signal]);
	const timer = new AbortController();
	const timedOut = new Error('time-out');
	clock.sleep(options.timeoutMs, timer.signal).then(
		() => ending.abort(timedOut),
		() => undefined,
	);

	let sent = false;
	let hasAnswered = false;
	let answered: Answered | undefined;
	const elapsed = startStopwatch(clock);
	const charge = (): Charge => {
		if (answered === undefined) {
			return sent ? 'unknown' : 'notSent';
		}
		return isSuccess(answered.status) ? 'charged' : chargeOfStatus(answered.status, elapsed());
	};
	/** The stored answer. */
	let answerFile: string | undefined;
	options.onPhase?.('sending');
	try {
		const message = { headers, body, transport: options.transport };
		const onStep = (step: 'sent' | 'answering') => {
			if (step === 'sent') {
				sent = true;
				options.onPhase?.('waiting');
			} else {
				hasAnswered = true;
			}
		};
		const response = await sendRequest(url, message, onStep, end);
		answered = readAnswerHead(response, [options.key]);
		options.onAnswer?.(answered);
		if (!isSuccess(answered.status)) {
			const secrets = [options.key];
			throw await statusError(response, answered, { url, service, secrets, charge: charge() });
		}
		options.onPhase?.('receiving');
		const received = await receive(response, timer, options, (file) => {
			answerFile = file;
		}).catch(async (error: unknown) => {
			const linked = await receiveLinked(error, service, end, options, timer);
			await rm(answerFile!).catch(() => undefined);
			answerFile = undefined;
			return linked;
		});
		return { ...answered, ...received };
	} catch (error) {
		const details = { charge: charge(), answerFile, hasAnswered, ...answered, cause: error };
		if (end.reason === timedOut) {
			const seconds = Math.round(options.timeoutMs / 1000);
			throw new TimeoutError({ code: 'timeout', seconds }, details);
		}
		if (end.aborted) {
			throw endOf(end, details.charge, answerFile);
		}
		if (isImageServiceError(error)) {
			// It tells what the head of the answer said.
			throw Object.assign(error, answered, answerFile && { answerFile });
		}
		const { host } = url;
		if (error instanceof MalformedAnswerError) {
			const code = answered === undefined ? 'answer.notHttp' : 'answer.malformed';
			throw new AnswerError({ code, host, systemCode: error.code }, details);
		}
		if (codeOf(error) === '' && answered !== undefined) {
			throw error;
		}
		const { code, facts, isRepeatable } = transportFailure(error, url, options.transport.viaProxy);
		throw new ConnectionError(
			code,
			answered === undefined ? facts : { code: 'connection.lost', host, systemCode: code },
			{ ...details, repeatable: isRepeatable },
		);
	} finally {
		timer.abort();
		// However the call ended, its connection must not stay open.
		ending.abort(new Error('finished'));
	}
}

/**
 * Receives an answer of status 2xx, and takes the image out of it.
 *
 * @param timer of the time-out; aborted when the answer is here
 * @param onKeep called with the file of an answer that stays
 */
async function receive(
	response: HttpAnswer,
	timer: AbortController,
	options: CallOptions,
	onKeep: (file: string) => void,
): Promise<Omit<CallResult, keyof Answered>> {
	const { file, otherFolders = [], timeoutMs, maxStallMs = timeoutMs, onStall } = options;
	const giveUp = new AbortController();
	// Nothing else drops what may be held in memory alone.
	const giveUpSoon = () => {
		setTimeout(() => giveUp.abort(), brokenStallMs).unref();
	};
	options.signal?.addEventListener('abort', giveUpSoon);
	/** The error that broke the body off. */
	let broken: Error | undefined;
	const maxBytes = options.maxAnswerBytes ?? defaultMaxAnswerBytes;
	const held = holdPieces(
		untilComplete(response, maxBytes, (isEmpty, error) => {
			// From now on it cannot come too late.
			timer.abort();
			broken = error;
			if (isEmpty) {
				// Blanks alone need no place.
				giveUpSoon();
			}
		}),
	);
	const keeping = { folder: path.dirname(file), otherFolders, giveUp: giveUp.signal, onStall };
	try {
		for (let count = 1; ; count++) {
			const raw = await storeAnswer(held, keeping).catch((error: unknown) => {
				throw storageError(error);
			});
			try {
				const image = path.join(path.dirname(raw), path.basename(file));
				const taken = await takeImage(raw, image, {
					coding: response.headers['content-encoding'],
					isComplete: broken === undefined,
					inspect: options.inspect ?? (() => Promise.resolve('image' as const)),
					secrets: [options.key],
					retry: {
						maxMs: broken === undefined ? maxStallMs : brokenStallMs,
						signal: options.signal,
						onStall: (code) => onStall?.(code, false),
					},
				});
				await rm(raw).catch(() => undefined);
				return { ...taken, file: image };
			} catch (error) {
				// Where it was deleted meanwhile, it is written anew from memory.
				if (count === maxWrites || (await exists(raw).catch(() => true))) {
					throw await failureWith(error, raw, broken, options, onKeep);
				}
			}
		}
	} finally {
		options.signal?.removeEventListener('abort', giveUpSoon);
	}
}

/**
 * Returns the link in place of an image, where it leads to the web or to the service itself: a server
 * of this machine has no HTTPS.
 *
 * @param address of the service: its origin
 */
function linkIn(error: unknown, address: string): URL | undefined {
	const link = error instanceof AnswerError && error.link ? new URL(error.link) : undefined;
	return link?.protocol === 'https:' || link?.origin === address ? link : undefined;
}

/**
 * Fetches the image that an answer has a link to, once and without the key.
 *
 * @param error of the answer, without its image
 * @param timer of the time-out; aborted when the image is here
 * @throws the error where the service gives no links, or this one must not be followed
 * @throws {AnswerError} `answer.linkLost`
 * @throws the signal's reason
 */
export async function receiveLinked(
	error: unknown,
	service: Service,
	signal: AbortSignal,
	options: CallOptions,
	timer = new AbortController(),
): Promise<Omit<CallResult, keyof Answered>> {
	const link = service.fetchesLinks && linkIn(error, options.transport.address);
	if (!link || options.openLink === undefined) {
		throw error;
	}
	try {
		const message = { headers: { accept: 'image/*' }, transport: options.openLink(link) };
		const end = AbortSignal.any([signal, AbortSignal.timeout(maxLinkMs)]);
		const response = await sendRequest(link, message, () => undefined, end);
		if (!isSuccess(response.status)) {
			throw new Error(`status ${String(response.status)}`);
		}
		return await receive(response, timer, options, (file) => void rm(file).catch(() => undefined));
	} catch (cause) {
		signal.throwIfAborted();
		const { host, href } = link;
		throw new AnswerError({ code: 'answer.linkLost', host }, { link: href, cause });
	}
}

/** Time for the image of a link, in milliseconds. */
const maxLinkMs = 120_000;

/** Number of times that an answer is written that is deleted before its image was taken. */
const maxWrites = 5;

/** Decides what stays of an answer without an image, and returns what is to be thrown. */
async function failureWith(
	error: unknown,
	raw: string,
	broken: Error | undefined,
	{ key, signal }: CallOptions,
	onKeep: (file: string) => void,
): Promise<unknown> {
	const isAnswer = error instanceof AnswerError;
	if (isAnswer && signal?.reason instanceof InterruptedError) {
		// As it came: the next process looks at it.
		return error;
	}
	const isEmpty = isAnswer && error.facts.code === 'answer.empty';
	if (isEmpty) {
		await rm(raw).catch(() => undefined);
	} else if (isAnswer) {
		// Where that fails, for want of space, it is tried again before anybody sees the answer.
		await redactInPlace(raw, [key]).catch(() => undefined);
	}
	if (!isEmpty && (await exists(raw).catch(() => true))) {
		onKeep(raw);
	}
	const isBroken = isEmpty || (isAnswer && error.facts.code === 'answer.truncated');
	return (isBroken ? broken : undefined) ?? (isAnswer ? error : storageError(error));
}

/**
 * Yields the body, without what follows a complete answer.
 *
 * @param onEnd called with whether there was nothing but blanks, and with what broke it off before it was
 * complete, also where it is too large
 */
async function* untilComplete(
	{ body, close }: HttpAnswer,
	maxBytes: number,
	onEnd: (isEmpty: boolean, error?: Error) => void,
): AsyncGenerator<Buffer, void> {
	const outline = new JsonOutline();
	let bytes = 0;
	let isEmpty = true;
	let timer: NodeJS.Timeout | undefined;
	let broken: Error | undefined;
	try {
		for await (const piece of body) {
			yield piece.subarray(0, maxBytes - bytes);
			bytes += piece.length;
			isEmpty &&= isBlank(piece);
			if (bytes > maxBytes) {
				const megabytes = Math.round(maxBytes / (1024 * 1024));
				throw new AnswerError({ code: 'answer.tooLarge', megabytes });
			}
			outline.write(piece);
			if (outline.isComplete) {
				timer ??= setTimeout(close, graceMs);
			}
		}
	} catch (error) {
		broken = outline.isComplete ? undefined : (error as Error);
	}
	clearTimeout(timer);
	onEnd(isEmpty, broken);
}

/** Returns whether the service has succeeded: a proxy may make another 2xx of its 200. */
function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

function storageError(error: unknown): StorageError {
	const code = codeOf(error) || 'EIO';
	return new StorageError(code, storageFacts(code), { cause: error });
}

/** Returns what a code of the file system means for a received image. */
function storageFacts(systemCode: string): ErrorFacts {
	if (['ENOSPC', 'EDQUOT'].includes(systemCode)) {
		return { code: 'storage.full' };
	}
	if (systemCode === 'EFBIG') {
		return { code: 'storage.fileTooLarge' };
	}
	const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode);
	return { code: isRefused ? 'storage.notWritable' : 'storage.failed', systemCode };
}
