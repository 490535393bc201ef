import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { EaselError } from '../../easelError.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { refusalSentence } from '../../editor/files.js';
import { showError } from '../../editor/messages.js';
import { ensureReady, readServiceAddress } from '../../editor/service.js';
import { isFolderGone } from '../../files/exists.js';
import { privateFolder } from '../../files/writeWhole.js';
import { budgetCovers } from '../../generation/budget.js';
import { parseUri } from '../../editor/imageRequest.js';
import { money } from '../../messages.js';
import { failureReasons, mayCost, sortOutcomes, type Outcome } from '../../generation/outcome.js';
import type { Services } from '../../services.js';
import { canonicalPlace } from '../../generation/target.js';
import { WindowLeftError } from '../../jobs/createJob.js';
import { windowLease, type JobEntry } from '../../jobs/jobFolder.js';
import type { ImageRequest } from '../../jobs/request.js';
import { isCertain, isOver } from '../../jobs/state.js';
import {
	keylessAgeMs,
	type NewWish,
	type Wish,
	type WishChange,
	type Wishes,
	type IdentifiedWish,
} from '../../jobs/wishes.js';
import type { WishJobState } from '../../jobs/wishState.js';
import { log } from '../../log.js';
import { maxAnswerMs } from '../../protocol/agents.js';
import { agentMessages } from '../messages.js';
import { AgentConfirmation, maxWaiting, type SameImage } from './confirm.js';
import { AgentError, pathFor } from './paths.js';
import { CallRate } from '../../generation/callRate.js';
import {
	assertMissing,
	namesFile,
	requestsOfCall,
	wishedFile,
	type AgentImageCall,
} from './requests.js';

export interface AgentServices extends Services {
	readonly wishes: Wishes;
}

/** A wish that this window brings to its end. */
interface ActiveWish {
	readonly cancelling: AbortController;
	/** The state of the same image for another wish, if there is one: the budget does not allow it then. */
	readonly sameImage: SameImage | undefined;
	/** Resolves when the user is asked, all of it is in the journal, or nothing comes of it. */
	readonly answerable: PromiseWithResolvers<void>;
}

/** Limit of new wishes within an hour. */
const maxWishes = 200;
/** An answer to a new wish comes some seconds before the limit: the way to the caller takes its time. */
const maxDecidingMs = maxAnswerMs - 5000;
/** Length of the words of a failure, in UTF-16 code units. */
export const maxErrorLength = 2000;

/** Brings wishes of agents from their calls to their ends. A caller that vanishes cancels nothing. */
export class WishRunner implements vscode.Disposable {
	readonly #confirmation: AgentConfirmation;
	readonly #active = new Map<string, ActiveWish>();
	/** Wishes that neither the budget nor the user has decided about. */
	readonly #undecided = new Set<string>();
	/** Failures of wishes that could not be noted, as on a full disk. */
	readonly #unnoted = new Map<string, { readonly wish: Wish; readonly change: WishChange }>();
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #wished = new CallRate(maxWishes, 60 * 60_000);
	/** Fires when a wish of this window waits for the user, is in the journal, or has ended. */
	readonly onDidChange = this.#changed.event;

	constructor(private readonly deps: AgentServices) {
		this.#confirmation = new AgentConfirmation(deps);
	}

	dispose(): void {
		this.#changed.dispose();
	}

	/** Finds the wish of a call and goes on with it, or begins it. Resolves when the caller can be answered. */
	async run(wanted: NewWish, call: AgentImageCall): Promise<Wish> {
		const { wishes } = this.deps;
		for (const [id, { wish, change }] of this.#unnoted) {
			await wishes.note(wish, change);
			this.#unnoted.delete(id);
		}
		const known = await wishes.find(wanted);
		return known === undefined
			? this.#begin(wanted, call)
			: this.#resume(sameWish(known, wanted), call);
	}

	/** Takes a wish back that is not in the journal yet; returns whether this window is at work on it. */
	cancel(id: string): boolean {
		const active = this.#active.get(id);
		active?.cancelling.abort();
		return active !== undefined;
	}

	/** Returns `true` if this window brings a wish to its end. */
	isActiveHere(id: string): boolean {
		return this.#active.has(id);
	}

	/** Returns the progress of a wish, also where it could not be noted. */
	progressOf({ id, progress }: Wish): WishChange | undefined {
		return this.#unnoted.get(id)?.change ?? progress;
	}

	/** Returns whether this window or another one is at work on a wish that may not be in the journal yet. */
	async isAtWork(id: string): Promise<boolean> {
		if (this.isActiveHere(id)) {
			return true;
		}
		const folder = leaseFolder(this.deps, id);
		try {
			return (await this.deps.leases.look(folder, windowLease)).status !== 'free';
		} catch (error) {
			if (await isFolderGone(error, folder)) {
				return false;
			}
			throw error;
		}
	}

