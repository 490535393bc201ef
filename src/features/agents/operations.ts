import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type * as z from 'zod';
import { EaselError } from '../../easelError.js';
import { notedText, wordsOf } from '../../editor/errorTexts.js';
import { occurs } from '../../editor/events.js';
import { showError, toSafeError } from '../../editor/messages.js';
import { refusalSentence } from '../../editor/files.js';
import { ensureReady, readServiceAddress } from '../../editor/service.js';
import { isFolderGone } from '../../files/exists.js';
import { privateFolder } from '../../files/writeWhole.js';
import { covers } from '../../generation/budget.js';
import { parseUri } from '../../generation/draft.js';
import type { RunningJob } from '../../generation/jobList.js';
import { failureReasons, sortOutcomes, type Outcome } from '../../generation/outcome.js';
import { money } from '../../generation/messages.js';
import { callerWords } from '../../generation/requestOrigin.js';
import { canonicalPlace } from '../../generation/target.js';
import type { Services } from '../../generation/services.js';
import { WindowLeftError } from '../../jobs/createJob.js';
import { windowLease, type JobEntry } from '../../jobs/jobFolder.js';
import type { ImageRequest } from '../../jobs/request.js';
import { isCertain, isOver } from '../../jobs/state.js';
import {
	keyScope,
	type NewWish,
	type Wish,
	type WishChange,
	type Wishes,
	type WishWithImage,
} from '../../jobs/wishes.js';
import { log } from '../../log.js';
import {
	agentTools,
	maxAnswerMs,
	maxWaitSeconds,
	withoutImplied,
	type AgentAnswer,
	type AgentArguments,
	type AgentCaller,
	type AgentJob,
	type AgentToolName,
} from '../../protocol/agents.js';
import { agentMessages } from '../messages.js';
import { AgentConfirmation, maxWaiting } from './confirm.js';
import {
	agentImage,
	findMissing,
	getImage,
	listImages,
	previewFolder,
	Previews,
} from './images.js';
import { AgentError, callFolders, pathFor, rootFolder, type CallPlace } from './paths.js';
import {
	assertMissing,
	namesFile,
	requestsOfCall,
	wishedFile,
	type ImageCall,
} from './requests.js';

export interface AgentServices extends Services {
	readonly wishes: Wishes;
}

/** What a door may have words shown with while a call is under way. */
type OnProgress = (words: string) => void;

/** A wish that this window brings to its end. */
interface ActiveWish {
	readonly cancelling: AbortController;
	readonly caller: AgentCaller;
	/** True if another wish is for the same image, so that the budget does not allow it. */
	readonly isBeingMade: boolean;
	/** Resolves when the user is asked, all of it is in the journal, or nothing comes of it. */
	readonly answerable: PromiseWithResolvers<void>;
}

/** So many calls within a minute are answered. */
const maxCalls = 200;
const minuteMs = 60_000;
/** So many new wishes within an hour. */
const maxWishes = 200;
/** How often a caller that waits hears words. */
const progressEveryMs = 10_000;
/** An answer to a new wish comes some seconds before the limit: the way to the caller takes its time. */
const maxDecidingMs = maxAnswerMs - 5000;
/** A wait ends some seconds before its limit, too: a preview takes its time. */
const maxWaitingMs = maxWaitSeconds * 1000 - 4000;
/** How long a job that was cancelled is waited for, in milliseconds. */
const maxCancellingMs = 10_000;

const usualSeconds: [number, number] = [100, 200];

/** What agents can do, behind all doors. A caller that vanishes cancels nothing. */
export class AgentOperations implements vscode.Disposable {
	readonly #confirmation: AgentConfirmation;
	readonly #previews: Previews;
	readonly #active = new Map<string, ActiveWish>();
	/** Wishes that neither the budget nor the user has decided about. */
	readonly #undecided = new Set<string>();
	/** Failures of wishes that could not be noted, as on a full disk. */
	readonly #unnoted = new Map<string, WishChange>();
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #calls = new RateLimit(maxCalls, minuteMs);
	readonly #wished = new RateLimit(maxWishes, 60 * minuteMs);
	#watcher: vscode.Disposable | undefined;

