import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { readServiceAddress } from '../editor/service.js';
import { withSeriesProgress } from '../editor/progress.js';
import { isFolderGone } from '../files/exists.js';
import { lookAfterSaved, removeAll } from '../jobs/deliver.js';
import { now, readState, type JobEntry } from '../jobs/jobFolder.js';
import type { GenerationRequest, ImageRequest } from '../jobs/request.js';
import type { FinalState, JobState, StateNamed } from '../jobs/state.js';
import { Announcer, type ArrivedJob } from './announcer.js';
import { confirmMany } from './confirmMany.js';
import { savedImages } from './destination.js';
import type { FailedJob } from './failures.js';
import { runAnswerAction, type AnswerAction } from './keptAnswer.js';
import { LeftRounds } from './leftRounds.js';
import { OpenFailures } from './openFailures.js';
import { maySendAgain } from './report.js';
import { Round, type End, type GeneratorNeeds, type OnAsked, type RoundTools } from './round.js';
import { RoundNumbers } from './roundNumbers.js';
import { Unsaved } from './unsaved.js';

/** An image that is saved, and what was asked for. */
export interface Arrival {
	readonly request: GenerationRequest;
	readonly image: vscode.Uri;
}

/** Tries once more what could not even be asked for. */
type Retry = () => Promise<unknown>;
/** What is left to do of something, once nobody else can begin it as well. */
type Rest = () => Promise<void>;

/** Makes images, from the order to its end: journal, worker, delivery, link, message. */
export class Generator implements vscode.Disposable {
	/** Images that are here and could not be saved. */
	readonly unsaved: Unsaved;
	readonly #announcer: Announcer;
	readonly #failures: OpenFailures;
	readonly #arrived = new vscode.EventEmitter<Arrival>();
	/** An image is saved, and its link stands where it belongs. */
	readonly onArrived = this.#arrived.event;
	readonly #ending = new AbortController();
	readonly #numbers: RoundNumbers;
	readonly #tools: RoundTools;
	readonly #left = new LeftRounds(() => new Round(this.needs, this.#tools));

