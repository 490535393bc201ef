import { codeOf } from '../files/refusal.js';
import { receiveImage, type ReceivedImage, type ReceiveOptions } from './answer.js';
import { serviceUrl } from './address.js';
import { systemClock, type Clock } from './clock.js';
import {
	ConnectionError,
	endOf,
	InterruptedError,
	isImageServiceError,
	TimeoutError,
	type Charge,
} from './errors.js';
import { decodedBody, headOf, type Answered } from './httpAnswer.js';
import { requestBody, type ImageCall } from './requestBody.js';
import { bearer, sendRequest } from './sendRequest.js';
import { statusError } from './statusError.js';
import type { Transport } from './transport.js';
import { transportFailure } from './transportFailure.js';

/** How far an attempt has come. `waiting` starts when the request has left completely. */
export type Phase = 'sending' | 'waiting' | 'receiving';

/** How one call of the service is made. */
export interface CallOptions extends Pick<ReceiveOptions, 'isWhole' | 'onStall'> {
	readonly transport: Transport;
	readonly key: string;
	/** Absolute path of the image; the file appears when it is whole. */
	readonly file: string;
	/**
	 * Longest duration of the whole attempt, in milliseconds. A disk that refuses an image that is
	 * here already is waited for as long once more.
	 */
	readonly timeoutMs: number;
	/** Largest size of the answer's body, in bytes; 256 MiB by default. */
	readonly answerLimit?: number | undefined;
	/** Cancels the call; with an {@link InterruptedError} as its reason, ends it as that. */
	readonly signal?: AbortSignal | undefined;
	readonly clock?: Clock | undefined;
	readonly onPhase?: ((phase: Phase) => void) | undefined;
	/** Called when the service has answered, before the body is read. */
	readonly onAnswer?: ((answered: Answered) => void) | undefined;
}

export type CallResult = ReceivedImage & Answered;

/**
 * Asks the service for one image, once: one request, no repetition (see `retry.ts`). The calls
 * are synchronous: "The client keeps one HTTP request open, and the finished image comes back in
 * the body of that same response" (specification, "What the service does", 3). An answer that
 * breaks off after a whole image has brought what was paid for, and counts as a good one.
 *
 * @throws {RequestError} the request has to be corrected; it was not sent, or not completely
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
	const body = await requestBody(call);

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
		const response = await sendRequest(
			url,
			{ authorization, body, transport: options.transport },
			() => {
				sent = true;
				options.onPhase?.('waiting');
			},
			ending.signal,
		);
		answered = headOf(response, [options.key]);
		options.onAnswer?.(answered);
		if (answered.status !== 200) {
			throw await statusError(response, answered, {
				url,
				secrets: [options.key],
				elapsedMs: clock.now() - startedAt,
			});
		}
		options.onPhase?.('receiving');
		const received = await receiveImage(untilWhole(decodedBody(response), timer), options.file, {
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
			// It tells what the head of the answer said. `finally` ends the connection, and with it an
			// endless answer.
			throw Object.assign(error, answered);
		}
		if (answered === undefined || isNetworkError(error)) {
			throw connectionError(error, url, options.transport, sent, answered);
		}
		throw error;
	} finally {
		timer.abort();
		signal?.removeEventListener('abort', onCancel);
		// However the call ended, its connection must not stay open.
		ending.abort(new Error('finished'));
	}
}

function isInterruption({ reason }: AbortSignal): boolean {
	return reason instanceof InterruptedError;
}

/** The body. Ends the time-out when all of it is here: from then on it cannot come too late. */
async function* untilWhole(
	body: AsyncIterable<Uint8Array>,
	timer: AbortController,
): AsyncGenerator<Uint8Array> {
	yield* body;
	timer.abort();
}

function chargeOf(sent: boolean, status: number | undefined): Charge {
	if (status === 200) {
		return 'charged';
	}
	if (status !== undefined && status < 500) {
		return 'rejected';
	}
	return sent ? 'unknown' : 'notSent';
}

function timeoutError(ms: number, charge: Charge, answered: Answered | undefined): TimeoutError {
	const seconds = Math.round(ms / 1000);
	return new TimeoutError(
		`The service did not finish within ${String(seconds)} seconds. Raise the setting easel.service.timeoutSeconds to wait longer.`,
		{ charge, ...answered },
	);
}

function connectionError(
	error: unknown,
	url: URL,
	{ viaProxy }: Transport,
	sent: boolean,
	answered: Answered | undefined,
): ConnectionError {
	const failure = transportFailure(error, url, viaProxy);
	return new ConnectionError(
		failure.code,
		answered === undefined
			? failure.text
			: `The connection to ${url.host} broke while the image was arriving (${failure.code}).`,
		{
			charge: chargeOf(sent, answered?.status),
			cause: error,
			repeatable: !failure.isFinal,
			...answered,
		},
	);
}

function isNetworkError(error: unknown): boolean {
	return codeOf(error) !== '';
}
