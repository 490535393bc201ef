import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorFacts } from '../easelError.js';
import { codeOf } from '../files/fsErrors.js';
import { retryTransient } from '../files/retryTransient.js';
import { Serial } from '../files/serial.js';
import type { ImageFacts } from '../images/inspect.js';
import { inspectContent } from '../images/whole.js';
import { callService, type CallOptions } from '../service/client.js';
import { startStopwatch, systemClock } from '../service/clock.js';
import {
	CancelledError,
	InterruptedError,
	isCancelled,
	isImageServiceError,
	StorageError,
	type Charge,
} from '../service/errors.js';
import {
	hasUnknownOutcome,
	maxRetryAfterMs,
	maxAttempts,
	withRetries,
	type FailedAttempt,
	type RetryDecision,
} from '../service/retry.js';
import { serviceText } from '../service/serviceText.js';
import { openTransport } from '../service/transport.js';
import { maxCapacityWaitMs, waitForCapacity } from './rateLimit.js';
import { factsOf, errorFields, type FailureFacts } from './failure.js';
import type { LeaseOwner } from './processIdentity.js';
import { callOf } from './request.js';
import { abortAtInterruption, describe } from './interruption.js';
import {
	folderIn,
	imageFile,
	now,
	readState,
	workerLease,
	writeState,
	type JobEntry,
} from './jobFolder.js';
import { readLease } from './leaseFiles.js';
import { isPointless } from './persistState.js';
import {
	chargeOf,
	failureOfAll,
	isOver,
	withTimesSent,
	type Attempt,
	type JobResult,
	type JobState,
	type StateChange,
} from './state.js';
import { OutputRedactor } from './outputRedactor.js';
import type { Command, WorkerInput } from './workerProtocol.js';
import { WorkerClients } from './workerClients.js';

/** Wait for a disk that refuses the image of an answer, in milliseconds. */
const maxStallMs = 60 * 60 * 1000;

/** Longest prompt that the service has revised, in UTF-16 code units. */
const maxPromptLength = 32_000;

/** Time after which a question to the user counts as answered with no. */
const maxQuestionMs = 60 * 60 * 1000;

/**
 * Returns how long a worker may live, in milliseconds, unless it {@link WorkerJob.isHolding | holds}
 * something: all attempts with their waits, all questions, an image that cannot be written.
 */
export function maxLifeMs({ timeoutMs }: WorkerInput): number {
	const attemptMs = timeoutMs + Math.max(maxRetryAfterMs, maxCapacityWaitMs);
	const questionsMs = (maxAttempts - 1) * maxQuestionMs;
	return maxAttempts * attemptMs + questionsMs + maxStallMs;
}

/** The job no longer belongs to this process, or is left to the next one that looks. */
class LeaseLostError extends Error {
	override readonly name = 'LeaseLostError';
}

/** The worker's part of a job: requests the image, and reports to windows and journal. */
export class WorkerJob {
	readonly clients: WorkerClients;
	/** True where an answer or the end of the job is in the memory of this process alone. */
	isHolding = false;
	readonly #ending = new AbortController();
	readonly #attempts: Attempt[];
	#answer: PromiseWithResolvers<boolean> | undefined;
	/** The newest state, whether or not the journal has it already. */
	#state: JobState;
	/** The last state that the journal has of this process. */
	#noted: JobState | undefined;
	/** States are written one after another; the last one wins. */
	readonly #writes = new Serial();
	readonly #taken = new AbortController();
	/** The folders that the user has chosen for the answer. */
	readonly #otherFolders: string[] = [];

