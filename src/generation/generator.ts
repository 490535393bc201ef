import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { runCommand } from '../editor/commands.js';
import { wordsOf } from '../editor/errorTexts.js';
import { safeText } from '../editor/untrustedText.js';
import { runDetached, showError } from '../editor/messages.js';
import { readServiceAddress } from '../editor/service.js';
import { stepDone } from '../editor/walkthrough.js';
import { lookAfterSaved, removeAll } from '../jobs/deliver.js';
import { now, type JobEntry } from '../jobs/jobFolder.js';
import { originOf } from '../jobs/gallery.js';
import type { GenerationRequest, ImageRequest, PlacedRequest } from '../jobs/request.js';
import type { FailureState, FinalState, JobState, StateNamed } from '../jobs/state.js';
import { log } from '../log.js';
import { BatchProgress } from './batchProgress.js';
import { confirmMany } from './confirmations.js';
import { askForTarget, deliverUnsaved, discardUnsaved, savedImages } from './destination.js';
import { concernsAll } from './failures.js';
import { journalRequest } from './journalRequest.js';
import { logEnd } from './jobLog.js';
import type { UnsavedImage } from './jobList.js';
import { runAnswerAction, runLinkAction } from './keptAnswer.js';
import { linkImage, type FollowUp } from './linkImage.js';
import { belongsHere } from '../library/galleryLookup.js';
import { sortOutcomes, type Outcome } from './outcome.js';
import {
	maySendAgain,
	openSettings,
	reportCancelled,
	reportNotJournaled,
	reportNotSaved,
	type NextAction,
} from './report.js';
import { ResultNotifier } from './resultNotifier.js';
import { RetryGuard, stateOf } from './retryGuard.js';
import { nextNumber, roundsOf } from '../library/rounds.js';
import { runJob, type Batch } from './runJob.js';
import type { GeneratorServices } from './generatorServices.js';
import { nameInOrder } from './target.js';

export interface Arrival {
	readonly request: GenerationRequest;
	readonly image: vscode.Uri;
	/** The document that its link was written into. */
	readonly document?: vscode.Uri | undefined;
}

/** Action of the user on failures; `dismiss` puts them aside. */
export type FailureAction = NextAction | 'dismiss';

/** Accepts requests, journals them as a batch, brings each to its end, and notifies once. */
export class Generator implements vscode.Disposable {
	readonly #notifier: ResultNotifier;
	readonly #progress: BatchProgress;
	readonly #guard: RetryGuard;
	readonly #arrived = new vscode.EventEmitter<Arrival>();
	/** An image is saved, and its link is written. */
	readonly onArrived = this.#arrived.event;
	readonly #ending = new AbortController();
	/** Batches whose window has gone, by their ids. */
	readonly #recovered = new Map<
		string,
		{ readonly batch: Batch; readonly outcomes: Outcome[]; open: number }
	>();
	/** The highest number of a batch that this window has given. */
	#lastNumber = 0;

	constructor(private readonly services: GeneratorServices) {
		this.#notifier = new ResultNotifier(services);
		this.#progress = new BatchProgress(services);
		this.#guard = new RetryGuard(services.leases, this.#notifier);
	}

	dispose(): void {
		// The workers go on; the next window picks them up.
		this.#ending.abort();
		this.#notifier.dispose();
		this.#progress.dispose();
		this.#arrived.dispose();
	}

	/**
	 * Makes images that are asked for together; each has a progress and an end of its own. Failures are
	 * shown.
	 *
	 * @param onJournaled called when all of it is in the journal, so that nothing of it can be lost
	 * @returns the images that were saved; `undefined` where the user has cancelled all
	 */
	async make(
		requests: readonly ImageRequest[],
		onJournaled?: () => Promise<void>,
	): Promise<vscode.Uri[] | undefined> {
		const styled = await this.services.styles.apply(requests);
		if (styled === undefined || !(await confirmMany(styled, this.services.preferences))) {
			return undefined;
		}
		return savedOf(await this.#make(styled, onJournaled));
	}

	/**
	 * Makes images that the user, or the budget of agents, has allowed already: nothing is asked.
	 *
	 * @param requests with their style
	 * @param id that of the batch
	 * @param onJournaled as in {@link make}
	 * @returns what became of each
	 */
	makeAllowed(
		requests: readonly ImageRequest[],
		id: string,
		onJournaled: () => Promise<void>,
	): Promise<readonly Outcome[]> {
		return this.#make(requests, onJournaled, id);
	}

	async #make(
		styled: readonly ImageRequest[],
		onJournaled?: () => Promise<void>,
		id?: string,
	): Promise<Outcome[]> {
		const journaled = await this.#journal(styled, { id });
		if (journaled.every(isEntry) && !this.#ending.signal.aborted) {
			await onJournaled?.().catch(showError);
		}
		const outcomes = await this.#runAll(journaled);
		this.#report(outcomes);
		return outcomes;
	}

