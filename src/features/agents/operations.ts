import * as vscode from 'vscode';
import { EaselError } from '../../easelError.js';
import { notedText, wordsOf } from '../../editor/errorTexts.js';
import { occurs } from '../../editor/events.js';
import { toSafeError } from '../../editor/messages.js';
import { readService } from '../../editor/service.js';
import { settingOr } from '../../editor/settings.js';
import { safeName } from '../../editor/untrustedText.js';
import type { RunningJob } from '../../generation/jobList.js';
import { failureReasons } from '../../generation/outcome.js';
import { callerWords } from '../../generation/requestOrigin.js';
import type { JobEntry } from '../../jobs/jobFolder.js';
import { sizeRuleWords } from '../../service/sizes.js';
import { keyScope, type NewWish, type Wish } from '../../jobs/wishes.js';
import { stateOfWish, type WishState } from '../../jobs/wishState.js';
import {
	agentTools,
	isAgentTool,
	maxWaitSeconds,
	withoutImplied,
	type AgentAnswer,
	type AgentArguments,
	type AgentCaller,
	type AgentJob,
	type AgentOffers,
} from '../../protocol/agents.js';
import { agentMessages } from '../messages.js';
import {
	agentImage,
	findMissing,
	getImage,
	listImages,
	previewFolder,
	Previews,
} from './images.js';
import { checkImages, setAltTexts } from './altTexts.js';
import { resolveArguments, resolveExisting } from './callArguments.js';
import { exportForAgent, withExport } from './exports.js';
import { AgentError, callFolders, rootFolder, type CallPlace } from './paths.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { CallRate } from '../../generation/callRate.js';
import { printNotes, type AgentImageCall } from './requests.js';
import { wishJobState, WishRunner, type AgentServices } from './wishRunner.js';

/** Shows words at a door while a call is under way. */
type OnProgress = (words: string) => void;

/** Limit of calls within a minute. */
const maxCalls = 200;
/** Time between two words to a caller that waits, in milliseconds. */
const progressEveryMs = 10_000;
/** A wait ends some seconds before its limit, too: a preview takes its time. */
const maxWaitingMs = maxWaitSeconds * 1000 - 4000;
/** Time for which a job that was cancelled is waited for, in seconds. */
const maxCancellingSeconds = 10;

/** Limit of an answer that is no result, in UTF-16 code units: some clients cut one at 10 kB. */
const maxWordsLength = 6000;

const usualSeconds: [number, number] = [100, 200];

/** Answers the calls of agents, behind all doors. */
export class AgentOperations implements vscode.Disposable {
	readonly #runner: WishRunner;
	readonly #previews: Previews;
	readonly #calls = new CallRate(maxCalls, 60_000);
	/** Numbers of waits, by their jobs, for which the user has not answered. */
	readonly #unanswered = new Map<string, number>();
	#watcher: vscode.FileSystemWatcher | undefined;

	/** @param thumbnails the bundle of the workers that make previews, absolute */
	constructor(
		private readonly deps: AgentServices,
		thumbnails: string,
	) {
		this.#runner = new WishRunner(deps);
		this.#previews = new Previews(previewFolder(deps.storage), thumbnails);
	}

	dispose(): void {
		this.#watcher?.dispose();
		this.#runner.dispose();
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
		place: CallPlace = { root: vscode.workspace.workspaceFolders?.[0]?.uri, base: undefined },
	): Promise<AgentAnswer> {
		try {
			if (!this.#calls.take()) {
				throw new AgentError(agentMessages.tooManyCalls(maxCalls));
			}
			return await this.#call(tool, args, caller, onProgress, place);
		} catch (error) {
			return { result: { error: errorWords(error).slice(0, maxWordsLength) } };
		}
	}

