import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorFacts } from '../easelError.js';
import { codeOf } from '../files/fsErrors.js';
import { retryTransient } from '../files/retryTransient.js';
import type { Clock } from '../service/clock.js';
import {
	CancelledError,
	InterruptedError,
	isCancelled,
	isImageServiceError,
	StorageError,
	type Charge,
} from '../service/errors.js';
import { hasUnknownOutcome, maxRetryAfterMs, maxAttempts, type Failure } from '../service/retry.js';
import { maxCapacityWaitMs, waitForCapacity } from './rateLimit.js';
import { factsOf, errorFields, type FailureFacts } from './failure.js';
import type { LeaseOwner } from './processIdentity.js';
import { abortAtInterruption, describe } from './interruption.js';
import {
	folderIn,
	foldersFor,
	now,
	readState,
	workerLease,
	writeState,
	type JobEntry,
} from './jobFolder.js';
import { readLease } from './leaseFiles.js';
import { isPointless } from './persistState.js';
import { LeaseLostError, maxStallMs, runRequest } from './runRequest.js';
import {
	chargeOf,
	failureOfAll,
	isOver,
	withTimesSent,
	type Attempt,
	type JobState,
	type StateChange,
} from './state.js';
import { OutputRedactor } from './outputRedactor.js';
import type { Command, NewJobEvent, WorkerInput } from './workerProtocol.js';
import { WorkerClients } from './workerClients.js';

/** How long a question to the user stands before it counts as answered with no. */
const maxQuestionMs = 60 * 60 * 1000;

/**
 * Returns how long a worker may live, in milliseconds, unless it {@link Job.isHolding | holds}
 * something: all attempts with their waits, all questions, an image that cannot be written.
 */
export function maxLifeMs({ timeoutMs }: WorkerInput): number {
	const attemptMs = timeoutMs + Math.max(maxRetryAfterMs, maxCapacityWaitMs);
	const questionsMs = (maxAttempts - 1) * maxQuestionMs;
	return maxAttempts * attemptMs + questionsMs + maxStallMs;
}

/** A job in its own process: requests the image, and reports to windows and journal. */
export class Job {
	readonly clients: WorkerClients;
	/** Whether an answer or the end of the job is in the memory of this process alone. */
	isHolding = false;
	readonly #ending = new AbortController();
	readonly #attempts: Attempt[];
	#answer: PromiseWithResolvers<boolean> | undefined;
	/** The newest state, whether or not the journal has it already. */
	#state: JobState;
	/** The last state that the journal has of this process. */
	#noted: JobState | undefined;
	/** States are written one after another; the last one wins. */
	#writing: Promise<void> = Promise.resolve();
	readonly #taken = new AbortController();
	/** Those beside the job's own that its answer may lie in. */
	readonly #otherFolders: string[];

	constructor(
		private readonly entry: JobEntry,
		private readonly input: WorkerInput,
		private readonly redactor = new OutputRedactor(input),
		private readonly clock?: Clock,
	) {
		this.clients = new WorkerClients((command) => this.#obey(command), redactor);
		this.#attempts = [...entry.state.attempts];
		this.#state = entry.state;
		[, ...this.#otherFolders] = foldersFor(entry);
	}

	/** Requests the image, and reports its end, as long as the lease says that this process may. */
	async run(self: LeaseOwner): Promise<void> {
		abortAtInterruption(this.#ending);
		let end: StateChange;
		try {
			const result = await runRequest(this.entry.request, {
				...this.input,
				folder: this.entry.folder,
				otherFolders: this.#otherFolders,
				signal: this.#ending.signal,
				onEvent: (event) => this.#onEvent(event, self),
				onAnswer: ({ status, requestId }) => {
					Object.assign(this.#attempts.at(-1) ?? {}, { status, requestId });
				},
				ask: () => this.#ask(),
				untilRoom: (failure) => this.#waitForCapacity(failure),
				clock: this.clock,
			});
			end = { state: 'received', result };
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
	 * Notes an event in the journal, then sends it to the windows. Only an attempt waits until it is
	 * noted: it must not be sent before.
	 *
	 * @throws {StorageError} where an attempt cannot be noted
	 * @throws {LeaseLostError | CancelledError} where there must not be an attempt
	 */
	async #onEvent(event: NewJobEvent, self: LeaseOwner): Promise<void> {
		let noted = event;
		switch (event.type) {
			case 'attempt':
				await assertWanted(this.entry.folder, this.#state);
				this.#attempts.push({ number: event.attempt, startedAt: now() });
				await this.#recordBeforeSending(self);
				break;
			case 'phase':
				this.#record({ state: event.phase }).catch(() => undefined);
				break;
			case 'failed': {
				const { next } = event;
				Object.assign(this.#attempts.at(-1) ?? {}, { failure: event.failure });
				noted = { ...event, failure: withTimesSent(event.failure, this.#attempts) };
				if (next.action !== 'stop') {
					const endsAt = next.action === 'wait' ? new Date(Date.now() + next.waitMs) : undefined;
					const until = endsAt?.toISOString();
					this.#record({ state: 'pausing', until }).catch(() => undefined);
				}
				break;
			}
			case 'stalled':
				this.isHolding = event.code !== undefined;
				break;
			case 'ended':
		}
		this.clients.notify(noted);
	}

	/** Records the attempt before it is sent (specification, "Errors", rule 4). */
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
	async #waitForCapacity({ error }: Failure): Promise<void> {
		const { slot } = this.input;
		if (error.status === 429 && slot !== undefined) {
			const { signal } = this.#ending;
			await waitForCapacity(path.dirname(slot.folder), this.entry.folder, signal, this.clock);
		}
	}

	#end(error: unknown): StateChange {
		if (isCancelled(error)) {
			const { charge, answerFile } = error;
			if (answerFile === undefined) {
				return { state: 'cancelled', charge };
			}
			// What had arrived when the user cancelled was paid for, so it is listed.
			const cut = failureOf('answer', { code: 'job.cancelledWhileReceiving' }, charge);
			return { state: 'failed', failure: failureOfAll({ ...cut, answerFile }, this.#attempts) };
		}
		const charge = chargeOf(this.#state);
		if (error instanceof InterruptedError) {
			return { state: 'interrupted', charge, reason: this.redactor.line(error) };
		}
		if (isImageServiceError(error)) {
			const { elapsedMs = 0, asleepMs: jumpMs } = this.#attempts.at(-1)?.failure ?? {};
			const failure = { error, elapsedMs, jumpMs };
			const last = factsOf(error, failure, hasUnknownOutcome(failure));
			return { state: 'failed', failure: failureOfAll(last, this.#attempts) };
		}
		const reason = this.redactor.facts(error);
		const failure = failureOf('unexpected', { code: 'worker.failed', reason }, charge);
		return { state: 'failed', failure };
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
		// A failed write must not keep the next one from being tried.
		this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
		return this.#writing;
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
 * @throws {LeaseLostError} where it has not; the system's error where that cannot be told
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