	/** @param thumbnails the bundle of the workers that make previews, absolute */
	constructor(
		private readonly deps: AgentServices,
		thumbnails: string,
	) {
		this.#confirmation = new AgentConfirmation(deps);
		this.#previews = new Previews(previewFolder(deps.storage), thumbnails);
	}

	dispose(): void {
		this.#watcher?.dispose();
		this.#changed.dispose();
		this.#previews.dispose();
	}

	/**
	 * Carries out a call. Never rejects: what is wrong with a call is its answer.
	 *
	 * @param tool its name, as agents call it
	 * @param place where it comes from; its relative paths begin at the first workspace folder
	 */
	async call(
		tool: string,
		args: unknown,
		caller: AgentCaller,
		onProgress?: OnProgress,
		place?: CallPlace,
	): Promise<AgentAnswer> {
		try {
			if (!this.#calls.take()) {
				throw new AgentError(agentMessages.tooManyCalls(maxCalls));
			}
			return await this.#call(tool, args, caller, onProgress, place);
		} catch (error) {
			return { result: { error: errorWords(error).slice(0, maxErrorLength) } };
		}
	}

	async #call(
		tool: string,
		args: unknown,
		caller: AgentCaller,
		onProgress?: OnProgress,
		place?: CallPlace,
	): Promise<AgentAnswer> {
		if (!isTool(tool)) {
			throw new AgentError(agentMessages.unknownTool(Object.keys(agentTools)));
		}
		switch (tool) {
			case 'generate_image':
				return this.#wish({ tool, input: parsed(tool, args), root: place?.root }, caller);
			case 'edit_image':
				return this.#wish({ tool, input: parsed(tool, args), root: place?.root }, caller);
			case 'wait_for_image':
				return this.#wait(parsed(tool, args), onProgress);
			case 'cancel_image':
				return this.#cancel(parsed(tool, args));
			case 'list_images':
				return listImages(parsed(tool, args), this.deps);
			case 'get_image':
				return getImage(parsed(tool, args), this.#previews, this.deps);
			case 'find_missing_images':
				return findMissing(parsed(tool, args), place?.base);
			case 'get_budget':
				parsed(tool, args);
				return { result: { budget: await this.deps.budget.stateOrProblem() } };
		}
	}

	/** Finds the job of a call, or begins it. */
	async #wish(call: ImageCall, caller: AgentCaller): Promise<AgentAnswer> {
		const { request_key: key, ...input } = call.input;
		const { wishes } = this.deps;
		rootFolder();
		for (const [id, change] of this.#unnoted) {
			await wishes.note(id, change);
			this.#unnoted.delete(id);
		}
		const wanted: NewWish = {
			id: crypto.randomUUID(),
			scope: await keyScope(callFolders()),
			key,
			tool: call.tool,
			input: withoutImplied(input),
			caller,
			count: input.count ?? 1,
			altText: input.alt_text,
		};
		const known = await wishes.find(wanted);
		const wish =
			known === undefined
				? await this.#begin(wanted, call)
				: await this.#resume(sameWish(known, wanted), call);
		const job = await this.#jobOf(wish);
		const note = key === undefined ? `${job.note} ${agentMessages.keyless}` : job.note;
		return this.#withPreview({ ...job, note });
	}

	async #begin(wanted: NewWish, call: ImageCall): Promise<Wish> {
		const requests = await requestsOfCall(call, wanted.caller, this.deps);
		const [first] = requests;
		let isBegun = false;
		try {
			await this.#enter(wanted.id);
			// Before the claim, so that no other window mistakes it for one that was left behind.
			if (!(await this.#acquire(wanted.id))) {
				throw new WindowLeftError({ code: 'window.left' });
			}
			const claimed = await this.deps.wishes.claim(await withImage(wanted, call, first));
			if (claimed.type === 'won') {
				const isBeingMade = await this.#assertFree(claimed.wish, first).catch(
					async (error: unknown) => {
						await this.#noteFailure(wanted.id, error);
						throw error;
					},
				);
				isBegun = true;
				await this.#start(claimed.wish, requests, isBeingMade);
			}
			return sameWish(claimed, wanted);
		} finally {
			if (!isBegun) {
				this.#undecided.delete(wanted.id);
				this.deps.anchors.forget(first?.insertion);
				await this.#release(wanted.id);
			}
		}
	}

	/** Goes on with a wish whose window has gone before anything was sent. */
	async #resume(wish: Wish, call: ImageCall): Promise<Wish> {
		const { wishes, journal } = this.deps;
		if (wish.progress !== undefined || this.#active.has(wish.id)) {
			return wish;
		}
		const requests = await requestsOfCall(call, wish.caller, this.deps);
		let isAcquired = false;
		let isBegun = false;
		try {
			isAcquired = await this.#acquire(wish.id);
			// The other window may have gone on meanwhile, and released it then.
			const now = (await wishes.get(wish.id)) ?? wish;
			const isOpen = now.progress === undefined && (await journal.ofBatch(wish.id)).length === 0;
			if (isAcquired && isOpen) {
				const isBeingMade = await this.#assertFree(wish, requests[0], true);
				await this.#enter(wish.id);
				isBegun = true;
				await this.#start(wish, requests, isBeingMade);
			}
			return now;
		} finally {
			if (!isBegun) {
				this.deps.anchors.forget(requests[0]?.insertion);
				await (isAcquired ? this.#release(wish.id) : undefined);
			}
		}
	}

	/**
	 * Checks that nothing comes to the target of a wish, and that nothing has come since it was looked
	 * for. This window has its lease.
	 *
	 * @param isResumed whether it was claimed before, so that others may have begun since
	 * @returns whether another wish is for the same image, where this one names no file
	 * @throws {AgentError} naming the job that is to be waited for, or the file
	 */
	async #assertFree(
		wish: Wish,
		request: ImageRequest | undefined,
		isResumed = false,
	): Promise<boolean> {
		const { journal, wishes } = this.deps;
		const rivals = await wishes.rivals(wish, isResumed);
		const atWork = await Promise.all(rivals.map(({ id }) => this.#isAtWork(id)));
		// In the order in which a wish comes to its end, as in `#jobOf`.
		const entries = (await journal.readable()).filter((entry) => this.#isComing(entry));
		const open = rivals.filter(
			({ id }, index) => atWork[index] || entries.some((entry) => entry.request.round.id === id),
		);
		if (wish.target === undefined || request === undefined) {
			return open.some(({ imageHash }) => imageHash === wish.imageHash);
		}
		const path = pathFor(wishedFile(request));
		const first = open.find(({ target }) => target === wish.target);
		if (first !== undefined) {
			throw new AgentError(agentMessages.targetComing(path, first.id));
		}
		for (const { request: other } of entries) {
			if ((await canonicalPlace(other.target).catch(() => undefined)) === wish.target) {
				const known = await wishes.get(other.round.id);
				throw new AgentError(
					known === undefined
						? agentMessages.targetRequested(path)
						: agentMessages.targetComing(path, known.id),
				);
			}
		}
		await assertMissing(request);
		return false;
	}

	/** Notes why nothing comes of a wish, so that its key is free again. */
	async #noteFailure(id: string, error: unknown): Promise<void> {
		const words = error instanceof EaselError ? wordsOf(error) : refusalSentence(error);
		const change: WishChange = { state: 'failed', failures: [words.slice(0, maxErrorLength)] };
		try {
			await this.deps.wishes.note(id, change);
		} catch (unnoted) {
			log.error('The failure of a wish could not be noted', unnoted);
			this.#unnoted.set(id, change);
		}
	}

	/**
	 * Counts a wish among those that are not decided.
	 *
	 * @throws {AgentError} where nothing more may be wished for, or nothing could be sent
	 */
	async #enter(id: string): Promise<void> {
		const address = readServiceAddress();
		const key = address === undefined ? undefined : await this.deps.keys.get(address);
		if (key === undefined) {
			throw new AgentError(agentMessages.notSetUp);
		}
		// The question about one that was taken back is still there.
		if (Math.max(this.#undecided.size, this.#confirmation.waiting) >= maxWaiting) {
			throw new AgentError(agentMessages.tooManyWaiting(maxWaiting));
		}
		if (!this.#wished.take()) {
			throw new AgentError(agentMessages.tooManyWishes(maxWishes));
		}
		this.#undecided.add(id);
	}

	/** Resolves when the caller can be answered; the wish goes on by itself. */
	async #start(wish: Wish, requests: readonly ImageRequest[], isBeingMade: boolean): Promise<void> {
		const active: ActiveWish = {
			cancelling: new AbortController(),
			caller: wish.caller,
			isBeingMade,
			answerable: Promise.withResolvers(),
		};
		this.#active.set(wish.id, active);
		this.#fulfil(wish, requests, active)
			.catch((error: unknown) => {
				log.error('The wish of an agent could not be fulfilled', error);
			})
			.finally(() => {
				this.#active.delete(wish.id);
				active.answerable.resolve();
				this.#changed.fire();
			});
		const waiting = new AbortController();
		await Promise.race([
			active.answerable.promise,
			delay(maxDecidingMs, undefined, { signal: waiting.signal }).catch(() => undefined),
		]);
		waiting.abort();
	}

	/** Brings a wish from its claim to its end. This window has its lease. */
	async #fulfil(wish: Wish, requests: readonly ImageRequest[], active: ActiveWish): Promise<void> {
		const { anchors, budget, generator, wishes } = this.deps;
		const { id } = wish;
		let isSent = false;
		try {
			const styled = await this.#decide(wish, requests, active).finally(() => {
				this.#undecided.delete(id);
			});
			const { aborted } = active.cancelling.signal;
			if (styled === undefined || aborted) {
				await wishes.note(id, { state: aborted ? 'cancelled' : 'declined' });
				return;
			}
			// From here on it is never begun again: its requests may be in the journal.
			await wishes.note(id, { state: 'accepted' });
			const outcomes = await generator.makeAllowed(styled, id, async () => {
				isSent = true;
				this.#changed.fire();
				active.answerable.resolve();
				// What it has bought is found in the journal from now on.
				await this.#release(id);
			});
			isSent ||= outcomes.some(({ type }) => type !== 'notJournaled');
			await this.#noteEnd(id, outcomes);
		} catch (error) {
			// What is in the journal may be sent, and is found there.
			isSent ||= await this.deps.journal.ofBatch(id).then(
				(entries) => entries.length > 0,
				() => true,
			);
			if (isSent) {
				throw error;
			}
			await this.#noteFailure(id, error);
			showError(error);
		} finally {
			if (!isSent) {
				anchors.forget(requests[0]?.insertion);
				await budget.release(id);
			}
			await this.#release(id);
		}
	}

	/**
	 * Returns the requests with their style, where the budget or the user allows them. A style guide
	 * that the user has not agreed to is always asked about, in the same question.
	 */
	async #decide(
		{ id }: Wish,
		requests: readonly ImageRequest[],
		active: ActiveWish,
	): Promise<readonly ImageRequest[] | undefined> {
		const { budget, keys, styles } = this.deps;
		const folder = parseUri(requests[0]?.workspaceFolder);
		const isFree =
			vscode.workspace.isTrusted &&
			!active.isBeingMade &&
			(await styles.isSettled(folder)) &&
			(await budget.reserve(id, requests.length));
		if (!isFree) {
			active.answerable.resolve();
			this.#changed.fire();
			const { signal } = active.cancelling;
			const { isBeingMade } = active;
			const state = await budget.stateOrProblem();
			const isCovered =
				vscode.workspace.isTrusted && !isBeingMade && covers(state, requests.length);
			const wanted = await Promise.race([
				this.#confirmation.ask({
					...{ caller: active.caller, isBeingMade, isCovered, requests, signal },
					budget: state,
				}),
				whenAborted(signal),
			]);
			// The user is here, and can be asked what a command asks.
			return wanted && (await ensureReady(keys)) ? styles.apply(wanted) : undefined;
		}
		return styles.apply(requests);
	}

	/** Notes what can be read nowhere else when the jobs are gone. */
	async #noteEnd(id: string, outcomes: readonly Outcome[]): Promise<void> {
		// What the user has seen already is still listed, or the next window shows it.
		if (outcomes.some(({ type }) => type === 'shown')) {
			return;
		}
		const { arrived, failures, cancelled } = sortOutcomes(outcomes);
		const linked = arrived.filter(({ entry }) => entry.request.insertion !== undefined);
		const isLinkMissing =
			linked.length > 0 && linked.every(({ followUp }) => followUp.inserted === undefined);
		const notJournaled = outcomes.flatMap((one) =>
			one.type === 'notJournaled' ? `${wordsOf(one.error)} ${money.notSent}` : [],
		);
		const mayCost = cancelled.some((charge) => charge !== 'notSent' && charge !== 'rejected');
		const words = [...failureReasons(failures), ...notJournaled, mayCost ? money.cancelled : ''];
		await this.deps.wishes.note(id, {
			state: 'ended',
			failures: words.filter(Boolean).map((text) => text.slice(0, maxErrorLength)),
			cancelled: cancelled.length,
			...(isLinkMissing && { isLinkMissing }),
		});
	}

	/** Acquires the lease of a wish, so that no other window begins it; returns whether it has it. */
	async #acquire(id: string): Promise<boolean> {
		const folder = this.#folder(id);
		await mkdir(folder, { recursive: true, mode: privateFolder });
		const lease = await this.deps.leases.acquire(folder, windowLease);
		return typeof lease === 'object';
	}

	async #release(id: string): Promise<void> {
		const folder = this.#folder(id);
		try {
			await this.deps.leases.release(folder, windowLease);
			await rm(folder, { recursive: true, force: true });
		} catch (error) {
			log.error('The lease of a wish could not be released', error);
		}
	}

	#folder(id: string): string {
		return path.join(this.deps.storage, 'wishes', id);
	}

	/** Waits for the end of a job, as long as the caller wants. */
	async #wait(
		{ job: id, up_to_seconds: seconds = maxWaitSeconds }: AgentArguments<'wait_for_image'>,
		onProgress?: OnProgress,
	): Promise<AgentAnswer> {
		const wish = await this.#wishOf(id);
		const until = performance.now() + Math.min(seconds * 1000, maxWaitingMs);
		const telling = setInterval(() => {
			const words = this.#words(id);
			if (words !== undefined) {
				onProgress?.(words);
			}
		}, progressEveryMs);
		try {
			for (;;) {
				// Before the look, so that nothing is missed that happens during it.
				const change = occurs(this.#changes(id), Math.max(0, until - performance.now()));
				const job = await this.#jobOf(wish);
				if (!isUnderWay(job) || performance.now() >= until) {
					return await this.#withPreview(job);
				}
				await change;
			}
		} finally {
			clearInterval(telling);
		}
	}

	/** What is shown of a job while it is made here. */
	#words(id: string): string | undefined {
		const [running] = this.#runningOf(id);
		const active = this.#active.get(id);
		return running?.words ?? (active && agentMessages.confirming(callerWords(active.caller)));
	}

	/** The jobs of a wish that this window follows. */
	#runningOf(id: string): RunningJob[] {
		return this.deps.jobs.running.filter(({ request }) => request.round.id === id);
	}

	/** Fires where a job of this window, or what another window has written, may have changed. */
	#changes(id: string): vscode.Event<void> {
		this.#watch();
		const { generator, jobs } = this.deps;
		const stateOf = () =>
			this.#runningOf(id)
				.map(({ request, question }) => `${request.id} ${String(question !== undefined)}`)
				.join();
		return (listener) => {
			let last = stateOf();
			const fire = () => {
				listener();
			};
			return vscode.Disposable.from(
				this.#changed.event(fire),
				generator.onArrived(fire),
				jobs.onDidChange(() => {
					const now = stateOf();
					if (now !== last) {
						last = now;
						fire();
					}
				}),
			);
		};
	}

	/** Follows what other windows write, from the first caller that waits on. */
	#watch(): void {
		if (this.#watcher !== undefined) {
			return;
		}
		const pattern = new vscode.RelativePattern(vscode.Uri.file(this.deps.storage), '*.jsonl');
		const watcher = vscode.workspace.createFileSystemWatcher(pattern);
		const fire = () => this.#changed.fire();
		this.#watcher = vscode.Disposable.from(
			watcher,
			watcher.onDidChange(fire),
			watcher.onDidCreate(fire),
		);
	}

	async #cancel({ job: id }: AgentArguments<'cancel_image'>): Promise<AgentAnswer> {
		const wish = await this.#wishOf(id);
		const before = await this.#jobOf(wish);
		if (!isUnderWay(before)) {
			return this.#withPreview(before);
		}
		const active = this.#active.get(id);
		if (active === undefined && this.#runningOf(id).length === 0) {
			return { result: { ...before, note: agentMessages.cannotCancel } };
		}
		active?.cancelling.abort();
		const cancelRunning = () => {
			for (const job of this.#runningOf(id)) {
				job.cancel();
			}
		};
		cancelRunning();
		// What is on its way into the journal is cancelled when it is there.
		const coming = this.#changes(id)(cancelRunning);
		try {
			return await this.#wait({ job: id, up_to_seconds: maxCancellingMs / 1000 });
		} finally {
			coming.dispose();
		}
	}

	async #wishOf(id: string): Promise<Wish> {
		const wish = await this.deps.wishes.get(id);
		if (wish === undefined) {
			throw new AgentError(agentMessages.unknownJob);
		}
		return wish;
	}

	async #withPreview(job: AgentJob): Promise<AgentAnswer> {
		const [first] = job.images;
		const preview =
			first && job.state === 'done'
				? await this.#previews.of(vscode.Uri.parse(first.uri, true))
				: undefined;
		return { result: job, ...(preview && { preview }) };
	}

	/**
	 * Returns how far a wish has come: by the window at work on it, the journal, the gallery, and the note
	 * of its end. It comes to its end in that order, so what ends meanwhile is found at the next place.
	 */
	async #jobOf(wish: Wish): Promise<AgentJob> {
		const { budget, history, journal, wishes } = this.deps;
		const { id, count, altText } = wish;
		const isAtWork = await this.#isAtWork(id);
		const entries = await journal.ofBatch(id);
		const made = (await history.list()).filter(({ round }) => round?.id === id);
		const images = made
			.toSorted((a, b) => (a.round?.place ?? 0) - (b.round?.place ?? 0))
			.map((image) => agentImage(image, altText));
		const about = {
			job: id,
			images,
			failures: [] as string[],
			budget: await budget.stateOrProblem(),
		};
		const { progress: noted } = (await wishes.get(id)) ?? wish;
		const progress = this.#unnoted.get(id) ?? noted;
		// An image that is saved may not have its link yet.
		const isAccepted = isAtWork && progress?.state === 'accepted';
		if (isAccepted || entries.some((entry) => this.#isOpen(entry))) {
			return this.#running(about, entries);
		}
		const failures = [
			...failureReasons(
				entries.flatMap(({ state, ...entry }) =>
					state.state === 'failed' || state.state === 'interrupted'
						? { entry: { ...entry, state }, state }
						: [],
				),
			),
			...entries.flatMap(({ state }) =>
				state.state === 'received'
					? agentMessages.unsaved(notedText(state.problem, state.error) ?? '')
					: [],
			),
		];
		if (images.length > 0 || failures.length > 0) {
			if (images.length === 0) {
				const isKept = entries.some(({ state }) => state.state === 'received');
				const note = isKept ? agentMessages.kept : agentMessages.failed;
				return { ...about, state: 'failed', failures, note };
			}
			const ofEnd = failures.length > 0 ? failures : (progress?.failures ?? []);
			const isWhole = images.length >= count;
			const note = isWhole ? agentMessages.done : agentMessages.someDone(images.length, count);
			const notLinked = progress?.isLinkMissing ? ` ${agentMessages.notInserted}` : '';
			return {
				...about,
				state: 'done',
				failures: isWhole ? [] : ofEnd,
				note: note + notLinked,
			};
		}
		return { ...about, ...this.#withoutJobs(wish, progress, isAtWork) };
	}

	/**
	 * Whether a job may still bring its image by itself. Called failed while it does, it would be asked
	 * for once more, and paid for twice.
	 */
	#isOpen({ request: { id }, state }: JobEntry): boolean {
		const { failed, unsaved } = this.deps.jobs;
		const isListed = [...failed, ...unsaved].some(({ entry }) => entry.request.id === id);
		return (
			!isListed &&
			(state.state === 'received'
				? (state.problem ?? state.error) === undefined
				: !isOver(state) || !isCertain(state))
		);
	}

	/** Returns whether a job brings its image by itself, or has it and could not save it. */
	#isComing(entry: JobEntry): boolean {
		return entry.state.state === 'received' || this.#isOpen(entry);
	}

	#running(
		about: Pick<AgentJob, 'job' | 'images' | 'failures' | 'budget'>,
		entries: readonly JobEntry[],
	): AgentJob {
		const [first] = entries;
		const known = first === undefined ? [] : this.deps.preferences.durations(first.request.size);
		const usual = known.length < 3 ? usualSeconds : rangeOf(known);
		const startedAt = Math.min(...entries.map(({ request }) => Date.parse(request.createdAt)));
		const elapsed = Math.max(0, Math.round((Date.now() - startedAt) / 1000));
		const isAsked = this.#runningOf(about.job).some(({ question }) => question !== undefined);
		return {
			...about,
			state: 'running',
			note: isAsked ? agentMessages.asksUser : agentMessages.running,
			usually_seconds: usual,
			elapsed_seconds: elapsed,
			ask_again_in: Math.min(45, Math.max(5, usual[0] - elapsed)),
		};
	}

	/** What is known of a wish that has no jobs: none yet, or none any more. */
	#withoutJobs(
		{ id, caller }: Wish,
		progress: WishChange | undefined,
		isAtWork: boolean,
	): Pick<AgentJob, 'state' | 'note'> & Partial<AgentJob> {
		switch (progress?.state) {
			case 'declined':
				return { state: 'declined', note: agentMessages.declined };
			case 'cancelled':
				return { state: 'cancelled', note: agentMessages.cancelled };
			case 'ended': {
				const { failures = [], cancelled = 0 } = progress;
				if (cancelled > 0) {
					return { state: 'cancelled', note: agentMessages.cancelled, failures };
				}
				// It has arrived then, and who has it put aside does not want it bought once more.
				return failures.length === 0
					? { state: 'done', note: agentMessages.gone }
					: { state: 'failed', note: agentMessages.failed, failures };
			}
			case 'accepted':
				return { state: 'failed', note: agentMessages.interrupted };
			case 'failed': {
				const { failures = [] } = progress;
				return { state: 'failed', note: agentMessages.notBegun, failures };
			}
			case undefined: {
				if (!isAtWork) {
					return { state: 'failed', note: agentMessages.notSent };
				}
				const note = this.#active.has(id)
					? agentMessages.confirming(callerWords(caller))
					: agentMessages.confirmingElsewhere;
				return { state: 'confirming', note, usually_seconds: usualSeconds, ask_again_in: 15 };
			}
		}
	}

	/** Returns whether this window or another one is at work on a wish that may not be in the journal yet. */
	async #isAtWork(id: string): Promise<boolean> {
		return this.#active.has(id) || (await this.#isHeld(id));
	}

	/** Whether a window has the lease of a wish: until all of it is in the journal, or nothing comes of it. */
	async #isHeld(id: string): Promise<boolean> {
		const folder = this.#folder(id);
		try {
			return (await this.deps.leases.look(folder, windowLease)).status !== 'free';
		} catch (error) {
			if (await isFolderGone(error, folder)) {
				return false;
			}
			throw error;
		}
	}
}

