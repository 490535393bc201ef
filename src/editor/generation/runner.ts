import * as vscode from 'vscode';
import { createJob } from '../../jobs/createJob.js';
import { removeFiles } from '../../jobs/deliver.js';
import { factsOf, type FailureFacts } from '../../jobs/failure.js';
import type { Gallery } from '../../jobs/gallery.js';
import { now, readState, type JobEntry, type Journal } from '../../jobs/journal.js';
import type { Leases } from '../../jobs/leases.js';
import { makeImage, type WorkerSettings } from '../../jobs/makeImage.js';
import { noteState } from '../../jobs/noteState.js';
import type { Slots } from '../../jobs/slots.js';
import type { JobState, StateChange, StateNamed } from '../../jobs/state.js';
import { CancelledError, RequestError, type Charge } from '../../service/errors.js';
import { OutsideWorkspaceError } from '../files.js';
import type { Log } from '../log.js';
import type { Memory } from '../memory.js';
import { foreignText, inBackground, notify, tellFailure, type Button } from '../messages.js';
import { readNetworkOptions } from '../network.js';
import { withJobProgress, withSeriesProgress } from '../progress.js';
import type { ApiKeys } from '../secrets.js';
import { readServiceAddress } from '../service.js';
import { readSetting, SettingError } from '../settings.js';
import { destinationOf } from './destination.js';
import type { FailedState, JobList, RunningJob } from './jobList.js';
import { logEnd, logEvent } from './jobLog.js';
import { orderOf, type Operation, type Order } from './order.js';
import { referenceSource } from './references.js';
import {
	askToSendAgain,
	reportFailure,
	reportInterrupted,
	reportSaved,
	type SavedImage,
} from './report.js';
import { assertTarget } from './target.js';
import { Unsaved } from './unsaved.js';

export interface Parts {
	readonly keys: ApiKeys;
	readonly log: Log;
	readonly memory: Memory;
	readonly jobs: JobList;
	readonly journal: Journal;
	readonly gallery: Gallery;
	readonly leases: Leases;
	readonly slots: Slots;
	/** The worker's bundle, absolute. */
	readonly worker: string;
}

/** What a feature does about the images that it has asked for. */
export interface OperationFeature {
	/** Lets the user change a request after it has failed. */
	readonly change: (order: Order) => void;
	/** Does what the operation does with a saved image; what is offered then. */
	readonly afterSaving: (saved: SavedImage, order: Order) => Promise<Announcement>;
}

/** What the notification about a saved image adds to it. */
export interface Announcement {
	readonly note?: string;
	readonly buttons: readonly Button[];
}

/** What became of an image: the file, or why there is none. */
export type End = vscode.Uri | 'cancelled' | 'failed';

/** A failure that is told together with others of its round. */
interface Failed {
	readonly entry: JobEntry;
	readonly state: FailedState;
}

/**
 * How long a notification stands before it counts as seen. A window that is reloaded within this
 * time tells of the end once more, because nobody can know whether it was on the screen.
 */
const seenAfterMs = 1500;

/** Makes images: the journal, the way to the end, and telling it. */
export class Runner implements vscode.Disposable {
	/** Images that are here and could not be saved. */
	readonly unsaved: Unsaved;
	readonly #features = new Map<Operation, OperationFeature>();
	readonly #telling = new Map<string, NodeJS.Timeout>();
	/** Images that are told of together, at the end of their series. */
	readonly #inSeries = new Set<string>();
	#disposed = false;