	/**
	 * Makes images that have names of their own. Does not ask about the cost: the caller has said how
	 * many requests these are, and had them chosen one by one.
	 *
	 * @returns the images that were saved; `undefined` where the user has cancelled all
	 */
	async makeSeries(requests: readonly ImageRequest[]): Promise<vscode.Uri[] | undefined> {
		const styled = await this.services.styles.apply(requests);
		if (styled === undefined) {
			return undefined;
		}
		const outcomes = await this.#runAll(await this.#journal(styled, { areDrafts: false }));
		this.#report(outcomes);
		return savedOf(outcomes);
	}

	/** Resumes a job that another window has left, or this one before a reload. */
	resume(entry: JobEntry): Promise<Outcome> {
		return this.#recover(entry, (batch) => this.#run(entry, batch));
	}

	/** Gives up a job that was never sent. */
	async discard({ folder, request, state: { attempts } }: JobEntry): Promise<void> {
		const end = { state: 'cancelled', charge: 'notSent', attempts, changedAt: now() } as const;
		await this.#notifier.markNotified(folder, end);
		log.info(`${request.id} was discarded; nothing was sent.`);
	}

	/** Lists an image that was never sent, to be asked for again from there. */
	async setAside({ folder, request, state: { attempts } }: JobEntry): Promise<void> {
		const charge = 'notSent';
		const state = { state: 'interrupted', charge, attempts, changedAt: now() } as const;
		await this.#notifier.markNotified(folder, state);
		this.services.jobs.fail({ folder, request, state }, state);
	}

	/** Reports the end of a job whose window was gone before the user could have seen it. */
	async reportAgain(entry: JobEntry, state: FinalState): Promise<void> {
		switch (state.state) {
			case 'saved': {
				const unsaved = await lookAfterSaved(entry, state, savedImages);
				if (unsaved === undefined) {
					await this.#recover(entry, () => this.#arrive(entry, state));
				} else {
					this.#keepUnsaved(entry, unsaved);
				}
				return;
			}
			case 'failed':
			case 'interrupted':
				await this.#recover(entry, () => Promise.resolve(this.#fail(entry, state)));
				return;
			case 'cancelled':
			case 'discarded':
				await this.#notifier.markNotified(entry.folder, state);
		}
	}

