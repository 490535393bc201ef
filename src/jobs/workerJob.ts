import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
import { factsOf, type FailureFacts } from './failure.js';
import type { LeaseOwner } from './processIdentity.js';
import { abortAtInterruption, describe } from './interruption.js';
import { foldersFor, now, writeState, type JobEntry } from './jobFolder.js';
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
import { WorkerExits } from './workerExits.js';
import type { Command, NewJobEvent, WorkerInput } from './workerProtocol.js';
import { WorkerClients } from './workerClients.js';

/** How long a question to a person stands before it counts as answered with no. */
const longestQuestionMs = 60 * 60 * 1000;

/** How long an end that cannot be written is held for a window to hear of it. */
const longestHeldMs = 60 * 60 * 1000;

/**
 * The longest that a worker may live, in milliseconds: every attempt with its time-out, as long
 * again for a disk that cannot be read, and its wait; every question; an answer and an end that
 * cannot be written.
 */
export function longestLifeMs({ timeoutMs }: WorkerInput): number {
	const attemptMs = 2 * timeoutMs + Math.max(maxRetryAfterMs, maxCapacityWaitMs);
	const questionsMs = (maxAttempts - 1) * longestQuestionMs;
	return maxAttempts * attemptMs + questionsMs + maxStallMs + longestHeldMs;
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
	readonly #taken = Promise.withResolvers<void>();

	constructor(
		private readonly entry: JobEntry,
		private readonly input: WorkerInput,
		private readonly exits = new WorkerExits(input),
		private readonly clock?: Clock,
	) {
		this.clients = new WorkerClients((command) => this.#obey(command), exits);
		this.#attempts = [...entry.state.attempts];
		this.#state = entry.state;
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
				folders: foldersFor(this.entry),
				signal: this.#ending.signal,
				onEvent: (event) => this.#tell(event, self),
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
			case 'taken':
				this.#taken.resolve();
		}
	}

	/**
	 * Notes an event in the journal, then tells the windows. Only an attempt waits until it is noted:
	 * it must not be sent before.
	 *
	 * @throws {StorageError} where an attempt cannot be noted
	 * @throws {LeaseLostError | CancelledError} where there must not be an attempt
	 */
	async #tell(event: NewJobEvent, self: LeaseOwner): Promise<void> {
		let told = event;
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
				told = { ...event, failure: withTimesSent(event.failure, this.#attempts) };
				if (event.next.action !== 'stop') {
					const until =
						event.next.action === 'wait'
							? { until: new Date(Date.now() + event.next.waitMs).toISOString() }
							: {};
					this.#record({ state: 'pausing', ...until }).catch(() => undefined);
				}
				break;
			case 'stalled':
			case 'ended':
				break;
		}
		this.clients.notify(told);
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
			throw new StorageError(
				code,
				`The request could not be noted in Easel's journal (${code}), so it was not sent.`,
				{ charge: 'notSent', cause: error },
			);
		}
	}

	#ask(): Promise<boolean> {
		// An answer comes in a later turn of the event loop than the failure that windows were told.
		const question = (this.#answer = Promise.withResolvers<boolean>());
		// The listening socket keeps the process alive; once it is closed, nobody waits for the answer.
		setTimeout(() => {
			question.resolve(false);
		}, longestQuestionMs).unref();
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
			return { state: 'cancelled', charge: error.charge };
		}
		if (error instanceof InterruptedError) {
			return {
				state: 'interrupted',
				charge: chargeOf(this.#state),
				reason: this.exits.line(error),
			};
		}
		if (isImageServiceError(error)) {
			const { elapsedMs = 0, asleepMs: jumpMs } = this.#attempts.at(-1)?.failure ?? {};
			const elapsed = { elapsedMs, ...(jumpMs === undefined ? {} : { jumpMs }) };
			const last = factsOf(error, elapsed, hasUnknownOutcome({ error, ...elapsed }));
			return { state: 'failed', failure: failureOfAll(last, this.#attempts) };
		}
		return { state: 'failed', failure: unexpected(this.exits.line(error), chargeOf(this.#state)) };
	}

	/**
	 * Writes the end into the journal and tells the windows. Where the journal refuses, this process
	 * stays for up to an hour and tries every second, until it is written or a window has taken the
	 * end over.
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
		const hold = new AbortController();
		void this.#taken.promise.then(() => {
			hold.abort();
		});
		for (const until = performance.now() + longestHeldMs; performance.now() < until;) {
			try {
				await delay(1000, undefined, { signal: hold.signal });
			} catch {
				return;
			}
			try {
				await writeState(this.entry.folder, this.#state, 0);
				return;
			} catch {
				// Tried again in a second.
			}
		}
	}

	/** Changes the state at once. Resolves when the journal has it, or rejects where that fails. */
	#record(change: StateChange): Promise<void> {
		this.#state = this.exits.clean({
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

function unexpected(words: string, charge: Charge): FailureFacts {
	return {
		kind: 'unexpected',
		message: `Something went wrong in Easel: ${words}`,
		charge,
		repeatable: false,
		elapsedMs: 0,
		unknownOutcome: charge !== 'notSent' && charge !== 'rejected',
	};
}
