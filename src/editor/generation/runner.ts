import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Claims } from '../../jobs/claim.js';
import type { JobEvent } from '../../jobs/conversation.js';
import { factsOf, type FailureFacts } from '../../jobs/failure.js';
import { followJob } from '../../jobs/follow.js';
import type { Gallery } from '../../jobs/gallery.js';
import { now, readState, writeState, type JobEntry, type Journal } from '../../jobs/journal.js';
import type { Places } from '../../jobs/places.js';
import type { GenerationRequest } from '../../jobs/request.js';
import { startWorker, WorkerError } from '../../jobs/start.js';
import type { JobState } from '../../jobs/state.js';
import { CancelledError, isCancelled, RequestError, type Charge } from '../../service/errors.js';
import { findSaved, saveUnderFreeName } from '../files.js';
import type { Log } from '../log.js';
import type { Memory } from '../memory.js';
import { foreignText, type Button } from '../messages.js';
import { readNetworkOptions } from '../network.js';
import { withJobProgress, withSeriesProgress } from '../progress.js';
import type { RunningImages } from '../runningImages.js';
import type { ApiKeys } from '../secrets.js';
import { readServiceAddress } from '../service.js';
import { readSetting, SettingError } from '../settings.js';
import type { Board, FailedState, RunningJob } from './board.js';
import { logEnd, logEvent } from './jobLog.js';
import { orderOf, type Operation, type Order } from './order.js';
import { copyReferences } from './references.js';
import {
	askToSendAgain,
	reportFailure,
	reportInterrupted,
	reportNotSaved,
	reportSaved,
	reportSettingError,
	reportUnexpected,
	type SavedImage,
} from './report.js';
import { assertTarget } from './target.js';

export interface Parts {
	readonly keys: ApiKeys;
	readonly log: Log;
	readonly memory: Memory;
	readonly running: RunningImages;
	readonly board: Board;
	readonly journal: Journal;
	readonly gallery: Gallery;
	readonly claims: Claims;
	readonly places: Places;
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

type StateNamed<Name> = JobState & { readonly state: Name };

/**
 * How long a notification stands before it counts as seen. A window that is reloaded within this
 * time tells of the end once more, because nobody can know whether it was on the screen.
 */
const seenAfterMs = 1500;

/** Makes images: journal, worker, progress, delivery. */
export class Runner implements vscode.Disposable {
	readonly #features = new Map<Operation, OperationFeature>();
	readonly #telling = new Map<string, NodeJS.Timeout>();
	/** Images that are told of together, at the end of their series. */
	readonly #inSeries = new Set<string>();
	#disposed = false;

	constructor(private readonly parts: Parts) {}

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
		const ends = await Promise.all(
			Array.from({ length: count }, (_, index) =>
				this.#make(order, count === 1 ? '' : ` (${String(index + 1)} of ${String(count)})`),
			),
		);
		return ends.every((end) => end === 'cancelled')
			? undefined
			: ends.filter((end) => end instanceof vscode.Uri);
	}

	/**
	 * Makes many images under one progress, "7 of 12". Those that fail are told one by one, those
	 * that succeed at the end; cancelling keeps what is done and gives up the rest. Returns the ends
	 * in the order of the orders.
	 */
	async makeSeries(title: string, orders: readonly Order[]): Promise<End[]> {
		const ends = await withSeriesProgress(title, orders.length, (done, signal) =>
			Promise.all(
				orders.map(async (order) => {
					const end = await this.#make(order, '', signal);
					done();
					return end;
				}),
			),
		);
		return ends;
	}

	/** Makes another image of the request of a job that has failed, which is forgotten. */
	async again(entry: JobEntry): Promise<void> {
		await this.dismiss(entry);
		await this.#make(onlyOne(orderOf(entry.request)));
	}

	/** Lets the user change the request of a job that has failed. */
	change(entry: JobEntry): void {
		this.#change(orderOf(entry.request));
	}