/** Adds what a wish is compared with others by. */
async function withImage(
	wanted: NewWish,
	call: ImageCall,
	request: ImageRequest | undefined,
): Promise<WishWithImage> {
	const { operation, prompt, size, references = [] } = request ?? {};
	return {
		...wanted,
		target: request && namesFile(call) ? await canonicalPlace(request.target) : undefined,
		image: [operation, prompt, size, references.map(({ source }) => source)],
	};
}

/** An unexpected error may come after the user, or the budget, has allowed something. */
function errorWords(error: unknown): string {
	if (error instanceof AgentError) {
		return wordsOf(error);
	}
	return error instanceof EaselError
		? agentMessages.refused(wordsOf(error))
		: agentMessages.unexpected(toSafeError(error).message);
}

/** Of the words of a failure, in UTF-16 code units. */
const maxErrorLength = 2000;

/** Says whether another call fits below a limit, in a stretch of time. */
class RateLimit {
	#at: number[] = [];

	constructor(
		private readonly most: number,
		private readonly withinMs: number,
	) {}

	/** Counts a call, unless there are too many. */
	take(): boolean {
		const since = performance.now() - this.withinMs;
		this.#at = this.#at.filter((at) => at > since);
		if (this.#at.length >= this.most) {
			return false;
		}
		this.#at.push(performance.now());
		return true;
	}
}

