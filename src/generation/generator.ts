import * as vscode from 'vscode';
import { foreignText } from '../editor/foreignText.js';
import { tellFailure } from '../editor/messages.js';
import type { Preferences } from '../editor/preferences.js';
import { withJobProgress, withSeriesProgress } from '../editor/progress.js';
import { removeFiles } from '../jobs/deliver.js';
import type { Journal } from '../jobs/journal.js';
import { now, readState, type JobEntry } from '../jobs/jobFolder.js';
import { noteState } from '../jobs/noteState.js';
import type { FinalState, JobState, StateNamed } from '../jobs/state.js';
import type { Charge } from '../service/errors.js';
import { Announcer, type ArrivedJob } from './announcer.js';
import { confirmMany } from './confirmMany.js';
import { concernsAll, type FailedJob } from './failures.js';
import type { Insertions } from './insertions.js';
import { journalOrder } from './journalOrder.js';
import { logEnd } from './jobLog.js';
import { onlyOne, orderOf, type Order } from './order.js';
import { runJob, type RunNeeds } from './runJob.js';
import { Unsaved } from './unsaved.js';

/** What making images needs of the rest. */
export interface GeneratorNeeds extends RunNeeds {
	readonly preferences: Preferences;
	readonly journal: Journal;
	readonly insertions: Insertions;
}

/** What became of an image: the file, or why there is none. */
export type End = vscode.Uri | 'cancelled' | 'failed';

/** Makes images, from the order to its end: journal, worker, delivery, link, message. */
export class Generator implements vscode.Disposable {
	/** Images that are here and could not be saved. */
	readonly unsaved: Unsaved;
	readonly #announcer: Announcer;
	#disposed = false;