	/** Puts a failure aside: it is not shown any more. */
	async dismiss({ folder, request }: JobEntry): Promise<void> {
		this.parts.board.forget(request.id);
		clearTimeout(this.#telling.get(request.id));
		this.#telling.delete(request.id);
		await writeState(folder, { ...(await readState(folder)), told: true, dismissed: true });
	}

	/** Takes up a job that another window, or this one before a reload, has left. */
	async resume(entry: JobEntry): Promise<End> {
		return this.#run(entry, '');
	}

	/** Gives up a job that was never sent. */
	async discard(entry: JobEntry): Promise<void> {
		await this.#end(entry, { state: 'cancelled', charge: 'notSent', told: true });
		this.parts.log.info(`${entry.request.id} was discarded; nothing was sent.`);
	}

	/** Tells the end of a job again whose window was gone before anybody could have seen it. */
	async tellAgain(entry: JobEntry): Promise<void> {
		const { state } = entry;
		if (state.state === 'saved' || state.state === 'cancelled') {
			await removeFiles(entry, ['image', 'references']);
		}
		if (state.state === 'saved') {
			const uri = vscode.Uri.parse(state.target, true);
			if (await exists(uri)) {
				await this.#tellSaved(entry, state, uri);
				return;
			}
		} else if (state.state === 'failed' || state.state === 'interrupted') {
			await this.#tellEnd(entry, state);
			return;
		}
		await writeState(entry.folder, { ...state, told: true });
	}

	async #make(order: Order, position = '', series?: AbortSignal): Promise<End> {
		try {
			if (series?.aborted) {
				return 'cancelled';
			}
			return await this.#run(await this.#journal(order), position, series);
		} catch (error) {
			if (error instanceof RequestError) {
				const facts = factsOf(error, { elapsedMs: 0 }, false);
				void reportFailure(facts, {
					again: () => void this.#make(order),
					change: () => this.#change(order),
				});
			} else {
				this.#tellUnexpected(error);
			}
			return 'failed';
		}
	}