	async #begin(wanted: NewWish, call: AgentImageCall): Promise<Wish> {
		const requests = await requestsOfCall(call, wanted.caller, this.deps);
		const [first] = requests;
		let isBegun = false;
		try {
			await this.#enter(wanted.id);
			// Before the claim, so that no other window mistakes it for one that was left behind.
			if (!(await this.#acquire(wanted.id))) {
				throw new WindowLeftError({ code: 'window.left' });
			}
			const claimed = await this.deps.wishes.claim(await withIdentity(wanted, call, first));
			if (claimed.type === 'won') {
				const sameImage = await this.#assertNoRival(claimed.wish, first).catch(
					async (error: unknown) => {
						await this.#noteFailure(claimed.wish, error);
						throw error;
					},
				);
				isBegun = true;
				await this.#start(claimed.wish, requests, sameImage);
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
	async #resume(wish: Wish, call: AgentImageCall): Promise<Wish> {
		const { wishes, journal } = this.deps;
		if (wish.progress !== undefined || this.isActiveHere(wish.id)) {
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
				const sameImage = await this.#assertNoRival(wish, requests[0], true);
				await this.#enter(wish.id);
				isBegun = true;
				await this.#start(wish, requests, sameImage);
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
	 * @param isResumed true if it was claimed before, so that others may have begun since
	 * @returns the state of the same image for another wish, where this one names no file
	 * @throws {AgentError} naming the job that is to be waited for, or the file
	 */
	async #assertNoRival(
		wish: Wish,
		request: ImageRequest | undefined,
		isResumed = false,
	): Promise<SameImage | undefined> {
		const { history, journal, wishes } = this.deps;
		const rivals = await wishes.rivals(wish, isResumed);
		const atWork = await Promise.all(rivals.map(({ id }) => this.isAtWork(id)));
		// After the leases: a wish is at work until it is in the journal.
		const entries = (await journal.readable()).filter((entry) =>
			['open', 'unsaved'].includes(wishJobState(entry, this.deps.jobs)),
		);
		const open = rivals.filter(
			({ id }, index) => atWork[index] || entries.some((entry) => entry.request.round.id === id),
		);
		if (wish.target === undefined || request === undefined) {
			const isSame = ({ imageHash }: Wish) => imageHash === wish.imageHash;
			if (open.some(isSame)) {
				return 'beingMade';
			}
			const made = new Set(rivals.filter(isSame).map(({ id }) => id));
			const isMade = (await history.list()).some(
				({ round, savedAt }) =>
					made.has(round?.id ?? '') && Date.now() - Date.parse(savedAt) < keylessAgeMs,
			);
			return isMade ? 'made' : undefined;
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
		return undefined;
	}

	/** Notes the reason for which nothing comes of a wish, so that its key is free again. */
	async #noteFailure(wish: Wish, error: unknown): Promise<void> {
		const words = error instanceof EaselError ? wordsOf(error) : refusalSentence(error);
		const change: WishChange = { state: 'failed', failures: [words.slice(0, maxErrorLength)] };
		try {
			await this.deps.wishes.note(wish, change);
		} catch (unnoted) {
			log.error('The failure of a wish could not be noted', unnoted);
			this.#unnoted.set(wish.id, { wish, change });
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
	async #start(
		wish: Wish,
		requests: readonly ImageRequest[],
		sameImage: SameImage | undefined,
	): Promise<void> {
		const active: ActiveWish = {
			cancelling: new AbortController(),
			sameImage,
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
				await wishes.note(wish, { state: aborted ? 'cancelled' : 'declined' });
				return;
			}
			// From here on it is never begun again: its requests may be in the journal.
			await wishes.note(wish, { state: 'accepted' });
			const outcomes = await generator.makeAllowed(styled, id, async () => {
				isSent = true;
				this.#changed.fire();
				active.answerable.resolve();
				// What it has bought is found in the journal from now on.
				await this.#release(id);
			});
			isSent ||= outcomes.some(({ type }) => type !== 'notJournaled');
			await this.#noteEnd(wish, outcomes);
		} catch (error) {
			// What is in the journal may be sent, and is found there.
			isSent ||= await this.deps.journal.ofBatch(id).then(
				(entries) => entries.length > 0,
				() => true,
			);
			if (isSent) {
				throw error;
			}
			// VS Code ends an open question so when the window goes: the next window asks it anew.
			if (error instanceof Error && error.name === 'Canceled') {
				return;
			}
			await this.#noteFailure(wish, error);
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
		{ id, caller }: Wish,
		requests: readonly ImageRequest[],
		active: ActiveWish,
	): Promise<readonly ImageRequest[] | undefined> {
		const { budget, keys, styles } = this.deps;
		const folder = parseUri(requests[0]?.workspaceFolder);
		const isAllowed =
			vscode.workspace.isTrusted &&
			active.sameImage === undefined &&
			(await styles.isSettled(folder)) &&
			(await budget.reserve(id, requests.length));
		if (!isAllowed) {
			active.answerable.resolve();
			this.#changed.fire();
			const { signal } = active.cancelling;
			const { sameImage } = active;
			const state = await budget.stateOrProblem();
			const isCovered =
				vscode.workspace.isTrusted &&
				sameImage === undefined &&
				budgetCovers(state, requests.length);
			const wanted = await Promise.race([
				this.#confirmation.ask({
					...{ caller, sameImage, isCovered, requests, signal },
					budget: state,
				}),
				whenAborted(signal),
			]);
			// The user is here, and can be asked what a command asks.
			return wanted && (await ensureReady(keys)) ? styles.apply(wanted) : undefined;
		}
		return styles.apply(requests);
	}

	/** Notes the end that can be read nowhere else when the jobs are gone. */
	async #noteEnd(wish: Wish, outcomes: readonly Outcome[]): Promise<void> {
		// What the user has seen already is still listed, or the next window shows it.
		if (outcomes.some(({ type }) => type === 'shown')) {
			return;
		}
		const { arrived, failures, cancelled } = sortOutcomes(outcomes);
		const linked = arrived.filter(({ entry }) => entry.request.insertion !== undefined);
		const isLinkMissing =
			linked.length > 0 && linked.every(({ followUp }) => followUp.inserted === undefined);
		const withLink = linked.find(({ followUp }) => followUp.inserted !== undefined);
		const notJournaled = outcomes.flatMap((one) =>
			one.type === 'notJournaled' ? `${wordsOf(one.error)} ${money.notSent}` : [],
		);
		const words = [
			...failureReasons(failures),
			...notJournaled,
			mayCost(cancelled) ? money.cancelled : '',
		];
		await this.deps.wishes.note(wish, {
			state: 'ended',
			failures: words.filter(Boolean).map((text) => text.slice(0, maxErrorLength)),
			cancelled: cancelled.length,
			...(isLinkMissing && { isLinkMissing }),
			...(linked.length > 1 && withLink && { linked: withLink.entry.request.id }),
		});
	}