	/**
	 * Does what the user has chosen about requests that have failed. Those that were dealt with
	 * meanwhile are left out.
	 *
	 * @throws {EaselError} where a kept answer is gone or cannot be saved
	 */
	async act(action: FailureAction, entries: readonly JobEntry[]): Promise<void> {
		const [first] = entries;
		switch (action) {
			case 'again':
			case 'sendAgain':
			case 'sendSmaller':
				return this.#retry(action, entries);
			case 'setKey':
			case 'useAnotherKey':
				return (await runCommand('easel.setApiKey')) ? this.#retry('again', entries) : undefined;
			case 'setUp':
				return (await runCommand('easel.setUp', true)) ? this.#retry('again', entries) : undefined;
			case 'openSettings': {
				const failure = await this.#failureOf(first);
				const isTimeout = failure?.kind === 'timeout';
				return openSettings(isTimeout ? 'easel.service.timeoutSeconds' : failure?.field);
			}
			case 'showLog':
				await runCommand('easel.showLog');
				return;
			case 'change': {
				const open = await this.#guard.take(entries, (open) => Promise.resolve(open));
				return this.services.changeRequests(open?.map(({ entry }) => entry.request) ?? []);
			}
			case 'dismiss':
				await Promise.all(entries.map((entry) => this.#dismiss(entry)));
				return;
			case 'saveAnswer':
			case 'showAnswer':
			case 'discardAnswer':
				return first && this.#actOnAnswer(action, first);
			case 'openLink':
			case 'copyLink': {
				const link = (await this.#failureOf(first))?.link;
				return link === undefined ? undefined : runLinkAction(action, link);
			}
		}
	}

	/**
	 * Does what the user has chosen about an image that could not be saved: tries it once more, saves
	 * it where the user chooses, or discards it after a question.
	 */
	async actOnUnsaved(
		action: 'saveAgain' | 'saveAs' | 'discard',
		image: UnsavedImage,
	): Promise<void> {
		if (action === 'discard') {
			await discardUnsaved(image, this.services);
			return;
		}
		const target = action === 'saveAs' ? await askForTarget(image) : undefined;
		if (action === 'saveAs' && target === undefined) {
			// It is listed still; who had only the message gets it again.
			this.#keepUnsaved(image.entry, image.state);
			return;
		}
		const end = await deliverUnsaved(image, this.services, target);
		if (end?.state === 'saved') {
			this.services.jobs.forget(image.entry.request.id);
			this.#report([await this.#arrive(image.entry, end)]);
		} else if (end !== undefined) {
			this.#keepUnsaved(image.entry, end);
		}
	}

	/** Makes other images of failed jobs, which are forgotten; `sendAgain` without a question. */
	async #retry(
		action: 'again' | 'sendAgain' | 'sendSmaller',
		entries: readonly JobEntry[],
	): Promise<void> {
		const begun = await this.#guard.take(entries, async (open) => {
			const old = open.map(({ entry }) => entry.request);
			if (action !== 'sendAgain' && !(await maySendAgain(open))) {
				return undefined;
			}
			const requests =
				action === 'sendSmaller' ? await this.services.smallerReferences.withSmaller(old) : old;
			if (requests === undefined || !(await confirmMany(requests, this.services.preferences))) {
				return undefined;
			}
			const journaled = await this.#journal(requests);
			// They take the places of the old ones at once, so that nothing moves where these are shown.
			const reported = this.#runAll(journaled).then((outcomes) => {
				this.#report(outcomes);
			});
			// What could not even be journaled stays, so that it can be retried later.
			const replaced = open.filter((_failed, at) => isEntry(journaled[at]!));
			await Promise.all(replaced.map(({ entry }) => this.#dismiss(entry)));
			return { reported };
		});
		await begun?.reported;
	}