	constructor(private readonly parts: Parts) {
		this.unsaved = new Unsaved(parts, (entry, state) => this.#tellSaved(entry, state));
	}

	dispose(): void {
		// The workers go on; the next window picks them up.
		this.#disposed = true;
		for (const timer of this.#telling.values()) {
			clearTimeout(timer);
		}
	}

	/** Registers the feature that takes care of the images of an operation. */
	register(operation: Operation, feature: OperationFeature): void {
		this.#features.set(operation, feature);
	}

	/**
	 * Makes all images of an order; each is a request with a progress and an end of its own. Returns
	 * those that were saved, or `undefined` where the user has cancelled all.
	 */
	async makeAll(order: Order): Promise<vscode.Uri[] | undefined> {
		const { count } = order.choices;
		const ends = await this.#makeRound(Array.from({ length: count }, () => onlyOne(order)));
		return ends.every((end) => end === 'cancelled')
			? undefined
			: ends.filter((end) => end instanceof vscode.Uri);
	}

	/**
	 * Makes many images under one progress, "7 of 12". Those that succeed are told at the end;
	 * cancelling keeps what is done and gives up the rest. Returns the ends in the order of the
	 * orders.
	 */
	async makeSeries(title: string, orders: readonly Order[]): Promise<End[]> {
		return withSeriesProgress(title, orders.length, (done, signal) =>
			this.#makeRound(orders, { done, signal }),
		);
	}

	/** Makes other images of the requests of jobs that have failed, which are forgotten. */
	async again(...entries: readonly JobEntry[]): Promise<void> {
		for (const entry of entries) {
			await this.dismiss(entry);
		}
		await this.#makeRound(entries.map(({ request }) => orderOf(request)));
	}

	/** Lets the user change the request of a job that has failed. */
	change(entry: JobEntry): void {
		this.#change(orderOf(entry.request));
	}

	/** Puts a failure aside: it is not shown any more. */
	async dismiss({ folder, request }: JobEntry): Promise<void> {
		this.parts.jobs.forget(request.id);
		clearTimeout(this.#telling.get(request.id));
		this.#telling.delete(request.id);
		await this.#note(folder, { ...(await readState(folder)), told: true, dismissed: true });
	}

	/** Takes up a job that another window, or this one before a reload, has left. */
	async resume(entry: JobEntry): Promise<End> {
		const failures: Failed[] = [];
		const end = await this.#run(entry, { position: '', failures });
		this.#tellFailures(failures);
		return end;
	}

	/** Gives up a job that was never sent. */
	async discard(entry: JobEntry): Promise<void> {
		await this.#end(entry, { state: 'cancelled', charge: 'notSent', told: true });
		this.parts.log.info(`${entry.request.id} was discarded; nothing was sent.`);
	}

	/** Tells the end of a job again whose window was gone before anybody could have seen it. */
	async tellAgain(entry: JobEntry): Promise<void> {
		const { state } = entry;
		switch (state.state) {
			case 'saved':
				await removeFiles(entry.folder, this.#trouble);
				await this.#tellSaved(entry, state);
				return;
			case 'failed':
			case 'interrupted':
				await this.#fail(entry, state);
				this.#tellFailures([{ entry, state }]);
				return;
			default:
				await removeFiles(entry.folder, this.#trouble);
				await this.#note(entry.folder, { ...state, told: true });
		}
	}

	/**
	 * Makes what is asked for at once. A refusal that concerns all of them, of the key or for want of
	 * quota, gives up those that were not sent yet; failures of one cause are told once.
	 */
	async #makeRound(
		orders: readonly Order[],
		series?: { readonly done: () => void; readonly signal: AbortSignal },
	): Promise<End[]> {
		const failures: Failed[] = [];
		const givingUp = new AbortController();
		const ends = await Promise.all(
			orders.map(async (order, index) => {
				const position =
					series === undefined && orders.length > 1
						? ` (${String(index + 1)} of ${String(orders.length)})`
						: '';
				const end = await this.#make(order, {
					position,
					series: series?.signal,
					givingUp,
					failures,
				});
				series?.done();
				return end;
			}),
		);
		this.#tellFailures(failures, orders.length);
		return ends;
	}

	async #make(order: Order, round: Round): Promise<End> {
		try {
			if (round.series?.aborted) {
				return 'cancelled';
			}
			await assertTarget(order.target);
			return await this.#run(await this.#journal(order), round);
		} catch (error) {
			if (error instanceof RequestError) {
				const facts = factsOf(error, { elapsedMs: 0 }, false);
				inBackground(
					reportFailure(facts, {
						again: () => inBackground(this.#makeRound([order])),
						change: () => this.#change(order),
					}),
				);
			} else {
				this.#tellUnexpected(error);
			}
			return 'failed';
		}
	}

	/** Puts the request on disk, with copies of its references, before anything is sent. */
	async #journal({ operation, choices, origin, target }: Order): Promise<JobEntry> {
		const { journal, leases } = this.parts;
		const { references, quality } = choices;
		return createJob(
			{
				operation,
				model: readSetting('service.model'),
				prompt: choices.prompt,
				size: choices.size,
				target: {
					folder: target.folder.toString(),
					stem: target.stem,
					...(target.root === undefined ? {} : { root: target.root.toString() }),
				},
				...(origin.document === undefined ? {} : { document: origin.document.toString() }),
				...(origin.insertion === undefined ? {} : { insertion: origin.insertion }),
				...(origin.workspaceFolder === undefined
					? {}
					: { workspaceFolder: origin.workspaceFolder.toString() }),
				...(quality === 'unset' || references.length > 0 ? {} : { quality }),
			},
			references.map(referenceSource),
			{ journal, leases, onTrouble: this.#trouble },
		);
	}

	/** Brings a job to its end, from wherever it stands, and tells that end. */
	async #run(entry: JobEntry, round: Round): Promise<End> {
		const { jobs, memory } = this.parts;
		const { operation, prompt, size, id } = entry.request;
		const verb = operation === 'edit' ? 'Editing' : 'Generating';
		const title = `${verb} “${foreignText(prompt, 60)}”${round.position}`;
		const job = jobs.begin(entry, memory.durations(size));
		const make = (changed?: () => void, cancelling?: AbortSignal) =>
			this.#makeImage(entry, job, round, changed, cancelling);
		try {
			if (round.series !== undefined) {
				this.#inSeries.add(id);
			}
			const isSeen = round.series !== undefined || jobs.watched || entry.state.state === 'received';
			const state = isSeen
				? await make(undefined, round.series)
				: await withJobProgress(title, () => job.words, make);
			return await this.#settle(entry, state, round);
		} catch (error) {
			this.#tellUnexpected(error);
			return 'failed';
		} finally {
			job.end();
			this.#inSeries.delete(id);
		}
	}

