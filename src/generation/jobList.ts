import * as vscode from 'vscode';
import { notedText } from '../editor/errorTexts.js';
import { occurs } from '../editor/events.js';
import type { Durations } from '../editor/expectation.js';
import type { FailureFacts } from '../jobs/failure.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import { ProgressWords } from './progressWords.js';
import type { GenerationRequest } from '../jobs/request.js';
import type { FailureState, StateNamed } from '../jobs/state.js';
import type { JobEvent } from '../jobs/workerProtocol.js';
import type { FailedJob } from './failures.js';
import { messages, phrases, progress } from '../messages.js';

/** An image that is here and lies in our own storage, until it is saved or discarded. */
export interface UnsavedImage {
	readonly entry: JobEntry;
	readonly state: StateNamed<'received'>;
	/** Why it was not saved, as a sentence for the user. */
	readonly problem: string;
}

/** The jobs of this window: those that run, that failed, that are unsaved. */
export class JobList implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	/** Fires when jobs came, went, or changed otherwise than by the passing of time. */
	readonly onDidChange = this.#changed.event;
	readonly #running = new Map<string, RunningJob>();
	readonly #failed = new Map<string, FailedJob>();
	readonly #unsaved = new Map<string, UnsavedImage>();
	readonly #viewers = new Set<object>();
	readonly #hidden = new vscode.EventEmitter<void>();

	dispose(): void {
		vscode.Disposable.from(this.#changed, this.#hidden).dispose();
	}

	/** Returns whether a page shows all this, so that notifications would only repeat it. */
	get isShown(): boolean {
		return this.#viewers.size > 0;
	}

	setShown(viewer: object, isShown: boolean): void {
		if (isShown) {
			this.#viewers.add(viewer);
		} else if (this.#viewers.delete(viewer) && !this.isShown) {
			this.#hidden.fire();
		}
	}

	/** Resolves when no viewer is visible, perhaps at once. */
	async whenHidden(): Promise<void> {
		if (this.isShown) {
			await occurs(this.#hidden.event);
		}
	}

	get running(): readonly RunningJob[] {
		return [...this.#running.values()];
	}

	get failed(): readonly FailedJob[] {
		return [...this.#failed.values()];
	}

	get unsaved(): readonly UnsavedImage[] {
		return [...this.#unsaved.values()];
	}

	/** Returns the requests of all these. */
	get requests(): readonly GenerationRequest[] {
		const ended = [...this.failed, ...this.unsaved].map(({ entry }) => entry);
		return [...this.running, ...ended].map(({ request }) => request);
	}

	/** Shows a job as running until its `end`. */
	addRunning(entry: JobEntry, durations: Durations): RunningJob {
		const { request } = entry;
		const job = new RunningJob(entry, durations, {
			change: () => this.#changed.fire(),
			end: () => {
				this.#running.delete(request.id);
				this.#changed.fire();
			},
		});
		this.#running.set(request.id, job);
		this.#changed.fire();
		return job;
	}

	addFailed(entry: JobEntry, state: FailureState): void {
		this.#failed.set(entry.request.id, { entry, state });
		this.#changed.fire();
	}

	/** @param problem why it is not saved, where its state does not say it */
	addUnsaved(
		entry: JobEntry,
		state: StateNamed<'received'>,
		problem = notedText(state.problem, state.error) ?? messages.notSavedYet,
	): UnsavedImage {
		const image = { entry, state, problem };
		this.#unsaved.set(entry.request.id, image);
		this.#changed.fire();
		return image;
	}

	/** Removes a failure or an unsaved image that the user has dealt with. */
	forget(id: string): void {
		// Both: what could not be saved may have failed before.
		const had = [this.#failed.delete(id), this.#unsaved.delete(id)];
		if (had.includes(true)) {
			this.#changed.fire();
		}
	}
}

/** A job that runs: its progress, its question, and its cancellation. */
export class RunningJob extends ProgressWords {
	readonly request: GenerationRequest;
	/** For screen readers: without the time. */
	announcement = 'queued';
	/** True where the user has been asked to send it again, and does not want that. */
	isDeclined = false;
	readonly #cancelling = new AbortController();
	/** Aborted when the user cancels it where it is listed. */
	readonly signal: AbortSignal = this.#cancelling.signal;
	#question: { failure: FailureFacts; answer: (again: boolean) => void } | undefined;

	constructor(
		{ request, state }: JobEntry,
		durations: Durations,
		private readonly on: { readonly change: () => void; readonly end: () => void },
	) {
		super(durations);
		this.request = request;
		this.resume(state);
	}

	/** The failure after which the user has to decide whether the image is sent again. */
	get question(): FailureFacts | undefined {
		return this.#question?.failure;
	}

	cancel(): void {
		this.#cancelling.abort();
	}

	override event(event: JobEvent): void {
		super.event(event);
		this.announcement = announcementOf(event);
		this.on.change();
	}

	override unknown(): void {
		super.unknown();
		this.announcement = progress.unreachable;
		this.on.change();
	}

	/** Asks whether to send again; no where another question comes, or the job ends. */
	async ask(failure: FailureFacts): Promise<boolean> {
		this.#question?.answer(false);
		return new Promise((resolve) => {
			this.#question = { failure, answer: resolve };
			this.on.change();
		});
	}

	answer(again: boolean): void {
		this.isDeclined = !again;
		this.#settle(again);
		this.on.change();
	}

	end(): void {
		this.#settle(false);
		this.on.end();
	}

	#settle(again: boolean): void {
		this.#question?.answer(again);
		this.#question = undefined;
	}
}

function announcementOf(event: JobEvent): string {
	switch (event.type) {
		case 'attempt':
			return event.attempt === 1 ? progress.sending : phrases.attempt(event.attempt);
		case 'phase':
			return {
				sending: progress.sending,
				waiting: phrases.waitingForImage,
				receiving: phrases.receiving,
			}[event.phase];
		case 'failed':
			return {
				stop: progress.failed,
				wait: progress.retryAfterFailure,
				ask: progress.askAfterFailure,
			}[event.next.action];
		case 'stalled':
			return event.code === undefined ? phrases.receiving : progress.diskRefusesShort;
		case 'ended':
			return progress.done;
	}
}
