import * as vscode from 'vscode';
import { notedText } from '../editor/errorTexts.js';
import { occurs } from '../editor/events.js';
import type { Durations } from '../editor/expectation.js';
import type { FailureFacts } from '../jobs/failure.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import { ProgressWords, type Stage } from './progressWords.js';
import type { GenerationRequest } from '../jobs/request.js';
import type { StateNamed } from '../jobs/state.js';
import type { JobEvent } from '../jobs/workerProtocol.js';
import type { FailedJob, FailedState } from './failures.js';
import { messages, phrases, progress } from './messages.js';

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
	/** Jobs came, went, or changed otherwise than by the passing of time. */
	readonly onDidChange = this.#changed.event;
	readonly #running = new Map<string, RunningJob>();
	readonly #failed = new Map<string, FailedJob>();
	readonly #unsaved = new Map<string, UnsavedImage>();
	readonly #viewers = new Set<object>();
	readonly #hidden = new vscode.EventEmitter<void>();

	dispose(): void {
		vscode.Disposable.from(this.#changed, this.#hidden).dispose();
	}

	/** Whether a page shows all this, so that notifications would only repeat it. */
	get isShown(): boolean {
		return this.#viewers.size > 0;
	}

	/** Notes whether a viewer of the list is visible now. */
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

	/** What all of these were asked for. */
	get requests(): readonly GenerationRequest[] {
		return [...this.running, ...this.failed, ...this.unsaved].map((job) =>
			'entry' in job ? job.entry.request : job.request,
		);
	}

	/** Shows a job as running until its `end`. */
	begin(entry: JobEntry, durations: Durations): RunningJob {
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

	fail(entry: JobEntry, state: FailedState): void {
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

	/** The user has dealt with a failure or an unsaved image. */
	forget(id: string): void {
		// Both: what could not be saved may have failed before.
		const had = [this.#failed.delete(id), this.#unsaved.delete(id)];
		if (had.includes(true)) {
			this.#changed.fire();
		}
	}
}

/** A job that runs: its progress, its question, and its cancellation. */
export class RunningJob {
	readonly request: GenerationRequest;
	readonly #words: ProgressWords;
	readonly #cancelling = new AbortController();
	#question: { failure: FailureFacts; answer: (again: boolean) => void } | undefined;
	#announcement = 'queued';
	#isDeclined = false;

	constructor(
		{ request, state }: JobEntry,
		durations: Durations,
		private readonly on: { readonly change: () => void; readonly end: () => void },
	) {
		this.request = request;
		this.#words = new ProgressWords(durations);
		this.#words.resume(state);
	}

	/** What it is doing now, with the time that it takes; different from second to second. */
	get words(): string {
		return this.#words.now();
	}

	get short(): string {
		return this.#words.short();
	}

	get stage(): Stage {
		return this.#words.stage;
	}

	/** See {@link ProgressWords.needsAttention}. */
	get needsAttention(): boolean {
		return this.#words.needsAttention;
	}

	/** For screen readers: without the time. */
	get announcement(): string {
		return this.#announcement;
	}

	/** How far it probably is, from 0 to 1; `undefined` where nothing is known. */
	get progress(): number | undefined {
		return this.#words.progress();
	}

	/** The failure after which the user has to decide whether the image is sent again. */
	get question(): FailureFacts | undefined {
		return this.#question?.failure;
	}

	/** Whether the user has been asked to send it again, and does not want that. */
	get isDeclined(): boolean {
		return this.#isDeclined;
	}

	/** Aborted when the user cancels it where it is listed. */
	get signal(): AbortSignal {
		return this.#cancelling.signal;
	}

	cancel(): void {
		this.#cancelling.abort();
	}

	event(event: JobEvent): void {
		this.#words.event(event);
		this.#announcement = announcementOf(event);
		this.on.change();
	}

	unknown(reason: string): void {
		this.#words.unknown(reason);
		this.#announcement = progress.unreachable;
		this.on.change();
	}

	/**
	 * Asks whether to send again; resolves when `answer` is called, and with no where another
	 * question takes its place or the job ends.
	 */
	async ask(failure: FailureFacts): Promise<boolean> {
		this.#question?.answer(false);
		return new Promise((resolve) => {
			this.#question = { failure, answer: resolve };
			this.on.change();
		});
	}

	answer(again: boolean): void {
		this.#isDeclined = !again;
		this.#question?.answer(again);
		this.#question = undefined;
		this.on.change();
	}

	end(): void {
		this.#question?.answer(false);
		this.#question = undefined;
		this.on.end();
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
