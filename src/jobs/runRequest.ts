import path from 'node:path';
import { ImageError, inspectImage, type ImageFacts } from '../images/inspect.js';
import { isWholeImage } from '../images/whole.js';
import { callService } from '../service/client.js';
import type { Answered } from '../service/httpAnswer.js';
import { startStopwatch, systemClock, type Clock } from '../service/clock.js';
import { StorageError } from '../service/errors.js';
import { hasUnknownOutcome, withRetries, type Failure, type RetryMode } from '../service/retry.js';
import { serviceText } from '../service/serviceText.js';
import { openTransport, type NetworkOptions } from '../service/transport.js';
import { factsOf } from './failure.js';
import { imageFile } from './jobFolder.js';
import { LeaseLostError } from './leaseChecks.js';
import type { GenerationRequest } from './request.js';
import type { NewJobEvent } from './workerProtocol.js';

export interface RunOptions {
	readonly address: string;
	readonly key: string;
	readonly network: NetworkOptions;
	/** Longest duration of one attempt, in milliseconds. */
	readonly timeoutMs: number;
	readonly retry: RetryMode;
	/** Absolute path of the job's own folder, in which the image is received. */
	readonly folder: string;
	/** Those to use where it refuses (see `foldersFor`). While they do, more can be added. */
	readonly otherFolders: readonly string[];
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
 * @throws {LeaseLostError} where the answer lies on a disk that refuses its image: the next process
 * that looks makes it of what is there
 * @throws what `onEvent` rejects with, or the system's error
 */
export async function runRequest(
	request: GenerationRequest,
	options: RunOptions,
): Promise<RunResult> {
	const { clock = systemClock, folder, otherFolders, onEvent } = options;
	const endpoint = request.references.length > 0 ? 'edits' : 'generations';
	let elapsed = startStopwatch(clock);
	// An event that only informs must not cost the image where it cannot be noted.
	const inform = (event: NewJobEvent) => {
		Promise.resolve(onEvent(event)).catch(() => undefined);
	};

	/** What was found to be images; the last one is the one of the answer. */
	const images: ImageFacts[] = [];
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
				inspect: (part) => inspectContent(part, (image) => images.push(image)),
				signal: options.signal,
				clock,
				onPhase: (phase) => {
					inform({ type: 'phase', phase });
				},
				onStall: (code, isEverywhere) => {
					inform({
						type: 'stalled',
						...(code === undefined ? {} : { code }),
						...(isEverywhere && { isEverywhere }),
					});
				},
				onAnswer: options.onAnswer,
			},
		);
	const { file, sha256, requestId, revisedPrompt } = await withRetries(call, {
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
			throw new LeaseLostError(`the image could not be written (${error.code})`, { cause: error });
		}
		throw error;
	});
	return {
		file,
		image: images.at(-1)!,
		sha256,
		requestId,
		revisedPrompt: revisedPrompt && serviceText(revisedPrompt, [options.key], maxPromptLength),
		elapsedMs: elapsed().elapsedMs,
	};
}

/** How long a disk is waited for that refuses the image of an answer, in milliseconds. */
export const maxStallMs = 60 * 60 * 1000;

/** Of a prompt that the service has revised, in UTF-16 code units. */
const maxPromptLength = 32_000;

/**
 * Says what a file is that the service has sent.
 *
 * @param onImage called with what is to be known of an image
 * @throws the system's error where that cannot be told now
 */
export async function inspectContent(
	file: string,
	onImage?: (image: ImageFacts) => unknown,
): Promise<'complete' | 'image' | 'other'> {
	try {
		const image = await inspectImage(file);
		onImage?.(image);
		return (await isWholeImage(file)) ? 'complete' : 'image';
	} catch (error) {
		if (!(error instanceof ImageError)) {
			throw error;
		}
		if (error.kind === 'unreadable') {
			throw error.cause;
		}
		return 'other';
	}
}