	async #call(
		tool: string,
		args: unknown,
		caller: AgentCaller,
		onProgress: OnProgress | undefined,
		place: CallPlace,
	): Promise<AgentAnswer> {
		if (!isAgentTool(tool)) {
			throw new AgentError(agentMessages.unknownTool(Object.keys(agentTools)));
		}
		switch (tool) {
			case 'generate_image':
				return this.#wish(
					{ tool, root: place.root, ...(await resolveArguments(tool, args, place)) },
					caller,
				);
			case 'edit_image':
				return this.#wish(
					{ tool, root: place.root, ...(await resolveArguments(tool, args, place)) },
					caller,
				);
			case 'wait_for_image':
				return this.#wait(await resolveExisting(tool, args, place), onProgress);
			case 'cancel_image':
				return this.#cancel(await resolveExisting(tool, args, place));
			case 'list_images':
				return listImages(await resolveExisting(tool, args, place), this.deps, place.base);
			case 'get_image':
				return getImage(await resolveExisting(tool, args, place), this.#previews, this.deps);
			case 'find_missing_images':
				return findMissing(await resolveExisting(tool, args, place), place.base);
			case 'check_images':
				return checkImages(await resolveExisting(tool, args, place), this.deps, place.base);
			case 'set_alt_text':
				return setAltTexts(await resolveExisting(tool, args, place));
			case 'export_image':
				return exportForAgent(await resolveExisting(tool, args, place), this.deps);
			case 'get_budget':
				await resolveExisting(tool, args, place);
				return {
					result: {
						budget: await this.deps.budget.stateOrProblem(),
						offers: settingOr(serviceOffers),
					},
				};
		}
	}

	/** Finds the job of a call, or begins it. */
	async #wish(call: AgentImageCall, caller: AgentCaller): Promise<AgentAnswer> {
		const { request_key: key, ...input } = call.input;
		rootFolder();
		const wanted: NewWish = {
			id: crypto.randomUUID(),
			scope: await keyScope(callFolders()),
			key,
			tool: call.tool,
			input: withoutImplied(input),
			caller,
			count: input.count ?? 1,
		};
		const job = await this.#jobOf(await this.#runner.run(wanted, call));
		const notes = [
			job.note,
			...(key === undefined ? [agentMessages.keyless] : []),
			...(await printNotes(call)),
		];
		return this.#withPreview({ ...job, note: notes.join(' ') });
	}

	/** Waits for the end of a job, as long as the caller wants. */
	async #wait(
		{ job: id, up_to_seconds: seconds = maxWaitSeconds }: AgentArguments<'wait_for_image'>,
		onProgress?: OnProgress,
	): Promise<AgentAnswer> {
		const wish = await this.#wishOf(id);
		const until = performance.now() + Math.min(seconds * 1000, maxWaitingMs);
		const reporting = setInterval(() => {
			const words = this.#words(wish);
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
					return await this.#withPreview(this.#withAdvice(job));
				}
				await change;
			}
		} finally {
			clearInterval(reporting);
		}
	}

	/** Advises an agent that has waited twice for the user to end its turn in place of calling on. */
	#withAdvice(job: AgentJob): AgentJob {
		if (job.state !== 'confirming') {
			this.#unanswered.delete(job.job);
			return job;
		}
		const waits = (this.#unanswered.get(job.job) ?? 0) + 1;
		this.#unanswered.set(job.job, waits);
		return waits < 2 ? job : { ...job, note: agentMessages.endTurn, ask_again_in: undefined };
	}

	/** Returns the words that are shown of a job while it is made here. */
	#words({ id, caller }: Wish): string | undefined {
		const [running] = this.#runningOf(id);
		const isAsked = this.#runner.isActiveHere(id);
		return running?.words ?? (isAsked ? agentMessages.confirming(callerWords(caller)) : undefined);
	}

	/** Returns the jobs of a wish that this window follows. */
	#runningOf(id: string): RunningJob[] {
		return this.deps.jobs.running.filter(({ request }) => request.round.id === id);
	}

	/** Returns an event that fires where a job of this window, or what another window has written, may have changed. */
	#changes(id: string): vscode.Event<void> {
		const watcher = this.#watch();
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
				this.#runner.onDidChange(fire),
				watcher.onDidChange(fire),
				watcher.onDidCreate(fire),
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

	/** Returns the watcher of the files that other windows write, from the first caller that waits on. */
	#watch(): vscode.FileSystemWatcher {
		this.#watcher ??= vscode.workspace.createFileSystemWatcher(
			new vscode.RelativePattern(vscode.Uri.file(this.deps.storage), '*.jsonl'),
		);
		return this.#watcher;
	}

	async #cancel({ job: id }: AgentArguments<'cancel_image'>): Promise<AgentAnswer> {
		const wish = await this.#wishOf(id);
		const before = await this.#jobOf(wish);
		if (!isUnderWay(before)) {
			return this.#withPreview(before);
		}
		if (!this.#runner.cancel(id) && this.#runningOf(id).length === 0) {
			return { result: { ...before, note: agentMessages.cannotCancel } };
		}
		const cancelRunning = () => {
			for (const job of this.#runningOf(id)) {
				job.cancel();
			}
		};
		cancelRunning();
		// What is on its way into the journal is cancelled when it is there.
		const coming = this.#changes(id)(cancelRunning);
		try {
			return await this.#wait({ job: id, up_to_seconds: maxCancellingSeconds });
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
		const { preview } =
			first && job.state === 'done'
				? await this.#previews.of(vscode.Uri.parse(first.uri, true))
				: {};
		return { result: job, ...(preview && { preview }) };
	}

	/**
	 * Returns the state of a wish: by the window at work on it, the journal, the gallery, and its own line.
	 * It comes to its end in that order, so one that ends meanwhile is found at the next place.
	 */
	async #jobOf(wish: Wish): Promise<AgentJob> {
		const { budget, history, jobs, journal, wishes } = this.deps;
		const { id, count } = wish;
		const isAtWork = await this.#runner.isAtWork(id);
		const entries = await journal.ofBatch(id);
		const saved = (await history.list()).filter(({ round }) => round?.id === id);
		const progress = this.#runner.progressOf((await wishes.get(id)) ?? wish);
		// The one in the document is the one that is shown.
		const placeOf = (image: GalleryImage) =>
			image.id === progress?.linked ? -1 : (image.round?.place ?? 0);
		const sorted = saved.toSorted((a, b) => placeOf(a) - placeOf(b));
		const images = sorted.map((image) => agentImage(image));
		const about = { job: id, images, budget: await budget.stateOrProblem() };
		const found = stateOfWish({
			...{ count, progress, isAtWork, saved: images.length },
			jobs: entries.map((entry) => wishJobState(entry, jobs)),
		});
		if (found.state === 'running') {
			return { ...about, state: found.state, failures: [], ...this.#timing(id, entries) };
		}
		if (found.state === 'confirming') {
			const note = this.#runner.isActiveHere(id)
				? agentMessages.confirming(callerWords(wish.caller))
				: agentMessages.confirmingElsewhere;
			const times = { usually_seconds: usualSeconds, ask_again_in: 15 };
			return { ...about, state: found.state, failures: [], note, ...times };
		}
		const isWhole = found.state === 'done' && found.reason === 'whole';
		const ofJobs = failuresOf(entries);
		const failures = ofJobs.length > 0 ? ofJobs : (progress?.failures ?? []);
		const notLinked = images.length > 0 && progress?.isLinkMissing === true;
		const linked = saved.find((image) => image.id === progress?.linked);
		const exported = await Promise.allSettled(sorted.map((image) => withExport(image, this.deps)));
		const notExported = exported.flatMap((one) =>
			one.status === 'rejected' ? errorWords(one.reason) : [],
		);
		const note = [
			...notExported,
			noteFor(found, images.length, count),
			notLinked ? agentMessages.notInserted : '',
			linked && images.length > 1
				? agentMessages.oneLinked(safeName(vscode.Uri.parse(linked.target, true)))
				: '',
		];
		return {
			...{ ...about, state: found.state, failures: isWhole ? [] : failures },
			images: exported.map((one, at) => (one.status === 'fulfilled' ? one.value : images[at]!)),
			note: note.filter(Boolean).join(' '),
		};
	}

	/** Returns the times of a job that is made, and what its caller is to do. */
	#timing(id: string, entries: readonly JobEntry[]) {
		const [first] = entries;
		const known = first === undefined ? [] : this.deps.preferences.durations(first.request.size);
		const usual = known.length < 3 ? usualSeconds : rangeOf(known);
		const startedAt = Math.min(...entries.map(({ request }) => Date.parse(request.createdAt)));
		const elapsed = Math.max(0, Math.round((Date.now() - startedAt) / 1000));
		const isAsked = this.#runningOf(id).some(({ question }) => question !== undefined);
		return {
			note: isAsked ? agentMessages.asksUser : agentMessages.running,
			usually_seconds: usual,
			elapsed_seconds: elapsed,
			ask_again_in: Math.min(45, Math.max(5, usual[0] - elapsed)),
		};
	}
}