	/** Acquires the lease of a wish, so that no other window begins it; returns whether it has it. */
	async #acquire(id: string): Promise<boolean> {
		const folder = leaseFolder(this.deps, id);
		await mkdir(folder, { recursive: true, mode: privateFolder });
		const lease = await this.deps.leases.acquire(folder, windowLease);
		return typeof lease === 'object';
	}

	async #release(id: string): Promise<void> {
		const folder = leaseFolder(this.deps, id);
		try {
			await this.deps.leases.release(folder, windowLease);
			await rm(folder, { recursive: true, force: true });
		} catch (error) {
			log.error('The lease of a wish could not be released', error);
		}
	}
}

/** Returns the folder of the lease of a wish. */
function leaseFolder({ storage }: AgentServices, id: string): string {
	return path.join(storage, 'wishes', id);
}

/**
 * Returns the state of a job of a wish: `open` as long as it may bring its image, because an agent
 * that reads of a failure buys the image again.
 */
export function wishJobState(
	{ request: { id }, state }: JobEntry,
	{ failed, unsaved }: Services['jobs'],
): WishJobState {
	const isListed = [...failed, ...unsaved].some(({ entry }) => entry.request.id === id);
	const isOpen =
		state.state === 'received'
			? (state.problem ?? state.error) === undefined
			: !isOver(state) || !isCertain(state);
	if (isOpen && !isListed) {
		return 'open';
	}
	if (state.state === 'received') {
		return 'unsaved';
	}
	return state.state === 'failed' || state.state === 'interrupted' ? 'failed' : 'over';
}

/** Adds the target and the identity by which a wish is compared with others. */
async function withIdentity(
	wanted: NewWish,
	call: AgentImageCall,
	request: ImageRequest | undefined,
): Promise<IdentifiedWish> {
	const { operation, prompt, size, quality, background, references = [] } = request ?? {};
	return {
		...wanted,
		target: request && namesFile(call) ? await canonicalPlace(request.target) : undefined,
		identity: [
			operation,
			prompt,
			size,
			quality,
			background,
			references.map(({ source }) => source),
		],
	};
}

/** Returns the claimed wish. @throws {AgentError} where the key stands for another call */
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

/** Length of the arguments of a call that are shown, in UTF-16 code units. */
const maxShownArguments = 600;

/** Resolves with `false` when the signal is aborted. */
function whenAborted(signal: AbortSignal): Promise<false> {
	return new Promise((resolve) => {
		if (signal.aborted) {
			resolve(false);
		}
		signal.addEventListener('abort', () => resolve(false), { once: true });
	});
}