	constructor(
		private readonly entry: JobEntry,
		private readonly input: WorkerInput,
		private readonly redactor = new OutputRedactor(input),
		private readonly clock = systemClock,
	) {
		this.clients = new WorkerClients((command) => this.#obey(command), redactor);
		this.#attempts = [...entry.state.attempts];
		this.#state = entry.state;
	}

	/** Requests the image, and reports its end, as long as the lease says that this process may. */
	async run(self: LeaseOwner): Promise<void> {
		abortAtInterruption(this.#ending);
		let end: StateChange;
		try {
			end = { state: 'received', result: await this.#request(self) };
		} catch (error) {
			if (error instanceof LeaseLostError) {
				// The journal has its end, or the process that has the job now, or looks later, writes it.
				process.stderr.write(`${describe(error)}\n`);
				return;
			}
			end = this.#end(error);
		}
		await this.#finish(end);
	}

	#obey(command: Command): void {
		switch (command.type) {
			case 'cancel':
				this.#ending.abort();
				break;
			case 'answer':
				this.#answer?.resolve(command.again);
				break;
			case 'folder':
				this.#otherFolders.push(folderIn(command.folder, this.entry.request.id));
				break;
			case 'taken':
				this.#taken.abort();
		}
	}

	/**
	 * Requests the image: attempts, waits, the answer on disk.
	 *
	 * @throws {ImageServiceError} the last attempt's failure, or an answer that is no image
	 * @throws {CancelledError} where the job was cancelled, during an attempt or a wait at once
	 * @throws {InterruptedError} where this process has to end, and the image is not here yet
	 * @throws {LeaseLostError} where the answer lies on a disk that refuses its image: the next process
	 * that looks makes it of what is there; or where the job is not this process's any more
	 */
	async #request(self: LeaseOwner): Promise<JobResult> {
		const { request, folder } = this.entry;
		const { clock, input } = this;
		const { signal } = this.#ending;
		const endpoint = request.references.length > 0 ? 'edits' : 'generations';
		let elapsed = startStopwatch(clock);
		/** Images that were found; the last one is the one of the answer. */
		const images: ImageFacts[] = [];
		const call = callOf(request);
		const options: Omit<CallOptions, 'transport'> = {
			...{ signal, clock, maxStallMs, key: input.key, timeoutMs: input.timeoutMs },
			file: path.join(folder, imageFile),
			openLink: (link) => openTransport(link, input.network),
			otherFolders: this.#otherFolders,
			inspect: (part) => inspectContent(part, images),
			onAnswer: ({ status, requestId }) => {
				Object.assign(this.#attempts.at(-1)!, { status, requestId });
			},
			onPhase: (phase) => {
				this.#record({ state: phase }).catch(() => undefined);
				this.clients.notify({ type: 'phase', phase });
			},
			onStall: (code, isEverywhere) => {
				this.isHolding = code !== undefined;
				this.clients.notify({ type: 'stalled', code, ...(isEverywhere && { isEverywhere }) });
			},
		};
		const attemptOnce = () => {
			const transport = openTransport(new URL(input.address), input.network);
			return callService(call, { ...options, transport });
		};
		const { file, sha256, requestId, revisedPrompt } = await withRetries(attemptOnce, {
			...{ signal, clock, mode: input.retry },
			onAttempt: async (attempt) => {
				elapsed = startStopwatch(clock);
				await assertWanted(folder, this.#state);
				this.#attempts.push({ number: attempt, startedAt: now() });
				await this.#recordBeforeSending(self);
				this.clients.notify({ type: 'attempt', attempt, endpoint });
			},
			onFailure: (failure, attempt, next) => {
				this.#noteFailure(failure, attempt, next);
			},
			ask: () => this.#ask(),
			waitForCapacity: (failure) => this.#waitForCapacity(failure),
		}).catch((error: unknown) => {
			if (error instanceof StorageError && error.answerFile !== undefined) {
				throw new LeaseLostError(`the image could not be written (${error.code})`, {
					cause: error,
				});
			}
			throw error;
		});
		return {
			file,
			...images.at(-1)!,
			sha256,
			requestId,
			revisedPrompt: revisedPrompt && serviceText(revisedPrompt, [input.key], maxPromptLength),
			elapsedMs: elapsed().elapsedMs,
		};
	}

	#noteFailure(failed: FailedAttempt, attempt: number, next: RetryDecision): void {
		const facts = factsOf(failed.error, failed, hasUnknownOutcome(failed));
		Object.assign(this.#attempts.at(-1)!, { failure: facts });
		if (next.action !== 'stop') {
			const endsAt = next.action === 'wait' ? new Date(Date.now() + next.waitMs) : undefined;
			this.#record({ state: 'pausing', until: endsAt?.toISOString() }).catch(() => undefined);
		}
		const failure = withTimesSent(facts, this.#attempts);
		this.clients.notify({ type: 'failed', attempt, failure, next });
	}

	/**
	 * Records the attempt before it is sent (specification, "Errors", rule 4).
	 *
	 * @throws {StorageError} where it cannot be noted
	 * @throws {LeaseLostError} where this process must not send it
	 */
	async #recordBeforeSending(self: LeaseOwner): Promise<void> {
		try {
			await assertHeld(this.entry.folder, self);
			await this.#record({ state: 'sending' });
		} catch (error) {
			if (error instanceof LeaseLostError) {
				throw error;
			}
			const systemCode = codeOf(error) || 'EIO';
			const details = { charge: 'notSent', cause: error } as const;
			throw new StorageError(systemCode, { code: 'storage.journal', systemCode }, details);
		}
	}

	#ask(): Promise<boolean> {
		// An answer comes in a later turn of the event loop than the failure that the windows hear of.
		this.#answer = Promise.withResolvers<boolean>();
		// The listening socket keeps the process alive; once it is closed, no answer is waited for.
		setTimeout(this.#answer.resolve, maxQuestionMs, false).unref();
		return this.#answer.promise;
	}

	/** After a 429 it may be the other requests of Easel that the service is busy with. */
	async #waitForCapacity({ error }: FailedAttempt): Promise<void> {
		const { slot } = this.input;
		if (error.status === 429 && slot !== undefined) {
			const { signal } = this.#ending;
			await waitForCapacity(path.dirname(slot.folder), this.entry.folder, signal, this.clock);
		}
	}

	#end(error: unknown): StateChange {
		if (isCancelled(error)) {
			const { charge, answerFile } = error;
			const cut = failureOf('answer', { code: 'job.cancelledWhileReceiving' }, charge);
			this.#failLast(cut);
			const failure = failureOfAll({ ...cut, answerFile }, this.#attempts);
			// What had arrived when the user cancelled was paid for, so it is listed.
			return failure.answerFile === undefined
				? { state: 'cancelled', charge: failure.charge }
				: { state: 'failed', failure };
		}
		const charge = chargeOf(this.#state);
		if (error instanceof InterruptedError) {
			return { state: 'interrupted', charge, reason: this.redactor.line(error) };
		}
		if (isImageServiceError(error)) {
			const { elapsedMs = 0, asleepMs: jumpMs } = this.#attempts.at(-1)?.failure ?? {};
			const failure = { error, elapsedMs, jumpMs };
			const last = factsOf(error, failure, hasUnknownOutcome(failure));
			this.#failLast(last);
			return { state: 'failed', failure: failureOfAll(last, this.#attempts) };
		}
		const reason = this.redactor.facts(error);
		const failure = failureOf('unexpected', { code: 'worker.failed', reason }, charge);
		return { state: 'failed', failure };
	}

	/** Notes how the last attempt has ended, where that is not noted: each counts by what it may cost. */
	#failLast(failure: FailureFacts): void {
		const last = this.#attempts.at(-1);
		if (last !== undefined) {
			last.failure ??= failure;
		}
	}

	/**
	 * Reports the end to journal and windows. Where the journal refuses, this process tries every second
	 * until it is written, a window has taken the end over, or the job is gone.
	 */
	async #finish(end: StateChange): Promise<void> {
		const isNoted = await this.#record(end).then(
			() => true,
			() => false,
		);
		this.clients.notify({ type: 'ended', state: this.#state, isNoted });
		this.isHolding = !isNoted;
		const { folder } = this.entry;
		while (this.isHolding && !this.#taken.signal.aborted) {
			await delay(1000, undefined, { signal: this.#taken.signal }).catch(() => undefined);
			try {
				await writeState(folder, this.#state, 0);
				return;
			} catch (error) {
				if (await isPointless(error, folder)) {
					return;
				}
			}
		}
	}

	/** Changes the state at once. Resolves when the journal has it, or rejects where that fails. */
	#record(change: StateChange): Promise<void> {
		this.#state = this.redactor.clean({ ...change, attempts: this.#attempts, changedAt: now() });
		return this.#writes.run(() => this.#write());
	}

	/** Once for each state: a second time might overwrite what a window has noted in between. */
	async #write(): Promise<void> {
		const state = this.#state;
		if (state !== this.#noted) {
			await writeState(this.entry.folder, state);
			this.#noted = state;
		}
	}
}

/** Returns the failure of a job that is none of the service's. */
function failureOf(kind: 'answer' | 'unexpected', facts: ErrorFacts, charge: Charge): FailureFacts {
	const unknownOutcome = charge !== 'notSent' && charge !== 'rejected';
	return { kind, ...errorFields(facts), charge, repeatable: false, elapsedMs: 0, unknownOutcome };
}

/**
 * Checks that this process still has the worker's lease of a job: while its machine slept, it may have
 * been given up.
 *
 * @throws {LeaseLostError} where it has not; the system's error where that cannot be found out
 */
export async function assertHeld(folder: string, { id }: LeaseOwner): Promise<void> {
	const owner = (await retryTransient(() => readLease(folder, workerLease)))?.owner;
	if (owner === 'unreadable') {
		throw new Error('the lease cannot be read');
	}
	if (owner?.id !== id) {
		throw new LeaseLostError('another process requests this image now');
	}
}

/**
 * Checks that no window that could not reach this process has noted an end of the job: then the user
 * may have requested it anew. A state that cannot be read counts as no such note.
 *
 * @param state as this process knows it; it says what the cancelling means for the money
 * @throws {CancelledError} where it was cancelled
 * @throws {LeaseLostError} where another end was noted
 */
export async function assertWanted(folder: string, state: JobState): Promise<void> {
	const noted = await readState(folder).catch(() => undefined);
	if (noted?.state === 'cancelled') {
		throw new CancelledError(chargeOf(state));
	}
	if (noted !== undefined && isOver(noted)) {
		throw new LeaseLostError(`it counts as ${noted.state} already`);
	}
}