/** Returns why jobs have no image in the workspace, in the words that the user reads. */
function failuresOf(entries: readonly JobEntry[]): string[] {
	const failed = entries.flatMap(({ state, ...entry }) =>
		state.state === 'failed' || state.state === 'interrupted'
			? { entry: { ...entry, state }, state }
			: [],
	);
	const unsaved = entries.flatMap(({ state }) =>
		state.state === 'received'
			? agentMessages.unsaved(notedText(state.problem, state.error) ?? '')
			: [],
	);
	return [...failureReasons(failed), ...unsaved];
}

/** Returns the words for the caller of a job that has ended. */
function noteFor(
	found: Exclude<WishState, { state: 'confirming' | 'running' }>,
	saved: number,
	wished: number,
): string {
	switch (found.state) {
		case 'declined':
		case 'cancelled':
			return agentMessages[found.state];
		case 'failed':
			return agentMessages.failed[found.reason];
		case 'done':
			return found.reason === 'partly'
				? agentMessages.someDone(saved, wished)
				: agentMessages.done[found.reason];
	}
}

/**
 * Returns the words of an error. Those of an unexpected one do not say that nothing was bought: it may
 * come after the user has agreed.
 */
function errorWords(error: unknown): string {
	if (error instanceof AgentError) {
		return wordsOf(error);
	}
	return error instanceof EaselError
		? agentMessages.refused(wordsOf(error))
		: agentMessages.unexpected(toSafeError(error).message);
}

function isUnderWay({ state }: AgentJob): boolean {
	return state === 'confirming' || state === 'running';
}

/** Returns the shortest and the longest of durations, in seconds. */
function rangeOf(durations: readonly number[]): [number, number] {
	const seconds = durations.map((ms) => Math.max(1, Math.round(ms / 1000)));
	return [Math.min(...seconds), Math.max(...seconds)];
}

function serviceOffers(): AgentOffers {
	const { title, sizes, sizeRule, qualities, maxReferences } = readService();
	return {
		service: title,
		sizes: [...sizes],
		...(sizeRule && { other_sizes: sizeRuleWords(sizeRule) }),
		qualities: [...qualities],
		...(maxReferences !== undefined && { max_references: maxReferences }),
	};
}