	constructor(private readonly needs: GeneratorNeeds) {
		this.#failures = new OpenFailures(needs.log, needs.leases, (id) => this.#announcer.forget(id));
		this.#announcer = new Announcer(needs, {
			open: (entries) => this.#failures.of(entries),
			again: (...entries) => this.again(...entries),
			sendAgain: (...entries) => this.sendAgain(...entries),
			smaller: (...entries) => this.sendSmaller(...entries),
			withAnswer: (action, entry) => this.withAnswer(action, entry),
		});
		this.unsaved = new Unsaved(needs, (entry, state) => this.#tellSaved(entry, state));
		this.#numbers = new RoundNumbers(needs);
		this.#tools = {
			announcer: this.#announcer,
			unsaved: this.unsaved,
			link: (entry, state) => this.#link(entry, state),
			again: (requests) => this.#makeRound(requests),
			place: (requests) => this.#numbers.place(requests),
			ending: this.#ending.signal,
		};
	}

	dispose(): void {
		// The workers go on; the next window picks them up.
		this.#ending.abort();
		this.#announcer.dispose();
		this.#arrived.dispose();
	}

	/**
	 * Makes images that are asked for together; see {@link makeRound}. Returns those that were saved, or
	 * `undefined` where the user has cancelled all. Failures are shown.
	 */
	async makeAll(
		requests: readonly ImageRequest[],
		onAsked?: OnAsked,
	): Promise<vscode.Uri[] | undefined> {
		const ends = await this.makeRound(requests, onAsked);
		return ends?.every((end) => end === 'cancelled')
			? undefined
			: ends?.filter((end) => end instanceof vscode.Uri);
	}

	/**
	 * Makes images that are asked for together; each has a progress and an end of its own. Returns the
	 * ends in the order of the requests, or `undefined` where the user has decided against it.
	 *
	 * @param onAsked called when all of it is in the journal, so that nothing of it can be lost
	 */
	async makeRound(
		requests: readonly ImageRequest[],
		onAsked?: OnAsked,
	): Promise<End[] | undefined> {
		const styled = await this.needs.styles.apply(requests);
		return styled && (await this.#mayMake(styled)) ? this.#makeRound(styled, onAsked) : undefined;
	}

	/**
	 * Makes many images under one progress, "7 of 12", and tells of them at the end; cancelling keeps
	 * what is done and gives up the rest. Returns the ends in the order of the requests; `undefined` where
	 * their style was not agreed to. Nobody is asked here about the cost: who calls has said how many
	 * requests these are, and had them chosen one by one.
	 */
	async makeSeries(title: string, requests: readonly ImageRequest[]): Promise<End[] | undefined> {
		const styled = await this.needs.styles.apply(requests);
		if (styled === undefined) {
			return undefined;
		}
		const { round, ends } = await withSeriesProgress(title, styled.length, async (done, signal) => {
			const round = new Round(this.needs, this.#tools, { done, signal });
			return { round, ends: await round.make(styled) };
		});
		round.tell();
		return ends;
	}

	/**
	 * Makes other images of the requests of jobs that have failed, which are forgotten. Those that
	 * were dealt with meanwhile are left out. Where one of the others may have been made and charged
	 * already, that is asked first.
	 */
	async again(...entries: readonly JobEntry[]): Promise<void> {
		const rest = await this.#failures.take(entries, async (open) =>
			(await maySendAgain(open)) ? this.#sendAgain(open, () => this.again(...entries)) : undefined,
		);
		await rest?.();
	}

	/** As {@link again}, where a person has already agreed that an image may be charged twice. */
	async sendAgain(...entries: readonly JobEntry[]): Promise<void> {
		const rest = await this.#failures.take(entries, (open) =>
			this.#sendAgain(open, () => this.sendAgain(...entries)),
		);
		await rest?.();
	}

	/**
	 * Makes other images of the requests of jobs that were refused for their size, with scaled copies
	 * of their reference images; see {@link again}. Where none of these gets smaller, that is told and
	 * nothing is sent.
	 */
	async sendSmaller(...entries: readonly JobEntry[]): Promise<void> {
		const rest = await this.#failures.take(entries, async (open) => {
			const failed = open.map(({ entry }) => entry);
			const requests = (await maySendAgain(open))
				? await this.needs.smallerReferences.withSmaller(failed.map(({ request }) => request))
				: undefined;
			return requests && this.#insteadOf(failed, requests, () => this.sendSmaller(...entries));
		});
		await rest?.();
	}

	#sendAgain(failures: readonly FailedJob[], retry: Retry): Promise<Rest | undefined> {
		const entries = failures.map(({ entry }) => entry);
		const requests = entries.map(({ request }) => request);
		return this.#insteadOf(entries, requests, retry);
	}

	/**
	 * Asks for others instead of those that have failed, and puts these aside.
	 *
	 * @param requests as many as entries, each for the one of its place
	 * @param retry does it all again with those of which nothing could be asked for
	 * @returns brings them to their ends; `undefined` where a person would not have so many
	 */
	async #insteadOf(
		entries: readonly JobEntry[],
		requests: readonly ImageRequest[],
		retry: Retry,
	): Promise<Rest | undefined> {
		if (!(await this.#mayMake(requests))) {
			return undefined;
		}
		const journaled = Promise.withResolvers<readonly boolean[]>();
		const round = new Round(this.needs, { ...this.#tools, again: retry });
		const making = round.make(requests, undefined, journaled.resolve).then(() => {
			round.tell();
		});
		making.catch(journaled.reject);
		const areThere = await journaled.promise;
		// The new ones take the places of the old ones at once: who shows them sees nothing move.
		await setImmediate();
		// What could not even be asked for stays, so that it can be sent later.
		const replaced = entries.filter((_entry, at) => areThere[at] === true);
		await Promise.all(replaced.map((entry) => this.dismiss(entry)));
		return () => making;
	}

	/**
	 * Puts a failure aside: it is not shown any more. Where it has a kept answer, that is listed until
	 * the user has saved or discarded it.
	 */
	async dismiss({ folder, request }: JobEntry): Promise<void> {
		this.#failures.close(request.id);
		this.#announcer.forget(request.id);
		const state = await this.#stateOf(folder);
		if (state?.state === 'failed' && state.failure.answerFile !== undefined) {
			const failure = { ...state.failure, isDealtWith: true };
			const kept = { ...state, failure, notified: true };
			await this.#announcer.markNotified(folder, kept);
			this.needs.jobs.fail({ folder, request, state: kept }, kept);
		} else if (state !== undefined) {
			await this.#announcer.markNotified(folder, { ...state, dismissed: true });
		}
	}

	/** Reads the state of a job; `undefined` where another window has finished it, and so removed it. */
	async #stateOf(folder: string): Promise<JobState | undefined> {
		return readState(folder).catch(async (error: unknown) => {
			if (await isFolderGone(error, folder)) {
				return undefined;
			}
			throw error;
		});
	}

	/**
	 * Saves, shows or discards the kept answer of a failure. Once it is saved or discarded, only the
	 * failure is listed, as long as nobody has dealt with it.
	 *
	 * @throws {EaselError} where it is gone or cannot be saved
	 */
	async withAnswer(action: AnswerAction, entry: JobEntry): Promise<void> {
		const { folder, request } = entry;
		const state = await this.#stateOf(folder);
		const file = state?.state === 'failed' ? state.failure.answerFile : undefined;
		if (state?.state !== 'failed' || file === undefined) {
			return;
		}
		const address = readServiceAddress();
		const key = address === undefined ? undefined : await this.needs.keys.get(address);
		const used = key !== undefined && 'key' in key ? key.key : undefined;
		if (!(await runAnswerAction(action, file, used))) {
			return;
		}
		const { isDealtWith, ...failure } = state.failure;
		delete failure.answerFile;
		await removeAll([file], this.#trouble);
		const rest = { ...state, failure, notified: true, ...(isDealtWith && { dismissed: true }) };
		await this.#announcer.markNotified(folder, rest);
		if (isDealtWith) {
			this.#announcer.forget(request.id);
		} else {
			this.needs.jobs.fail({ folder, request, state: rest }, rest);
		}
	}

	/**
	 * Takes up a job that another window, or this one before a reload, has left. It is told a moment
	 * later, with the others of its round.
	 */
	resume(entry: JobEntry): Promise<End> {
		return this.#left.with(entry, (round) => round.resume(entry));
	}

	/** Gives up a job that was never sent. */
	async discard(entry: JobEntry): Promise<void> {
		const { folder, request, state } = entry;
		const { attempts } = state;
		const end = { state: 'cancelled', charge: 'notSent', attempts, changedAt: now() } as const;
		await this.#announcer.markNotified(folder, end);
		this.needs.log.info(`${request.id} was discarded; nothing was sent.`);
	}

	/**
	 * Tells the end of a job again whose window was gone before anybody could have seen it: a moment
	 * later, with the others of its round.
	 */
	async tellAgain(entry: JobEntry, state: FinalState): Promise<void> {
		const { folder } = entry;
		switch (state.state) {
			case 'saved': {
				const unsaved = await lookAfterSaved(entry, state, savedImages, this.#trouble);
				if (unsaved === undefined) {
					await this.#left.with(entry, (round) => round.saved(entry, state));
				} else {
					this.unsaved.add(entry, unsaved);
				}
				return;
			}
			case 'failed':
			case 'interrupted':
				await this.#left.with(entry, (round) => round.failed(entry, state));
				return;
			case 'cancelled':
			case 'discarded':
				await this.#announcer.markNotified(folder, state);
		}
	}

	async #tellSaved(entry: JobEntry, state: StateNamed<'saved'>): Promise<void> {
		const arrived = [await this.#link(entry, state)];
		this.#announcer.tell({ asked: 1, arrived, failures: [], cancelled: [] });
	}

	#mayMake(requests: readonly ImageRequest[]): Promise<boolean> {
		return confirmMany(
			requests.map(({ size }) => size),
			this.needs.preferences,
		);
	}

	/** Makes what is asked for at once, and tells of it. */
	async #makeRound(requests: readonly ImageRequest[], onAsked?: OnAsked): Promise<End[]> {
		const round = new Round(this.needs, this.#tools);
		const ends = await round.make(requests, onAsked);
		round.tell();
		return ends;
	}

	async #link(entry: JobEntry, state: StateNamed<'saved'>): Promise<ArrivedJob> {
		const arrived = await this.#announcer.link(entry, state);
		this.#arrived.fire({ request: entry.request, image: arrived.saved.uri });
		return arrived;
	}

	readonly #trouble = (what: string, error: unknown): void => {
		this.needs.log.error(what, error);
	};
}