	/** Puts the request on disk, with copies of its references, before anything is sent. */
	async #journal({ operation, choices, origin, target }: Order): Promise<JobEntry> {
		const { journal, claims } = this.parts;
		const id = crypto.randomUUID();
		const folder = journal.folder(id);
		try {
			await mkdir(folder, { recursive: true });
			// First of all, so that no other window takes what is being made for something left behind.
			await claims.take(folder);
			const references = await copyReferences(choices.references, folder);
			const request: GenerationRequest = {
				id,
				createdAt: now(),
				operation,
				model: readSetting('service.model'),
				prompt: choices.prompt,
				size: choices.size,
				references,
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
				...(choices.quality === 'unset' || references.length > 0
					? {}
					: { quality: choices.quality }),
			};
			return await journal.create(request);
		} catch (error) {
			await rm(folder, { recursive: true, force: true });
			throw error;
		}
	}

	/** Brings a job to its end, from wherever it stands, and tells that end. */
	async #run(entry: JobEntry, position: string, series?: AbortSignal): Promise<End> {
		const { board, memory, running } = this.parts;
		const { operation, prompt, size } = entry.request;
		if (entry.state.state === 'received') {
			return this.#save(entry, entry.state);
		}
		const verb = operation === 'edit' ? 'Editing' : 'Generating';
		const title = `${verb} “${foreignText(prompt, 60)}”${position}`;
		const finish = running.add();
		const job = board.begin(entry, memory.durations(size));
		try {
			if (series !== undefined) {
				this.#inSeries.add(entry.request.id);
			}
			const state =
				series !== undefined || board.watched
					? await this.#follow(entry, job, series)
					: await withJobProgress(
							title,
							() => job.words,
							(changed, signal) => this.#follow(entry, job, signal, changed),
						);
			return await this.#settle(entry, state);
		} catch (error) {
			if (isCancelled(error)) {
				await this.#end(entry, { state: 'cancelled', charge: error.charge, told: true });
				this.#tellCancelled(error.charge);
				return 'cancelled';
			}
			await this.#giveUpIfQueued(entry, error);
			this.#tellUnexpected(error);
			return 'failed';
		} finally {
			finish();
			job.end();
		}
	}

	/**
	 * @param cancelling aborted when somebody cancels it elsewhere than on the board
	 * @param changed called when there are new words about it
	 */
	async #follow(
		entry: JobEntry,
		job: RunningJob,
		cancelling?: AbortSignal,
		changed?: () => void,
	): Promise<JobState> {
		const signal = AbortSignal.any([job.signal, ...(cancelling ? [cancelling] : [])]);
		if (entry.state.state === 'queued') {
			await this.parts.places.start(entry.request.id, {
				limit: () => readSetting('service.concurrency'),
				signal,
				start: () => this.#start(entry),
			});
		}
		return followJob(entry, {
			signal,
			onEvent: (event: JobEvent) => {
				job.event(event);
				changed?.();
				logEvent(this.parts.log, entry.request, event);
			},
			ask: (event) => this.#ask(job, event),
			// VS Code cannot take a question back.
			onLateAnswer: () => {
				void vscode.window.showInformationMessage(
					'The image had ended before you answered. Nothing was sent again.',
				);
			},
		});
	}

	/** Asks where it is seen: on the board, and when nobody looks at that any more, by itself. */
	async #ask(job: RunningJob, { failure }: JobEvent & { type: 'failed' }): Promise<boolean> {
		const elsewhere = this.parts.board
			.whenUnwatched()
			.then(() => job.question !== undefined && askToSendAgain(job.request.prompt, failure));
		const again = await Promise.race([job.ask(failure), elsewhere]);
		job.answer(again);
		return again;
	}

	async #start({ folder, request }: JobEntry): Promise<void> {
		const { keys, worker } = this.parts;
		const address = readServiceAddress();
		const key = address === undefined ? undefined : await keys.get(address);
		if (address === undefined || key === undefined) {
			throw new WorkerError(
				'The image was not sent: address or key of the image service is missing.',
			);
		}
		const pid = await startWorker(worker, {
			folder,
			address,
			key: key.key,
			network: readNetworkOptions(),
			timeoutMs: readSetting('service.timeoutSeconds') * 1000,
			retry: readSetting('service.retry'),
		});
		this.parts.log.info(`${request.id} goes to ${address}, worker process ${String(pid)}.`);
	}

	async #settle(entry: JobEntry, state: JobState): Promise<End> {
		if (this.#disposed) {
			return 'failed';
		}
		logEnd(this.parts.log, entry.request, state);
		switch (state.state) {
			case 'received': {
				const { elapsedMs } = state.result;
				if (elapsedMs > 0) {
					await this.parts.memory.rememberDuration(entry.request.size, elapsedMs);
				}
				return this.#save(entry, state);
			}
			case 'cancelled':
				await this.#end(entry, { ...state, told: true });
				this.#tellCancelled(state.charge);
				return 'cancelled';
			case 'interrupted':
			case 'failed':
				await this.#tellEnd(entry, state);
				return 'failed';
			default:
				return 'failed';
		}
	}

	/** Puts the image where it belongs; until that has worked it stays in our own storage. */
	async #save(entry: JobEntry, received: StateNamed<'received'>): Promise<vscode.Uri | 'failed'> {
		const { log } = this.parts;
		const { result } = received;
		const { target } = orderOf(entry.request);
		const source = vscode.Uri.file(result.file);
		const name = target.stem + result.extension;
		const delivered = async (uri: vscode.Uri) => {
			log.info(`Saved: ${vscode.workspace.asRelativePath(uri)}.`);
			const { attempts, changedAt } = received;
			const target = uri.toString();
			const saved = { state: 'saved', attempts, changedAt, result, target } as const;
			await this.#end(entry, saved);
			await this.#remember({ ...entry, state: saved });
			await this.#tellSaved(entry, saved, uri);
		};
		try {
			await assertTarget(target);
			// A window that was ended in that moment may have saved it without noting so.
			const saved = await findSaved(source, target.folder, name, received.saving === true);
			if (saved !== undefined) {
				await delivered(saved);
				return saved;
			}
			await writeState(entry.folder, { ...received, saving: true });
			const uri = await saveUnderFreeName(source, target.folder, name);
			await delivered(uri);
			return uri;
		} catch (error) {
			log.error('The image could not be saved', error);
			// The folder is what did not work, so another one is suggested.
			const suggested = vscode.Uri.joinPath(target.root ?? target.folder, name);
			void reportNotSaved(error, source, suggested, {
				again: () => void this.#save(entry, received),
				savedAs: (uri) => void delivered(uri),
			});
			return 'failed';
		}
	}

	/** That the gallery cannot be written must not cost an image; it takes it from the journal. */
	async #remember(entry: JobEntry): Promise<void> {
		try {
			await this.parts.gallery.add(entry);
		} catch (error) {
			this.parts.log.error('The gallery could not be written', error);
		}
	}

	/** Writes the last state of a job, then gives up its files, of which nobody has any use now. */
	async #end(entry: JobEntry, end: EndOfJob): Promise<void> {
		const { attempts } = entry.state;
		await writeState(entry.folder, { attempts, changedAt: now(), ...end });
		await removeFiles(entry, ['image', 'references']);
	}

	/** What could not be started is told now; it must not be sent by itself on another day. */
	async #giveUpIfQueued(entry: JobEntry, error: unknown): Promise<void> {
		if ((await readState(entry.folder)).state === 'queued') {
			const failure: FailureFacts = {
				kind: 'unexpected',
				message: error instanceof Error ? error.message : String(error),
				charge: 'notSent',
				repeatable: false,
				elapsedMs: 0,
				unknownOutcome: false,
			};
			await this.#end(entry, { state: 'failed', failure, told: true });
		}
	}

	async #tellSaved(entry: JobEntry, state: StateNamed<'saved'>, uri: vscode.Uri): Promise<void> {
		if (this.#inSeries.has(entry.request.id)) {
			await writeState(entry.folder, { ...state, told: true });
			return;
		}
		const order = orderOf(entry.request);
		const saved = { uri, prompt: order.choices.prompt, image: state.result };
		const announcement = await this.#features.get(order.operation)?.afterSaving(saved, order);
		// Who sees it arrive need not be told, except of what is left to do.
		if (!this.parts.board.watched || order.origin.insertion !== undefined) {
			void reportSaved(saved, announcement?.buttons ?? [], announcement?.note);
		}
		this.#markToldLater(entry, state);
	}

	async #tellEnd(entry: JobEntry, state: FailedState): Promise<void> {
		const { board } = this.parts;
		// What is asked for again takes the references anew; the copies have served.
		await removeFiles(entry, ['references']);
		board.fail(entry, state);
		const steps = {
			again: () => void this.again(entry),
			change: () => this.change(entry),
		};
		if (board.watched) {
			// It is seen there, and stays there.
		} else if (state.state === 'failed') {
			const { id, prompt } = entry.request;
			void reportFailure(state.failure, steps, this.#inSeries.has(id) ? prompt : undefined);
		} else {
			void reportInterrupted(entry.request.prompt, state, steps.again);
		}
		this.#markToldLater(entry, state);
	}

	#markToldLater({ folder, request: { id } }: JobEntry, state: JobState): void {
		const timer = setTimeout(() => {
			this.#telling.delete(id);
			writeState(folder, { ...state, told: true }).catch((error: unknown) => {
				this.parts.log.error('The journal could not be written', error);
			});
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
			void vscode.window.showInformationMessage(message);
		}
	}

	#tellUnexpected(error: unknown): void {
		if (error instanceof SettingError) {
			void reportSettingError(error);
			return;
		}
		this.parts.log.error('An image could not be made', error);
		void reportUnexpected(error);
	}
}

type WithoutCommon<S> = S extends unknown ? Omit<S, 'attempts' | 'changedAt'> : never;
type EndOfJob = WithoutCommon<StateNamed<'saved'> | StateNamed<'cancelled'> | StateNamed<'failed'>>;

function onlyOne(order: Order): Order {
	return { ...order, choices: { ...order.choices, count: 1 } };
}

async function removeFiles({ folder }: JobEntry, names: readonly string[]): Promise<void> {
	for (const name of names) {
		await rm(path.join(folder, name), { recursive: true, force: true });
	}
}

async function exists(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}
