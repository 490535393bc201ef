import path from 'node:path';
import { ImageError, inspectImage, type ImageFacts } from '../images/inspect.js';
import { isWholeImage } from '../images/whole.js';
import { callService, type CallOptions } from '../service/client.js';
import { startStopwatch, systemClock } from '../service/clock.js';
import { StorageError } from '../service/errors.js';
import { hasUnknownOutcome, withRetries, type AttemptOptions } from '../service/retry.js';
import { serviceText } from '../service/serviceText.js';
import { openTransport } from '../service/transport.js';
import { factsOf } from './failure.js';
import { imageFile } from './jobFolder.js';
import type { GenerationRequest } from './request.js';
import type { JobResult } from './state.js';
import type { NewJobEvent, WorkerInput } from './workerProtocol.js';

/** What a worker gets, what it does meanwhile, and the folders besides the job's own (see `foldersFor`). */
export interface RunOptions
	extends
		Omit<WorkerInput, 'slot'>,
		Pick<AttemptOptions, 'signal' | 'clock' | 'ask' | 'untilRoom'>,
		Pick<CallOptions, 'otherFolders' | 'onAnswer'> {
	/** Awaited for an attempt and its failure before anything follows; a rejection ends the request. */
	readonly onEvent: (event: NewJobEvent) => void | Promise<void>;
}

/** The job no longer belongs to this process, or is left to the next one that looks. */
export class LeaseLostError extends Error {
	override readonly name = 'LeaseLostError';
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
): Promise<JobResult> {
	const { clock = systemClock, onEvent } = options;
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
				...options,
				transport: openTransport(new URL(options.address), options.network),
				file: path.join(options.folder, imageFile),
				maxStallMs,
				inspect: (part) => inspectContent(part, images),
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
			},
		);
	const { file, sha256, requestId, revisedPrompt } = await withRetries(call, {
		...options,
		mode: options.retry,
		onAttempt: async (attempt) => {
			elapsed = startStopwatch(clock);
			await onEvent({ type: 'attempt', attempt, endpoint });
		},
		onFailure: async (failure, attempt, next) => {
			const facts = factsOf(failure.error, failure, hasUnknownOutcome(failure));
			await onEvent({ type: 'failed', attempt, failure: facts, next });
		},
	}).catch((error: unknown) => {
		if (error instanceof StorageError && error.answerFile !== undefined) {
			throw new LeaseLostError(`the image could not be written (${error.code})`, { cause: error });
		}
		throw error;
	});
	return {
		file,
		...images.at(-1)!,
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
 * Returns what a file is that the service has sent.
 *
 * @param images gets what is known of an image
 * @throws the system's error where that cannot be told now
 */
export async function inspectContent(
	file: string,
	images: ImageFacts[] = [],
): Promise<'complete' | 'image' | 'other'> {
	const image = await inspectIfImage(file);
	if (image === undefined) {
		return 'other';
	}
	images.push(image);
	return (await isWholeImage(file)) ? 'complete' : 'image';
}

/**
 * Returns what is known of an image; `undefined` where there is none.
 *
 * @throws the system's error where that cannot be told now
 */
export async function inspectIfImage(file: string): Promise<ImageFacts | undefined> {
	try {
		return await inspectImage(file);
	} catch (error) {
		if (error instanceof ImageError && error.kind !== 'unreadable') {
			return undefined;
		}
		throw error instanceof ImageError ? error.cause : error;
	}
}
