import { rm } from 'node:fs/promises';
import path from 'node:path';
import { inspectContent } from '../images/whole.js';
import { takeImage } from '../service/answerReader.js';
import { receiveLinked } from '../service/client.js';
import { AnswerError } from '../service/errors.js';
import { hasUnknownOutcome } from '../service/retry.js';
import { defaultService, services } from '../service/services.js';
import { openTransport } from '../service/transport.js';
import { factsOf, type FailureFacts } from './failure.js';
import { imageOf, type OnProgress } from './follow.js';
import { answersIn, imageFile, now, writeState, type JobEntry } from './jobFolder.js';
import { failureOfAll, type JobState } from './state.js';
import type { WorkerInput } from './workerProtocol.js';

type LinkSettings = Pick<WorkerInput, 'address' | 'key' | 'network' | 'timeoutMs'>;

interface LinkServices {
	/** Reads the settings as a worker gets them; those of now count. */
	readonly settings: {
		readonly read: () => Promise<LinkSettings | FailureFacts>;
	};
	readonly onProgress: OnProgress;
	/** Cancels the job; what has arrived is kept. */
	readonly signal: AbortSignal;
}

/**
 * Returns the end of a job whose worker is gone, and has left an answer with a link in place of its
 * image: it is fetched as the worker would have. Where it does not come, the answer is kept, and its end
 * has the link, so that it is fetched once. Nothing is sent to the service.
 *
 * @returns `undefined` where no answer has a link
 * @throws the system's error where it cannot be found out now
 */
export async function endOfLinked(
	entry: JobEntry,
	attempts: JobState['attempts'],
	{ settings, onProgress, signal }: LinkServices,
): Promise<JobState | undefined> {
	for (const answer of await answersIn(entry)) {
		const file = path.join(path.dirname(answer), imageFile);
		const reading = { isComplete: true, inspect: inspectContent };
		const problemWithout = (...secrets: readonly string[]) =>
			takeImage(answer, file, { ...reading, secrets }).then(() => undefined, answerError);
		if ((await problemWithout())?.link === undefined) {
			continue;
		}
		const read = await settings.read();
		const isReady = !('kind' in read);
		const error = await problemWithout(...(isReady && read.key !== '' ? [read.key] : []));
		let failure = error;
		if (isReady && error !== undefined) {
			const { address, key, network, timeoutMs } = read;
			onProgress({ type: 'phase', phase: 'receiving', ageMs: 0 });
			const service = services[entry.request.service ?? defaultService];
			failure = await receiveLinked(error, service, signal, {
				...{ key, timeoutMs, signal, file, inspect: inspectContent },
				transport: openTransport(new URL(address), network),
				openLink: (link) => openTransport(link, network),
				onStall: (code, isEverywhere) => {
					onProgress({ type: 'stalled', code, ...(isEverywhere && { isEverywhere }), ageMs: 0 });
				},
			}).then(
				() => undefined,
				// Where the user has cancelled, the link is what has arrived.
				(reason: unknown) => (reason instanceof AnswerError ? reason : error),
			);
		}
		if (failure === undefined) {
			await rm(answer).catch(() => undefined);
		}
		const end = failure ? failedWith(failure, answer, attempts) : await imageOf(entry, attempts);
		// Where this fails, the next process that looks finds it out again.
		await (end && writeState(entry.folder, end).catch(() => undefined));
		return end;
	}
	return undefined;
}

function answerError(error: unknown): AnswerError {
	if (error instanceof AnswerError) {
		return error;
	}
	throw error;
}

function failedWith(
	error: AnswerError,
	answerFile: string,
	attempts: JobState['attempts'],
): JobState {
	const { status, requestId, ...last } = attempts.at(-1) ?? { number: 0, startedAt: now() };
	const failed = { error: Object.assign(error, { status, requestId, answerFile }), elapsedMs: 0 };
	const facts = factsOf(failed.error, failed, hasUnknownOutcome(failed));
	const all = attempts.map((one) =>
		one.number === last.number ? { ...one, failure: one.failure ?? facts } : one,
	);
	const failure = failureOfAll(facts, all);
	return { state: 'failed', failure, attempts: all, changedAt: now() };
}
