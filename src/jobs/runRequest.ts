import path from 'node:path';
import { retryTransient } from '../files/retryTransient.js';
import { codeOf, isNotFound } from '../files/fsErrors.js';
import { sha256Of } from '../images/hash.js';
import { ImageError, inspectImage, type ImageFacts } from '../images/inspect.js';
import { isWholeImage } from '../images/whole.js';
import { callService } from '../service/client.js';
import type { Answered } from '../service/httpAnswer.js';
import { startStopwatch, systemClock, type Clock } from '../service/clock.js';
import { endOf, InterruptedError, StorageError } from '../service/errors.js';
import { hasUnknownOutcome, withRetries, type Failure, type RetryMode } from '../service/retry.js';
import { serviceText } from '../service/serviceText.js';
import { openTransport, type NetworkOptions } from '../service/transport.js';
import { factsOf } from './failure.js';
import { messageOf } from './interruption.js';
import { imageFile } from './jobFolder.js';
import { LeaseLostError } from './leaseChecks.js';
import type { GenerationRequest } from './request.js';
import type { NewJobEvent } from './workerProtocol.js';

export interface RunOptions {
	readonly address: string;
	readonly key: string;
	readonly network: NetworkOptions;
	/**
	 * Longest duration of one attempt, in milliseconds. A disk that does not let the image be read is
	 * waited for as long once more.
	 */
	readonly timeoutMs: number;
	readonly retry: RetryMode;
	/**
	 * Absolute paths of the folders that the image may be received in, the job's own one first (see
	 * `foldersFor`).
	 */
	readonly folders: readonly [string, ...string[]];
	readonly signal: AbortSignal;
	/**
	 * Called with each event. For an attempt and for its failure it is awaited before anything
	 * follows; what it rejects with then ends the request.
	 */
	readonly onEvent: (event: NewJobEvent) => void | Promise<void>;
	/** The head of an answer has arrived. */
	readonly onAnswer?: (answered: Answered) => void;
	/** Asks a person whether to send again what may have been charged already. */
	readonly ask: (failure: Failure, attempt: number) => Promise<boolean>;
	/** Waits, after a failure, until it makes sense to ask again. */
	readonly untilRoom?: (failure: Failure) => Promise<void>;
	readonly clock?: Clock;
}

export interface RunResult {
	/** Absolute path of the image, whole and flushed. */
	readonly file: string;
	/** Real format and dimensions (specification, "Size table", rule 2). */
	readonly image: ImageFacts;
	/** SHA-256 of the image's bytes, hexadecimal. */
	readonly sha256: string;
	readonly requestId: string | undefined;
	readonly revisedPrompt: string | undefined;
	/** From the start of the attempt that succeeded to the image on disk, in milliseconds. */
	readonly elapsedMs: number;
}

/**
 * Runs one request to its image: attempts, waits, the answer on disk.
 *
 * @throws {ImageServiceError} the last attempt's failure, or an answer that is no image
 * @throws {CancelledError} where the signal was aborted, during an attempt or a wait at once
 * @throws {InterruptedError} where that is the reason of the signal, and the image is not here yet
 * @throws {LeaseLostError} where the image has arrived and its file cannot be written or read, or the
 * signal has interrupted the wait for that: the next process that looks makes it of what is there
 * @throws what `onEvent` rejects with, or the system's error
 */