	/**
	 * @param changed called when there are new words about it
	 * @param cancelling aborted when somebody cancels it elsewhere than where it is listed
	 */
	#makeImage(
		entry: JobEntry,
		job: RunningJob,
		{ givingUp }: Round,
		changed: () => void = () => undefined,
		cancelling?: AbortSignal,
	): Promise<JobState> {
		const { log, slots, leases, gallery, worker } = this.parts;
		const { request } = entry;
		return makeImage(entry, {
			slots,
			leases,
			gallery,
			script: worker,
			limit: () => readSetting('service.concurrency'),
			settings: () => this.#settings(),
			signal: AbortSignal.any([job.signal, ...(cancelling ? [cancelling] : [])]),
			givingUp: givingUp?.signal,
			onStarted: (pid, { address }) => {
				log.info(`${request.id} goes to ${address}, worker process ${String(pid)}.`);
			},
			onEvent: (event) => {
				job.event(event);
				changed();
				logEvent(log, request, event);
			},
			onUnknown: (reason) => {
				job.unknown(reason);
				changed();
				log.warn(`${request.id}: whether it goes on cannot be told now (${reason}).`);
			},
			ask: ({ failure }) => this.#ask(job, failure),
			// VS Code cannot take a question back.
			onLateAnswer: () => {
				inBackground(
					notify('info', 'The image had ended before you answered. Nothing was sent again.'),
				);
			},
			destinationOf: (result) =>
				destinationOf(orderOf(request).target, result.extension, request.id),
			onTrouble: this.#trouble,
		});
	}

	/** Asks where it is seen: in the list, and when nobody looks at that any more, by itself. */
	async #ask(job: RunningJob, failure: FailureFacts): Promise<boolean> {
		const elsewhere = this.parts.jobs
			.whenUnwatched()
			.then(() => job.question === failure && askToSendAgain(job.request.prompt, failure));
		const again = await Promise.race([job.ask(failure), elsewhere]);
		if (job.question === failure) {
			job.answer(again);
		}
		return again;
	}

	async #settings(): Promise<WorkerSettings | FailureFacts> {
		try {
			const address = readServiceAddress();
			const key = address === undefined ? undefined : await this.parts.keys.get(address);
			if (address === undefined || key === undefined) {
				return notSent(
					'request',
					'Address or key of the image service is missing.',
					address === undefined ? 'address' : 'key',
				);
			}
			return {
				address,
				key: key.key,
				network: readNetworkOptions(),
				timeoutMs: readSetting('service.timeoutSeconds') * 1000,
				retry: readSetting('service.retry'),
			};
		} catch (error) {
			if (error instanceof SettingError) {
				return notSent('setting', error.message, error.setting);
			}
			throw error;
		}
	}

	async #settle(entry: JobEntry, state: JobState, round: Round): Promise<End> {
		if (this.#disposed) {
			return 'failed';
		}
		logEnd(this.parts.log, entry.request, state);
		switch (state.state) {
			case 'saved': {
				const { elapsedMs } = state.result;
				if (elapsedMs > 0) {
					await this.parts.memory.rememberDuration(entry.request.size, elapsedMs);
				}
				this.parts.log.info(`Saved: ${vscode.workspace.asRelativePath(uriOf(state))}.`);
				return this.#tellSaved(entry, state);
			}
			case 'received':
				this.unsaved.add(entry, state);
				return 'failed';
			case 'cancelled':
				await this.#note(entry.folder, { ...state, told: true });
				this.#tellCancelled(state.charge);
				return 'cancelled';
			case 'interrupted':
			case 'failed':
				await this.#fail(entry, state);
				round.failures.push({ entry, state });
				if (state.state === 'failed' && concernsAll(state.failure)) {
					round.givingUp?.abort({ ...state.failure, charge: 'notSent' } satisfies FailureFacts);
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

	async #end(entry: JobEntry, end: StateChange): Promise<void> {
		const { attempts } = entry.state;
		await this.#note(entry.folder, { ...end, attempts, changedAt: now() });
		await removeFiles(entry.folder, this.#trouble);
	}

	async #note(folder: string, state: JobState): Promise<void> {
		await noteState(folder, state, this.#trouble);
	}

	readonly #trouble = (what: string, error: unknown): void => {
		this.parts.log.error(what, error);
	};

	/** The image is saved, whatever happens from here on; only what it is for may fail. */
	async #tellSaved(entry: JobEntry, state: StateNamed<'saved'>): Promise<vscode.Uri> {
		const uri = uriOf(state);
		if (this.#inSeries.has(entry.request.id)) {
			await this.#note(entry.folder, { ...state, told: true });
			return uri;
		}
		const order = orderOf(entry.request);
		const saved = { uri, prompt: order.choices.prompt, image: state.result };
		let announcement: Announcement | undefined;
		try {
			announcement = await this.#features.get(order.operation)?.afterSaving(saved, order);
		} catch (error) {
			this.#trouble('A saved image could not be used', error);
			const words = error instanceof Error ? error.message : String(error);
			announcement = { note: foreignText(words), buttons: [] };
		}
		// Who sees it arrive need not be told, except of what is left to do.
		if (!this.parts.jobs.watched || order.origin.insertion !== undefined) {
			inBackground(reportSaved(saved, announcement?.buttons ?? [], announcement?.note));
		}
		this.#markToldLater(entry, state);
		return uri;
	}

	/** Notes a failure where failures are listed. */
	async #fail(entry: JobEntry, state: FailedState): Promise<void> {
		this.parts.jobs.fail(entry, state);
		this.#markToldLater(entry, state);
		return Promise.resolve();
	}

	/** Tells of failures, those of one cause once; not where they are seen, and stay. */
	#tellFailures(failures: readonly Failed[], asked = failures.length): void {
		if (this.parts.jobs.watched) {
			return;
		}
		for (const group of Map.groupBy(failures, causeOf).values()) {
			const [first, ...others] = group;
			if (first === undefined) {
				continue;
			}
			const again = () => inBackground(this.again(...group.map(({ entry }) => entry)));
			if (first.state.state === 'interrupted') {
				inBackground(reportInterrupted(first.entry.request.prompt, first.state, again));
				continue;
			}
			const about =
				others.length > 0
					? `${String(group.length)} of ${String(asked)} images failed`
					: asked > 1
						? `“${foreignText(first.entry.request.prompt, 60)}”`
						: undefined;
			inBackground(
				reportFailure(
					first.state.failure,
					{ again, change: () => this.change(first.entry) },
					about,
				),
			);
		}
	}

	#markToldLater({ folder, request: { id } }: JobEntry, state: JobState): void {
		clearTimeout(this.#telling.get(id));
		const timer = setTimeout(() => {
			this.#telling.delete(id);
			inBackground(this.#note(folder, { ...state, told: true }));
		}, seenAfterMs);
		this.#telling.set(id, timer);
	}

	#change(order: Order): void {
		this.#features.get(order.operation)?.change(onlyOne(order));
	}

	#tellCancelled(charge: Charge): void {
		const { message } = new CancelledError(charge);
		this.parts.log.info(message);
		if (charge === 'notSent' || charge === 'rejected') {
			vscode.window.setStatusBarMessage(`Easel: ${message}`, 5000);
		} else {
			inBackground(notify('info', message));
		}
	}

	#tellUnexpected(error: unknown): void {
		tellFailure(error instanceof OutsideWorkspaceError ? notSentBecause(error) : error);
	}
}

