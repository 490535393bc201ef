import * as vscode from 'vscode';
import { foreignText } from '../editor/foreignText.js';
import { tellFailure } from '../editor/messages.js';
import type { Preferences } from '../editor/preferences.js';
import { withJobProgress } from '../editor/progress.js';
import type { FinishedJobs } from '../jobs/finishedJobs.js';
import type { Journal } from '../jobs/journal.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { ImageRequest } from '../jobs/request.js';
import type { JobState, StateNamed } from '../jobs/state.js';
import type { Charge } from '../service/errors.js';
import type { Announcer, ArrivedJob, NotAsked } from './announcer.js';
import { concernsAll, type FailedJob } from './failures.js';
import type { History } from './history.js';
import type { Insertions } from './insertions.js';
import { logEnd } from './jobLog.js';
import { journalRequest } from './journalRequest.js';
import { runJob, type RunNeeds } from './runJob.js';
import type { SmallerReferences } from './smallerReferences.js';
import type { Styles } from './styles.js';
import type { Unsaved } from './unsaved.js';
import { phrases } from './messages.js';

/** What making images needs of the rest. */
export interface GeneratorNeeds extends RunNeeds {
	/** All images that are known. */
	readonly history: Pick<History, 'list'>;
	readonly preferences: Preferences;
	readonly journal: Journal;
	/** Removes jobs at their end. */
	readonly finished: FinishedJobs;
	readonly insertions: Insertions;
	readonly smallerReferences: SmallerReferences;
	readonly styles: Styles;
}

/** What became of an image: the file, or why there is none. */
export type End = vscode.Uri | 'cancelled' | 'failed';

/** Called when all that was asked for is in the journal. */
export type OnAsked = () => Promise<void>;

/** What all rounds of a window share. */
export interface RoundTools {
	readonly announcer: Announcer;
	readonly unsaved: Unsaved;
	/** Writes the link of a saved image, and lets the rest know. */
	readonly link: (entry: JobEntry, state: StateNamed<'saved'>) => Promise<ArrivedJob>;
	/** Asks for the same images in another round. */
	readonly again: (requests: readonly ImageRequest[]) => Promise<unknown>;
	/** Makes a round of what is asked for together. */
	readonly place: (requests: readonly ImageRequest[]) => Promise<readonly ImageRequest[]>;
	/** Aborted when the window ends: the next one tells of what ends from then on. */
	readonly ending: AbortSignal;
}

/** Images that are made under one progress. */
export interface Series {
	/** Called after each. */
	readonly done: () => void;
	/** Aborted when the user cancels all of them. */
	readonly signal: AbortSignal;
}

/**
 * Images that were asked for together, each a request with an end of its own; what has become of
 * them is told in one message. A refusal that concerns all of them, of the key or for want of quota,
 * gives up those that were not sent yet.
 */
export class Round {
	readonly #arrived: ArrivedJob[] = [];
	readonly #failures: FailedJob[] = [];
	readonly #notAsked: NotAsked[] = [];
	/** What those that were cancelled mean for the money. */
	readonly #cancelled: Charge[] = [];
	/** Aborted, with the failure, where the others need not be tried. */
	readonly #givingUp = new AbortController();
	#asked = 0;

	constructor(
		private readonly needs: GeneratorNeeds,
		private readonly tools: RoundTools,
		/** Where one progress shows them all. */
		private readonly series?: Series,
	) {}