	/**
	 * Writes requests into the journal as one batch; in their order.
	 *
	 * @param batch its id, and whether they are drafts of one prompt (the default), not images with
	 *   names of their own
	 */
	async #journal(
		requests: readonly ImageRequest[],
		batch: { readonly id?: string | undefined; readonly areDrafts?: boolean } = {},
	): Promise<(JobEntry | Outcome)[]> {
		const placed = await this.#place(requests, batch.areDrafts ?? true, batch.id);
		const journaled = await Promise.all(
			placed.map(async (request): Promise<JobEntry | Outcome> => {
				try {
					return await journalRequest(request, this.services);
				} catch (error) {
					return { type: 'notJournaled', request, error };
				}
			}),
		);
		const refused = journaled.filter((one) => 'type' in one && one.type === 'notJournaled');
		reportNotJournaled(refused, this.services);
		return journaled;
	}

	/**
	 * Returns the same requests as a batch; those that have a place, because they are sent again, keep
	 * it. The number counts what is known now: {@link roundsOf} sets it right when it is shown.
	 *
	 * @param areDrafts whether they are drafts of one prompt, and not images with names of their own
	 * @param id that of the batch
	 */
	async #place(
		requests: readonly ImageRequest[],
		areDrafts: boolean,
		id: string = crypto.randomUUID(),
	): Promise<PlacedRequest[]> {
		const placed = requests.flatMap(({ round, ...request }) =>
			round ? [{ ...request, round }] : [],
		);
		if (placed.length === requests.length) {
			return placed;
		}
		const { gallery, jobs } = this.services;
		// An image whose number cannot be known is made all the same.
		const images = await gallery.list().catch((error: unknown) => {
			log.error('The images could not be counted', error);
			return [];
		});
		const known = nextNumber(roundsOf(images.filter(belongsHere), jobs.requests));
		this.#lastNumber = Math.max(known, this.#lastNumber + 1);
		const batch = {
			id,
			number: this.#lastNumber,
			count: requests.length,
			askedAt: now(),
		};
		const named = areDrafts ? await nameInOrder(requests, jobs.requests) : requests;
		return named.map((request, place) => ({
			...request,
			round: request.round ?? { ...batch, place },
		}));
	}

	/**
	 * Brings the jobs of a batch to their ends, each by itself; in their order. Never rejects. Their
	 * progress is out of sight then, so that their end is not shown beside it.
	 */
	async #runAll(journaled: readonly (JobEntry | Outcome)[]): Promise<Outcome[]> {
		const batch = newBatch();
		const outcomes = await Promise.all(
			journaled.map(async (one) => (isEntry(one) ? this.#run(one, batch) : one)),
		);
		const [first] = journaled.filter(isEntry);
		if (first !== undefined) {
			await this.#progress.whenHidden(first.request.round.id);
		}
		return outcomes;
	}

	/** Brings a job to its end from whatever state. Never rejects. */
	async #run(entry: JobEntry, batch: Batch): Promise<Outcome> {
		const { jobs, preferences } = this.services;
		const job = jobs.begin(entry, preferences.durations(entry.request.size));
		try {
			const state = await runJob(entry, job, batch, this.services);
			const outcome = await this.#end(entry, state, job.isDeclined);
			if (state.state === 'failed' && concernsAll(state.failure)) {
				batch.givingUp.abort({ ...state.failure, charge: 'notSent' });
			}
			return outcome;
		} catch (error) {
			showError(error);
			return { type: 'shown' };
		} finally {
			job.end();
		}
	}

	async #end(entry: JobEntry, state: JobState, isDeclined: boolean): Promise<Outcome> {
		const { jobs, preferences } = this.services;
		if (this.#ending.signal.aborted) {
			return { type: 'shown' };
		}
		logEnd(entry.request, state);
		switch (state.state) {
			case 'saved': {
				const { elapsedMs } = state.result;
				if (elapsedMs > 0) {
					await preferences.rememberDuration(entry.request.size, elapsedMs);
				}
				log.info(
					`Saved: ${vscode.workspace.asRelativePath(vscode.Uri.parse(state.target, true))}.`,
				);
				return this.#arrive(entry, state);
			}
			case 'received':
				this.#keepUnsaved(entry, state);
				return { type: 'shown' };
			case 'cancelled':
				await this.#notifier.markNotified(entry.folder, state);
				return { type: 'cancelled', charge: state.charge };
			case 'interrupted':
			case 'failed':
				if (isDeclined && state.state === 'failed') {
					// A message with the same words would only ask once more.
					jobs.fail(entry, state);
					await this.#notifier.markNotified(entry.folder, state);
					return { type: 'shown' };
				}
				return this.#fail(entry, state);
			case 'discarded':
				return { type: 'shown' };
			case 'queued':
			case 'sending':
			case 'waiting':
			case 'receiving':
			case 'pausing':
				throw new Error(`A job came back while it was ${state.state}.`);
		}
	}

	#fail(entry: JobEntry, state: FailureState): Outcome {
		this.services.jobs.fail(entry, state);
		return { type: 'failed', entry, state };
	}

	/** Writes the link of a saved image. The image is saved, whatever happens; only its link may fail. */
	async #arrive(entry: JobEntry, state: StateNamed<'saved'>): Promise<Outcome> {
		const { request } = entry;
		const { operation, prompt, references } = request;
		stepDone(operation);
		// Without the gallery, where it cannot be read, the nearest original is known.
		const images = operation === 'edit' ? await this.services.gallery.list().catch(() => []) : [];
		const sources = references.map(({ source }) => source);
		const saved = {
			uri: vscode.Uri.parse(state.target, true),
			prompt,
			title: request.altText,
			image: state.result,
			origin: originOf({ operation, references: sources }, images),
		};
		const followUp = await linkImage(saved, request, this.services).catch(
			(error: unknown): FollowUp => {
				log.error('A saved image could not be used', error);
				return { note: safeText(wordsOf(error)), buttons: [] };
			},
		);
		this.#arrived.fire({ request, image: saved.uri, document: followUp.inserted?.document });
		return { type: 'arrived', entry, state, saved, followUp };
	}

	/** Lists an image that could not be saved, and offers other ways where the list is not seen. */
	#keepUnsaved(entry: JobEntry, state: StateNamed<'received'>): void {
		const { jobs } = this.services;
		const image = jobs.addUnsaved(entry, state);
		if (!jobs.isShown) {
			runDetached(
				reportNotSaved(image.problem).then((action) => action && this.actOnUnsaved(action, image)),
			);
		}
	}

	/** Reports what has become of a batch, and does what the user chooses. */
	#report(outcomes: readonly Outcome[]): void {
		const ends = sortOutcomes(outcomes);
		const { arrived, cancelled, failures } = ends;
		if (this.#ending.signal.aborted) {
			return;
		}
		if (arrived.length + failures.length === 0) {
			reportCancelled(cancelled);
		} else {
			const entries = failures.map(({ entry }) => entry);
			runDetached(
				this.#notifier.notify(ends).then((action) => action && this.act(action, entries)),
			);
		}
	}

	/** Brings a job of a batch to its end whose window has gone; the batch is reported when all are. */
	async #recover(entry: JobEntry, task: (batch: Batch) => Promise<Outcome>): Promise<Outcome> {
		const id = entry.request.round.id;
		const open = this.#recovered.get(id) ?? { batch: newBatch(), outcomes: [], open: 0 };
		this.#recovered.set(id, open);
		open.open += 1;
		try {
			const outcome = await task(open.batch);
			open.outcomes.push(outcome);
			return outcome;
		} finally {
			open.open -= 1;
			runDetached(this.#reportRecovered(id));
		}
	}

	async #reportRecovered(id: string): Promise<void> {
		await delay(gatheringMs, undefined, { ref: false });
		const recovered = this.#recovered.get(id);
		if (recovered?.open === 0) {
			this.#recovered.delete(id);
			this.#report(recovered.outcomes);
		}
	}

	/** Puts a failure aside. A kept answer stays listed until it is saved or discarded. */
	async #dismiss({ folder, request }: JobEntry): Promise<void> {
		this.#guard.close(request.id);
		this.#notifier.forget(request.id);
		const state = await stateOf(folder);
		if (state?.state === 'failed' && state.failure.answerFile !== undefined) {
			const failure = { ...state.failure, isDealtWith: true };
			const kept = { ...state, failure, notified: true };
			await this.#notifier.markNotified(folder, kept);
			this.services.jobs.fail({ folder, request, state: kept }, kept);
		} else if (state !== undefined) {
			await this.#notifier.markNotified(folder, { ...state, dismissed: true });
		}
	}

	/** Saves, shows or discards the kept answer of a failure, which stays listed by itself. */
	async #actOnAnswer(
		action: 'saveAnswer' | 'showAnswer' | 'discardAnswer',
		{ folder, request }: JobEntry,
	): Promise<void> {
		const state = await stateOf(folder);
		const file = state?.state === 'failed' ? state.failure.answerFile : undefined;
		if (state?.state !== 'failed' || file === undefined) {
			return;
		}
		const address = readServiceAddress();
		const key = address === undefined ? undefined : await this.services.keys.get(address);
		const used = key !== undefined && 'key' in key ? key.key : undefined;
		if (!(await runAnswerAction(action, file, used))) {
			return;
		}
		const { isDealtWith, ...failure } = state.failure;
		delete failure.answerFile;
		await removeAll([file]);
		const rest = { ...state, failure, notified: true, ...(isDealtWith && { dismissed: true }) };
		await this.#notifier.markNotified(folder, rest);
		if (isDealtWith) {
			this.#notifier.forget(request.id);
		} else {
			this.services.jobs.fail({ folder, request, state: rest }, rest);
		}
	}

	async #failureOf(entry: JobEntry | undefined) {
		const state = entry && (await stateOf(entry.folder));
		return state?.state === 'failed' ? state.failure : undefined;
	}
}

/**
 * Wait for the others of a recovered batch before it is reported, in milliseconds: they are resumed
 * one by one, as it becomes certain that no other window has them.
 */
const gatheringMs = 1000;

function newBatch(): Batch {
	return { givingUp: new AbortController() };
}

function isEntry(one: JobEntry | Outcome): one is JobEntry {
	return 'folder' in one;
}

function savedOf(outcomes: readonly Outcome[]): vscode.Uri[] | undefined {
	return outcomes.every(({ type }) => type === 'cancelled')
		? undefined
		: outcomes.flatMap((outcome) => (outcome.type === 'arrived' ? outcome.saved.uri : []));
}