/** What an image has in common with those that were asked for together with it. */
interface Round {
	/** `(2 of 4)`, where that tells one from another. */
	readonly position: string;
	/** Aborted when the user cancels all of a series. */
	readonly series?: AbortSignal | undefined;
	/** Aborted, with the failure, where the others need not be tried. */
	readonly givingUp?: AbortController;
	readonly failures: Failed[];
}

function notSent(kind: FailureFacts['kind'], message: string, field: string): FailureFacts {
	return {
		kind,
		message,
		charge: 'notSent',
		repeatable: false,
		field,
		elapsedMs: 0,
		unknownOutcome: false,
	};
}

function notSentBecause(error: Error): Error {
	return new Error(`${error.message} Nothing was sent.`, { cause: error });
}

/** "API key missing or invalid", "quota or balance insufficient": the next one fares no better. */
function concernsAll({ status, field }: FailureFacts): boolean {
	return status === 401 || status === 402 || field === 'key' || field === 'address';
}

function causeOf({ entry, state }: Failed): string {
	return state.state === 'failed'
		? JSON.stringify([state.failure.kind, state.failure.status, state.failure.message])
		: entry.request.id;
}

function uriOf({ target }: StateNamed<'saved'>): vscode.Uri {
	return vscode.Uri.parse(target, true);
}

function onlyOne(order: Order): Order {
	return { ...order, choices: { ...order.choices, count: 1 } };
}