function isTool(name: string): name is AgentToolName {
	return Object.hasOwn(agentTools, name);
}

/** @throws {AgentError} naming the field that is wrong */
function parsed<Name extends AgentToolName>(name: Name, args: unknown): AgentArguments<Name> {
	const { schema } = agentTools[name];
	const checked = (schema as z.ZodObject).safeParse(args ?? {});
	if (checked.success) {
		return checked.data as AgentArguments<Name>;
	}
	const [issue] = checked.error.issues;
	if (issue?.code === 'unrecognized_keys') {
		throw new AgentError(agentMessages.unknownFields(issue.keys, Object.keys(schema.shape)));
	}
	const field = issue?.path.map(String).join('.') ?? '';
	throw new AgentError(agentMessages.badField(field, issue?.message ?? ''));
}

/** @throws {AgentError} where the key stands for another call */
function sameWish(claimed: { type: string; wish: Wish }, wanted: NewWish): Wish {
	if (claimed.type === 'conflict') {
		const now = JSON.stringify(wanted.input);
		throw new AgentError(
			agentMessages.conflict(
				wanted.key ?? '',
				`${claimed.wish.tool} ${claimed.wish.arguments.slice(0, maxShownArguments)}`,
				`${wanted.tool} ${now.slice(0, maxShownArguments)}`,
			),
		);
	}
	return claimed.wish;
}

/** Of the arguments of two calls that are shown, in UTF-16 code units. */
const maxShownArguments = 600;

function isUnderWay({ state }: AgentJob): boolean {
	return state === 'confirming' || state === 'running';
}

/** From the shortest to the longest, in seconds. */
function rangeOf(durations: readonly number[]): [number, number] {
	const seconds = durations.map((ms) => Math.max(1, Math.round(ms / 1000)));
	return [Math.min(...seconds), Math.max(...seconds)];
}

/** Resolves with `false` when the signal is aborted. */
function whenAborted(signal: AbortSignal): Promise<false> {
	return new Promise((resolve) => {
		if (signal.aborted) {
			resolve(false);
		}
		signal.addEventListener('abort', () => resolve(false), { once: true });
	});
}