	/**
	 * Makes the images of these requests; what has become of them is told by `tell` alone. Returns the
	 * ends in the order of the requests.
	 *
	 * @param onAsked called when all of them are in the journal, so that none can be lost, and before
	 *   any is sent
	 * @param onJournaled called when it is known of each whether it is in the journal, in their order
	 */
	async make(
		requests: readonly ImageRequest[],
		onAsked?: OnAsked,
		onJournaled?: (areThere: readonly boolean[]) => void,
	): Promise<End[]> {
		this.#asked = requests.length;
		const placed = await this.tools.place(requests);
		const asking = placed.map((request) => this.#ask(request));
		const allAsked = Promise.all(asking)
			.then((all) => {
				onJournaled?.(all.map((asked) => typeof asked !== 'string'));
				return this.#endAsking(onAsked);
			})
			.catch(tellFailure);
		return Promise.all(
			asking.map(async (asked, index) => {
				const entry = await asked;
				// What is prepared is to be there when an image comes, and what gives its place up, gone.
				await ((onAsked ?? onJournaled) && allAsked);
				const isNumbered = this.series === undefined && requests.length > 1;
				const position = isNumbered ? phrases.position(index + 1, requests.length) : '';
				const end = typeof entry === 'string' ? entry : await this.#run(entry, position);
				this.series?.done();
				return end;
			}),
		);
	}

	/** Takes up a job, wherever it stands. */
	resume(entry: JobEntry): Promise<End> {
		this.#asked += 1;
		return this.#run(entry);
	}

	/** Takes in a job that has ended well, and that nobody has heard of. */
	async saved(entry: JobEntry, state: StateNamed<'saved'>): Promise<void> {
		this.#asked += 1;
		this.#arrived.push(await this.tools.link(entry, state));
	}

	/** The same of one that has failed. */
	failed(entry: JobEntry, state: StateNamed<'failed' | 'interrupted'>): void {
		this.#asked += 1;
		this.#fail(entry, state);
	}

	/** Tells what has become of them; nothing where nobody would see it, or all was said already. */
	tell(): void {
		const arrived = this.#arrived;
		const failures = this.#failures;
		const cancelled = this.#cancelled;
		const isCancelledNews = this.series !== undefined && cancelled.length > 0;
		const isNews = arrived.length + failures.length > 0 || isCancelledNews;
		if (isNews && !this.tools.ending.aborted) {
			this.tools.announcer.tell({ asked: this.#asked, arrived, failures, cancelled });
		}
	}

	/** Writes what is asked for into the journal. */
	async #ask(request: ImageRequest): Promise<JobEntry | 'cancelled' | 'failed'> {
		if (this.series?.signal.aborted) {
			this.#cancelled.push('notSent');
			return 'cancelled';
		}
		const { journal, leases, smallerReferences } = this.needs;
		try {
			const options = { journal, leases, smallerReferences, onTrouble: this.#trouble };
			return await journalRequest(request, options);
		} catch (error) {
			this.#notAsked.push({ request, error });
			return 'failed';
		}
	}

	/** Brings a job to its end, from wherever it stands. */
	async #run(entry: JobEntry, position = ''): Promise<End> {
		const { jobs, preferences } = this.needs;
		const { operation, prompt, size } = entry.request;
		const titleOf = operation === 'edit' ? phrases.editing : phrases.generating;
		const title = titleOf(foreignText(prompt, 60), position);
		const job = jobs.begin(entry, preferences.durations(size));
		const givingUp = this.#givingUp.signal;
		const make = (changed?: () => void, cancelling?: AbortSignal) =>
			runJob(entry, job, this.needs, { givingUp, changed, cancelling });
		try {
			const isSeen = this.series !== undefined || jobs.watched || entry.state.state === 'received';
			const state = isSeen
				? await make(undefined, this.series?.signal)
				: await withJobProgress(title, () => job.words, make);
			return await this.#end(entry, state, job.isDeclined);
		} catch (error) {
			tellFailure(error);
			return 'failed';
		} finally {
			job.end();
		}
	}

	/** @param isDeclined whether the user has seen the failure, and has answered that it ends there */
	async #end(entry: JobEntry, state: JobState, isDeclined: boolean): Promise<End> {
		const { jobs, log, preferences } = this.needs;
		const { announcer, ending, link, unsaved } = this.tools;
		if (ending.aborted) {
			return 'failed';
		}
		logEnd(log, entry.request, state);
		switch (state.state) {
			case 'saved': {
				const { elapsedMs } = state.result;
				if (elapsedMs > 0) {
					await preferences.rememberDuration(entry.request.size, elapsedMs);
				}
				const uri = vscode.Uri.parse(state.target, true);
				log.info(`Saved: ${vscode.workspace.asRelativePath(uri)}.`);
				this.#arrived.push(await link(entry, state));
				return uri;
			}
			case 'received':
				unsaved.add(entry, state);
				return 'failed';
			case 'cancelled':
				await announcer.markNotified(entry.folder, state);
				this.#cancelled.push(state.charge);
				// Cancelling one is answered at once, cancelling a series with how far it has come.
				if (this.series === undefined) {
					announcer.cancelled(state.charge);
				}
				return 'cancelled';
			case 'interrupted':
			case 'failed':
				if (isDeclined && state.state === 'failed') {
					// A message with the same words would only ask once more.
					jobs.fail(entry, state);
					await announcer.markNotified(entry.folder, state);
					return 'failed';
				}
				this.#fail(entry, state);
				if (state.state === 'failed' && concernsAll(state.failure)) {
					const failure: typeof state.failure = { ...state.failure, charge: 'notSent' };
					this.#givingUp.abort(failure);
				}
				return 'failed';
			case 'discarded':
				return 'cancelled';
			case 'queued':
			case 'sending':
			case 'waiting':
			case 'receiving':
			case 'pausing':
				throw new Error(`A job came back while it was ${state.state}.`);
		}
	}

	#fail(entry: JobEntry, state: StateNamed<'failed' | 'interrupted'>): void {
		this.needs.jobs.fail(entry, state);
		this.#failures.push({ entry, state });
	}

	async #endAsking(onAsked?: OnAsked): Promise<void> {
		const { announcer, again, ending } = this.tools;
		if (this.#notAsked.length > 0) {
			announcer.notAsked(this.#notAsked, again);
		} else if (!ending.aborted) {
			await onAsked?.();
		}
	}

	readonly #trouble = (what: string, error: unknown): void => {
		this.needs.log.error(what, error);
	};
}