	constructor(private readonly needs: GeneratorNeeds) {
		this.#announcer = new Announcer(needs, (...entries) => this.again(...entries));
		this.unsaved = new Unsaved(needs, (entry, state) => this.#tellSaved(entry, state));
	}

	dispose(): void {
		// The workers go on; the next window picks them up.
		this.#disposed = true;
		this.#announcer.dispose();
	}

	/**
	 * Makes all images of an order; each is a request with a progress and an end of its own. Returns
	 * those that were saved, or `undefined` where the user has cancelled all. Failures are told.
	 */
	async makeAll(order: Order): Promise<vscode.Uri[] | undefined> {
		const { count } = order.choices;
		const orders = Array.from({ length: count }, () => onlyOne(order));
		if (!(await this.#mayMake(orders))) {
			return undefined;
		}
		const ends = await this.#makeRound(orders);
		return ends.every((end) => end === 'cancelled')
			? undefined
			: ends.filter((end) => end instanceof vscode.Uri);
	}

	/**
	 * Makes many images under one progress, "7 of 12", and tells of them at the end; cancelling keeps
	 * what is done and gives up the rest. Returns the ends in the order of the orders. Nobody is asked
	 * here: who calls has said how many requests these are, and had them chosen one by one.
	 */
	async makeSeries(title: string, orders: readonly Order[]): Promise<End[]> {
		return withSeriesProgress(title, orders.length, (done, signal) =>
			this.#makeRound(orders, { done, signal }),
		);
	}

	/** Makes other images of the requests of jobs that have failed, which are forgotten. */
	async again(...entries: readonly JobEntry[]): Promise<void> {
		const orders = entries.map(({ request }) => orderOf(request));
		if (await this.#mayMake(orders)) {
			for (const entry of entries) {
				await this.dismiss(entry);
			}
			await this.#makeRound(orders);
		}
	}

	/** Puts a failure aside: it is not shown any more. */
	async dismiss({ folder, request }: JobEntry): Promise<void> {
		this.#announcer.forget(request.id);
		const state = await readState(folder);
		await noteState(folder, { ...state, told: true, dismissed: true }, this.#trouble);
	}

	/** Takes up a job that another window, or this one before a reload, has left. */
	async resume(entry: JobEntry): Promise<End> {
		const round: Round = { position: '', arrived: [], failures: [], cancelled: [] };
		const end = await this.#run(entry, round);
		this.#announcer.tell({ ...round, asked: 1 });
		return end;
	}

	/** Gives up a job that was never sent. */
	async discard({ folder, request, state: { attempts } }: JobEntry): Promise<void> {
		const end = { state: 'cancelled', charge: 'notSent', attempts, changedAt: now() } as const;
		await this.#announcer.noteTold(folder, end);
		await removeFiles(folder, this.#trouble);
		this.needs.log.info(`${request.id} was discarded; nothing was sent.`);
	}

	/** Tells the end of a job again whose window was gone before anybody could have seen it. */
	async tellAgain(entry: JobEntry, state: FinalState): Promise<void> {
		const { folder } = entry;
		switch (state.state) {
			case 'saved':
				await removeFiles(folder, this.#trouble);
				await this.#tellSaved(entry, state);
				return;
			case 'failed':
			case 'interrupted':
				this.#announcer.failed({ entry, state });
				this.#announcer.tell({
					asked: 1,
					arrived: [],
					failures: [{ entry, state }],
					cancelled: [],
				});
				return;
			case 'cancelled':
			case 'discarded':
				await removeFiles(folder, this.#trouble);
				await this.#announcer.noteTold(folder, state);
		}
	}

	async #tellSaved(entry: JobEntry, state: StateNamed<'saved'>): Promise<void> {
		const arrived = [await this.#announcer.link(entry, state)];
		this.#announcer.tell({ asked: 1, arrived, failures: [], cancelled: [] });
	}

	#mayMake(orders: readonly Order[]): Promise<boolean> {
		return confirmMany(
			orders.map(({ choices }) => choices.size),
			this.needs.preferences,
		);
	}

	/**
	 * Makes what is asked for at once, and tells of it in one message. A refusal that concerns all of
	 * them, of the key or for want of quota, gives up those that were not sent yet.
	 */
	async #makeRound(orders: readonly Order[], series?: Series): Promise<End[]> {
		const arrived: ArrivedJob[] = [];
		const failures: FailedJob[] = [];
		const cancelled: Charge[] = [];
		const givingUp = new AbortController();
		const ends = await Promise.all(
			orders.map(async (order, index) => {
				const position =
					series === undefined && orders.length > 1
						? ` (${String(index + 1)} of ${String(orders.length)})`
						: '';
				const ends = { arrived, failures, cancelled };
				const round = { position, series: series?.signal, givingUp, ...ends };
				const end = await this.#make(order, round);
				series?.done();
				return end;
			}),
		);
		// Cancelling one is answered at once, cancelling a series with how far it has come.
		if (series !== undefined || arrived.length + failures.length > 0) {
			this.#announcer.tell({ asked: orders.length, arrived, failures, cancelled });
		}
		return ends;
	}

	async #make(order: Order, round: Round): Promise<End> {
		if (round.series?.aborted) {
			round.cancelled.push('notSent');
			return 'cancelled';
		}
		const { journal, leases } = this.needs;
		let entry: JobEntry;
		try {
			entry = await journalOrder(order, { journal, leases, onTrouble: this.#trouble });
		} catch (error) {
			this.#announcer.notAsked(order, error, () => this.#makeRound([order]));
			return 'failed';
		}
		return this.#run(entry, round);
	}

	/** Brings a job to its end, from wherever it stands, and tells that end. */
	async #run(entry: JobEntry, round: Round): Promise<End> {
		const { jobs, preferences } = this.needs;
		const { operation, prompt, size } = entry.request;
		const verb = operation === 'edit' ? 'Editing' : 'Generating';
		const title = `${verb} “${foreignText(prompt, 60)}”${round.position}`;
		const job = jobs.begin(entry, preferences.durations(size));
		const make = (changed?: () => void, cancelling?: AbortSignal) =>
			runJob(entry, job, this.needs, { givingUp: round.givingUp?.signal, changed, cancelling });
		try {
			const isSeen = round.series !== undefined || jobs.watched || entry.state.state === 'received';
			const state = isSeen
				? await make(undefined, round.series)
				: await withJobProgress(title, () => job.words, make);
			return await this.#tell(entry, state, round);
		} catch (error) {
			tellFailure(error);
			return 'failed';
		} finally {
			job.end();
		}
	}

	async #tell(entry: JobEntry, state: JobState, round: Round): Promise<End> {
		const { log, preferences } = this.needs;
		if (this.#disposed) {
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
				round.arrived.push(await this.#announcer.link(entry, state));
				return uri;
			}
			case 'received':
				this.unsaved.add(entry, state);
				return 'failed';
			case 'cancelled':
				await this.#announcer.noteTold(entry.folder, state);
				round.cancelled.push(state.charge);
				if (round.series === undefined) {
					this.#announcer.cancelled(state.charge);
				}
				return 'cancelled';
			case 'interrupted':
			case 'failed':
				this.#announcer.failed({ entry, state });
				round.failures.push({ entry, state });
				if (state.state === 'failed' && concernsAll(state.failure)) {
					const failure: typeof state.failure = { ...state.failure, charge: 'notSent' };
					round.givingUp?.abort(failure);
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

	readonly #trouble = (what: string, error: unknown): void => {
		this.needs.log.error(what, error);
	};
}

/** Images that are made under one progress. */
interface Series {
	/** Called after each. */
	readonly done: () => void;
	/** Aborted when the user cancels all of them. */
	readonly signal: AbortSignal;
}

/** What an image has in common with those that were asked for together with it. */
interface Round {
	/** `(2 of 4)`, where that tells one from another. */
	readonly position: string;
	readonly series?: AbortSignal | undefined;
	/** Aborted, with the failure, where the others need not be tried. */
	readonly givingUp?: AbortController;
	readonly arrived: ArrivedJob[];
	readonly failures: FailedJob[];
	/** What those that were cancelled mean for the money. */
	readonly cancelled: Charge[];
}