export async function runRequest(
	request: GenerationRequest,
	options: RunOptions,
): Promise<RunResult> {
	const { clock = systemClock, onEvent } = options;
	const [folder, ...otherFolders] = options.folders;
	const endpoint = request.references.length > 0 ? 'edits' : 'generations';
	let elapsed = startStopwatch(clock);
	// An event that only informs must not cost the image where it cannot be noted.
	const inform = (event: NewJobEvent) => {
		Promise.resolve(onEvent(event)).catch(() => undefined);
	};

	const tellStall = (code: string | undefined) => {
		inform({ type: 'stalled', ...(code === undefined ? {} : { code }) });
	};

	const call = () =>
		callService(
			{ ...request, prompt: request.effectivePrompt ?? request.prompt },
			{
				key: options.key,
				transport: openTransport(new URL(options.address), options.network),
				file: path.join(folder, imageFile),
				otherFolders,
				timeoutMs: options.timeoutMs,
				maxStallMs,
				inspect: inspectContent,
				signal: options.signal,
				clock,
				onPhase: (phase) => {
					inform({ type: 'phase', phase });
				},
				onStall: tellStall,
				onAnswer: options.onAnswer,
			},
		);
	const { file, requestId, revisedPrompt } = await withRetries(call, {
		mode: options.retry,
		signal: options.signal,
		clock,
		onAttempt: async (attempt) => {
			elapsed = startStopwatch(clock);
			await onEvent({ type: 'attempt', attempt, endpoint });
		},
		onFailure: async (failure, attempt, next) => {
			const facts = factsOf(failure.error, failure, hasUnknownOutcome(failure));
			await onEvent({ type: 'failed', attempt, failure: facts, next });
		},
		ask: options.ask,
		untilRoom: options.untilRoom,
	}).catch((error: unknown) => {
		if (error instanceof StorageError && error.answerFile !== undefined) {
			const words = 'The image has arrived, but its file could not be written';
			throw new LeaseLostError(`${words} (${error.code}).`, { cause: error });
		}
		throw error;
	});
	const { elapsedMs } = elapsed();
	return {
		file,
		...(await readImage(file, {
			longestMs: 2 * options.timeoutMs - elapsedMs,
			signal: options.signal,
			onStall: tellStall,
			requestId,
		})),
		requestId,
		revisedPrompt: revisedPrompt && serviceText(revisedPrompt, [options.key], longestPrompt),
		elapsedMs,
	};
}

/** How long an answer is held that cannot be written to any disk, in milliseconds. */
export const maxStallMs = 60 * 60 * 1000;

/** Of a prompt that the service has revised, in UTF-16 code units. */
const longestPrompt = 32_000;

interface Reading {
	/** How long a disk that refuses is waited for, in milliseconds. */
	readonly longestMs: number;
	readonly signal: AbortSignal;
	/** Called with the system's code when the disk begins to refuse, without one when it accepts. */
	readonly onStall: (code: string | undefined) => void;
	readonly requestId: string | undefined;
}

/**
 * Reads what is to be known of a received image. The file stays where it is, whatever happens: what
 * it holds was paid for.
 *
 * @throws as {@link runRequest}
 */
async function readImage(
	file: string,
	{ longestMs, signal, onStall, requestId }: Reading,
): Promise<Pick<RunResult, 'image' | 'sha256'>> {
	const look = async () => ({ image: await inspect(file), sha256: await sha256Of(file) });
	let isStalled = false;
	const onRefusal = (error: unknown) => {
		if (!isStalled) {
			isStalled = true;
			onStall(codeOf(error));
		}
	};
	try {
		const found = await retryTransient(look, { maxMs: longestMs, signal, onRefusal });
		if (isStalled) {
			onStall(undefined);
		}
		return found;
	} catch (error) {
		const details = { status: 200, requestId, cause: error };
		const problem = error instanceof ImageError ? error.kind : undefined;
		if (problem !== undefined || isNotFound(error)) {
			const words =
				"The image has arrived, but another program has removed or changed its file in Easel's storage.";
			throw new StorageError('ENOENT', words, details);
		}
		if (signal.aborted && !isInterruption(signal)) {
			throw endOf(signal, 'charged');
		}
		const why = signal.aborted ? messageOf(signal.reason) : codeOf(error);
		if (why === '') {
			throw error;
		}
		const words = `The image is here, but reading it has ended with an error (${why}).`;
		throw new LeaseLostError(words, { cause: error });
	}
}

function isInterruption({ reason }: AbortSignal): boolean {
	return reason instanceof InterruptedError;
}

/**
 * Says what a file is that the service has sent.
 *
 * @throws the system's error where that cannot be told now
 */
export async function inspectContent(file: string): Promise<'complete' | 'image' | 'other'> {
	if (await isWholeImage(file)) {
		return 'complete';
	}
	try {
		await inspect(file);
		return 'image';
	} catch (error) {
		if (error instanceof ImageError) {
			return 'other';
		}
		throw error;
	}
}

/** As {@link inspectImage}; what the system refuses is thrown as the system's error. */
async function inspect(file: string): Promise<ImageFacts> {
	try {
		return await inspectImage(file);
	} catch (error) {
		throw error instanceof ImageError && error.kind === 'unreadable' ? error.cause : error;
	}
}
