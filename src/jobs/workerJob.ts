import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorFacts } from '../easelError.js';
import { codeOf } from '../files/fsErrors.js';
import type { Clock } from '../service/clock.js';
import {
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
import { folderIn, foldersFor, now, writeState, type JobEntry } from './jobFolder.js';
import { isPointless } from './persistState.js';
import { assertHeld, assertWanted, LeaseLostError } from './leaseChecks.js';
import { maxStallMs, runRequest } from './runRequest.js';
import {
	chargeOf,
	failureOfAll,
	withTimesSent,
	type Attempt,
	type JobState,
	type StateChange,
} from './state.js';
import { OutputRedactor } from './outputRedactor.js';
import type { Command, NewJobEvent, WorkerInput } from './workerProtocol.js';
import { WorkerClients } from './workerClients.js';

/** How long a question to a person stands before it counts as answered with no. */
const maxQuestionMs = 60 * 60 * 1000;

/**
 * The longest that a worker may live, in milliseconds, unless it {@link Job.isHolding | holds}
 * something: every attempt with its time-out and its wait; every question; an image that cannot be
 * written.
 */
export function maxLifeMs({ timeoutMs }: WorkerInput): number {
	const attemptMs = timeoutMs + Math.max(maxRetryAfterMs, maxCapacityWaitMs);
	const questionsMs = (maxAttempts - 1) * maxQuestionMs;
	return maxAttempts * attemptMs + questionsMs + maxStallMs;
}

/** A job in its own process: asks for the image, and tells windows and journal what becomes of it. */
export class Job {
	readonly clients: WorkerClients;
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
	#isHolding = false;

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

	/** Whether an answer or the end of the job is in the memory of this process alone. */
	get isHolding(): boolean {
		return this.#isHolding;
	}

	/**
	 * Asks for the image. Whatever the end is, the journal and the windows are told.
	 *
	 * @param self what stands in the lease as long as this process may ask
	 */
	async run(self: LeaseOwner): Promise<void> {
		abortAtInterruption(this.#ending);
		let end: StateChange;
		try {
			const { image, ...result } = await runRequest(this.entry.request, {
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
				...(this.clock && { clock: this.clock }),
			});
			end = { state: 'received', result: { ...image, ...result } };
		} catch (error) {
			if (error instanceof LeaseLostError) {
				// Its end stands in the journal already, or whoever has the job now, or looks later, writes it.
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
	 * Notes an event in the journal, then tells the windows. Only an attempt waits until it is noted:
	 * it must not be sent before.
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
			case 'failed':
				Object.assign(this.#attempts.at(-1) ?? {}, { failure: event.failure });
				noted = { ...event, failure: withTimesSent(event.failure, this.#attempts) };
				if (event.next.action !== 'stop') {
					const until =
						event.next.action === 'wait'
							? { until: new Date(Date.now() + event.next.waitMs).toISOString() }
							: {};
					this.#record({ state: 'pausing', ...until }).catch(() => undefined);
				}
				break;
			case 'stalled':
				this.#isHolding = event.code !== undefined;
				break;
			case 'ended':
				break;
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
			const code = codeOf(error) || 'EIO';
			const facts = { code: 'storage.journal', systemCode: code } as const;
			throw new StorageError(code, facts, { charge: 'notSent', cause: error });
		}
	}

	#ask(): Promise<boolean> {
		// An answer comes in a later turn of the event loop than the failure that windows were told.
		const question = (this.#answer = Promise.withResolvers<boolean>());
		// The listening socket keeps the process alive; once it is closed, nobody waits for the answer.
		setTimeout(() => {
			question.resolve(false);
		}, maxQuestionMs).unref();
		return question.promise;
	}

	/** After a 429 it may be the other images of Easel that the service is busy with. */
	async #waitForCapacity({ error }: Failure): Promise<void> {
		const { slot } = this.input;
		if (error.status === 429 && slot !== undefined) {
			const jobs = path.dirname(this.entry.folder);
			await waitForCapacity({
				slots: path.dirname(slot.folder),
				folderOf: (job) => path.join(jobs, job),
				id: this.entry.request.id,
				signal: this.#ending.signal,
				...(this.clock && { clock: this.clock }),
			});
		}
	}

	#end(error: unknown): StateChange {
		if (isCancelled(error)) {
			const { charge, answerFile } = error;
			return answerFile === undefined
				? { state: 'cancelled', charge }
				: { state: 'failed', failure: failureOfAll(cut(charge, answerFile), this.#attempts) };
		}
		if (error instanceof InterruptedError) {
			return {
				state: 'interrupted',
				charge: chargeOf(this.#state),
				reason: this.redactor.line(error),
			};
		}
		if (isImageServiceError(error)) {
			const { elapsedMs = 0, asleepMs: jumpMs } = this.#attempts.at(-1)?.failure ?? {};
			const elapsed = { elapsedMs, ...(jumpMs === undefined ? {} : { jumpMs }) };
			const last = factsOf(error, elapsed, hasUnknownOutcome({ error, ...elapsed }));
			return { state: 'failed', failure: failureOfAll(last, this.#attempts) };
		}
		return {
			state: 'failed',
			failure: unexpected(this.redactor.facts(error), chargeOf(this.#state)),
		};
	}

	/**
	 * Writes the end into the journal and tells the windows. Where the journal refuses, this process
	 * stays and tries every second, until it is written, a window has taken the end over, or the job
	 * is gone.
	 */
	async #finish(end: StateChange): Promise<void> {
		const noted = await this.#record(end).then(
			() => true,
			() => false,
		);
		this.clients.notify({ type: 'ended', state: this.#state, isNoted: noted });
		if (noted) {
			return;
		}
		this.#isHolding = true;
		const { folder } = this.entry;
		while (!this.#taken.signal.aborted) {
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
		this.#state = this.redactor.clean({
			...change,
			attempts: structuredClone(this.#attempts),
			changedAt: now(),
		});
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

/** What had arrived when the user cancelled was paid for, so it is listed. */
function cut(charge: Charge, answerFile: string): FailureFacts {
	return {
		kind: 'answer',
		...errorFields({ code: 'job.cancelledWhileReceiving' }),
		charge,
		repeatable: false,
		elapsedMs: 0,
		unknownOutcome: true,
		answerFile,
	};
}

function unexpected(reason: ErrorFacts, charge: Charge): FailureFacts {
	return {
		kind: 'unexpected',
		...errorFields({ code: 'worker.failed', reason }),
		charge,
		repeatable: false,
		elapsedMs: 0,
		unknownOutcome: charge !== 'notSent' && charge !== 'rejected',
	};
}
