import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ImageError, inspectImage, type ImageFacts } from '../images/inspect.js';
import { callService, type Phase } from '../service/client.js';
import { systemClock, type Clock } from '../service/clock.js';
import { AnswerError } from '../service/errors.js';
import { withRetries, type Failure, type RetryDecision, type RetryMode } from '../service/retry.js';
import { openTransport, type NetworkOptions } from '../service/transport.js';
import type { GenerationRequest } from './request.js';

/** What a job says about itself while it runs. */
export type JobEvent =
	| { readonly type: 'attempt'; readonly attempt: number; readonly endpoint: string }
	| { readonly type: 'phase'; readonly phase: Phase }
	| {
			readonly type: 'failed';
			readonly attempt: number;
			readonly failure: Failure;
			readonly next: RetryDecision;
	  };

export interface JobOptions {
	readonly address: string;
	readonly key: string;
	readonly network: NetworkOptions;
	readonly timeoutMs: number;
	readonly retry: RetryMode;
	/** The job's own folder; the image and the copies of the references lie in it. */
	readonly folder: string;
	readonly signal: AbortSignal;
	readonly onEvent: (event: JobEvent) => void;
	/** Asks a person whether to send again what may have been charged already. */
	readonly ask: (failure: Failure, attempt: number) => Promise<boolean>;
	readonly clock?: Clock;
}

export interface JobResult {
	/** Absolute path of the image in the job's folder, whole and flushed. */
	readonly file: string;
	/** Real dimensions and format: "a client uses the real decoded image dimensions". */
	readonly image: ImageFacts;
	readonly requestId: string | undefined;
	readonly revisedPrompt: string | undefined;
	/** From the start of the attempt that succeeded to the image on disk, in milliseconds. */
	readonly elapsedMs: number;
}

/**
 * Runs one request to its image: attempts, waits, the answer on disk.
 *
 * @throws {ImageServiceError} the last attempt's failure
 * @throws {CancelledError} where the signal was aborted; at once, in every phase
 */
export async function runJob(request: GenerationRequest, options: JobOptions): Promise<JobResult> {
	const { clock = systemClock, onEvent } = options;
	await mkdir(options.folder, { recursive: true });
	const file = path.join(options.folder, 'image');
	const endpoint = request.references.length > 0 ? 'edits' : 'generations';
	let startedAt = clock.now();

	const call = async () => {
		const transport = await openTransport(new URL(options.address), options.network);
		try {
			return await callService(request, {
				address: options.address,
				key: options.key,
				dispatcher: transport.dispatcher,
				file,
				timeoutMs: options.timeoutMs,
				signal: options.signal,
				clock,
				onPhase: (phase) => {
					onEvent({ type: 'phase', phase });
				},
			});
		} finally {
			await transport.close();
		}
	};
	const answer = await withRetries(call, {
		mode: options.retry,
		signal: options.signal,
		clock,
		onAttempt: (attempt) => {
			startedAt = clock.now();
			onEvent({ type: 'attempt', attempt, endpoint });
		},
		onFailure: (failure, attempt, next) => {
			onEvent({ type: 'failed', attempt, failure, next });
		},
		ask: options.ask,
	});
	return {
		file,
		image: await inspectAnswer(file, answer.requestId),
		requestId: answer.requestId,
		revisedPrompt: answer.response.data[0]?.revised_prompt ?? undefined,
		elapsedMs: clock.now() - startedAt,
	};
}

async function inspectAnswer(file: string, requestId: string | undefined): Promise<ImageFacts> {
	try {
		return await inspectImage(file);
	} catch (error) {
		if (error instanceof ImageError) {
			await rm(file, { force: true });
			throw new AnswerError('notAnImage', 'The service answered with data that is not an image.', {
				status: 200,
				requestId,
				cause: error,
			});
		}
		throw error;
	}
}
