import { rm } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { saveUnderFreeName } from '../../editor/files.js';
import type { Log } from '../../editor/log.js';
import type { Memory } from '../../editor/memory.js';
import { foreignText } from '../../editor/messages.js';
import { readNetworkOptions } from '../../editor/network.js';
import { withJobProgress, type JobProgress } from '../../editor/progress.js';
import type { RunningImages } from '../../editor/runningImages.js';
import type { ApiKeys } from '../../editor/secrets.js';
import { readServiceAddress } from '../../editor/service.js';
import { readSetting, SettingError } from '../../editor/settings.js';
import type { Claims } from '../../jobs/claim.js';
import type { JobEvent } from '../../jobs/conversation.js';
import { minutesAndSeconds, readableDuration } from '../../jobs/expectation.js';
import { followJob } from '../../jobs/follow.js';
import { now, readState, writeState, type JobEntry, type Journal } from '../../jobs/journal.js';
import type { GenerationRequest } from '../../jobs/request.js';
import { startWorker, WorkerError } from '../../jobs/start.js';
import type { JobResult, JobState } from '../../jobs/state.js';
import { CancelledError, isCancelled, RequestError, type Charge } from '../../service/errors.js';
import { factsOf, type FailureFacts } from '../../jobs/failure.js';
import { askForImage, type Choices } from './ask.js';
import type { Origin } from './origin.js';
import { copyReferences } from './references.js';
import {
	askToSendAgain,
	reportFailure,
	reportInterrupted,
	reportNotSaved,
	reportSaved,
	reportSettingError,
	reportUnexpected,
} from './report.js';
import { assertTarget, findTarget, type Target } from './target.js';

export interface Parts {
	readonly keys: ApiKeys;
	readonly log: Log;
	readonly memory: Memory;
	readonly running: RunningImages;
	readonly journal: Journal;
	readonly claims: Claims;
	/** The worker's bundle, absolute. */
	readonly worker: string;
}

/** What a series of images has in common, so that one of them can be asked for again. */
export interface Order {
	readonly choices: Choices;
	readonly origin: Origin;
	readonly target: Target;
}

type End = vscode.Uri | 'cancelled' | 'failed';

/** Makes images: journal, worker, progress, delivery. */
export class Runner implements vscode.Disposable {
	readonly #queue = new PQueue();
	/** Images under way that an earlier window has started: they take places too. */
	#takenUp = 0;
	/** Images that wait because the service was busy (429). */
	readonly #busy = new Set<string>();
	#disposed = false;

	constructor(private readonly parts: Parts) {}

	dispose(): void {
		// The workers go on; the next window picks them up.
		this.#disposed = true;
	}

	/** Makes all images of an order; each is a request with a progress and an end of its own. */
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

	/** Takes up a job that another window, or this one before a reload, has left. */
	async resume(entry: JobEntry): Promise<End> {
		return this.#run(entry, '');
	}

	async #make(order: Order, position = ''): Promise<End> {
		try {
			return await this.#run(await this.#journal(order), position);
		} catch (error) {
			if (error instanceof RequestError) {
				const facts = factsOf(error, { elapsedMs: 0 }, false);
				void reportFailure(facts, this.#stepsAfter(order));
			} else {
				this.#tellUnexpected(error);
			}
			return 'failed';
		}
	}

	/** Puts the request on disk, with copies of its references, before anything is sent. */
	async #journal({ choices, origin, target }: Order): Promise<JobEntry> {
		const { journal, claims } = this.parts;
		const id = crypto.randomUUID();
		const folder = journal.folder(id);
		try {
			const references = await copyReferences(choices.references, folder);
			const request: GenerationRequest = {
				id,
				createdAt: now(),
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
				...(origin.workspaceFolder === undefined
					? {}
					: { workspaceFolder: origin.workspaceFolder.toString() }),
				...(choices.quality === 'unset' || references.length > 0
					? {}
					: { quality: choices.quality }),
			};
			const entry = await journal.create(request);
			await claims.take(folder);
			return entry;
		} catch (error) {
			await rm(folder, { recursive: true, force: true });
			throw error;
		}
	}

	/** Brings a job to its end, from wherever it stands, and tells that end. */
	async #run(entry: JobEntry, position: string): Promise<End> {
		const { memory, running } = this.parts;
		const { prompt, size } = entry.request;
		if (entry.state.state === 'received') {
			return this.#save(entry, entry.state.result);
		}
		const title = `Generating “${foreignText(prompt, 60)}”${position}`;
		const finish = running.add();
		try {
			const state = await withJobProgress(title, memory.durations(size), (progress, signal) =>
				this.#follow(entry, progress, signal),
			);
			return await this.#settle(entry, state);
		} catch (error) {
			if (isCancelled(error)) {
				await this.#end(entry, { state: 'cancelled', charge: error.charge });
				this.#tellCancelled(error.charge);
				return 'cancelled';
			}
			await this.#giveUpIfQueued(entry, error);
			this.#tellUnexpected(error);
			return 'failed';
		} finally {
			finish();
		}
	}

	async #follow(entry: JobEntry, progress: JobProgress, signal: AbortSignal): Promise<JobState> {
		const follow = async () => {
			try {
				return await this.#followWorker(entry, progress, signal);
			} finally {
				this.#busy.delete(entry.request.id);
				this.#adjustQueue();
			}
		};
		if (entry.state.state !== 'queued') {
			this.#takenUp += 1;
			this.#adjustQueue();
			try {
				return await follow();
			} finally {
				this.#takenUp -= 1;
				this.#adjustQueue();
			}
		}
		return this.#inQueue(signal, async () => {
			await this.#start(entry);
			return follow();
		});
	}

	#followWorker(entry: JobEntry, progress: JobProgress, signal: AbortSignal): Promise<JobState> {
		return followJob(entry, {
			signal,
			onEvent: (event) => {
				progress.event(event);
				logEvent(this.parts.log, entry.request, event);
				this.#heed(entry, event);
			},
			ask: (event) => askToSendAgain(entry.request.prompt, event.failure),
		});
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

	/** Waits for a free place; cancelling gives the place up. */
	async #inQueue<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
		this.#adjustQueue();
		// The queue rejects as soon as its signal is aborted, so it gets one that ends with the wait:
		// what cancelling a running image means for the money only the image itself can tell.
		const waiting = new AbortController();
		const giveUp = () => {
			waiting.abort(new CancelledError('notSent'));
		};
		signal.addEventListener('abort', giveUp, { once: true });
		return this.#queue.add(
			() => {
				signal.removeEventListener('abort', giveUp);
				return task();
			},
			{ signal: waiting.signal },
		);
	}

	/** Gives the queue the places that are free, and none while the service is busy. */
	#adjustQueue(): void {
		const free = readSetting('service.concurrency') - this.#takenUp;
		this.#queue.concurrency = Math.max(1, free);
		if (free < 1 || this.#busy.size > 0) {
			this.#queue.pause();
		} else {
			this.#queue.start();
		}
	}

	/**
	 * After a 429 the others wait too, instead of running into it one after another: until the image
	 * that was turned away is asked for again, or given up.
	 */
	#heed({ request }: JobEntry, event: JobEvent): void {
		if (event.type === 'failed' && event.failure.status === 429 && event.next.action === 'wait') {
			this.#busy.add(request.id);
		} else {
			this.#busy.delete(request.id);
		}
		this.#adjustQueue();
	}

	async #settle(entry: JobEntry, state: JobState): Promise<End> {
		const { log, memory } = this.parts;
		const { id, prompt, size } = entry.request;
		if (this.#disposed) {
			return 'failed';
		}
		switch (state.state) {
			case 'received': {
				const { bytes, width, height, format, elapsedMs, requestId } = state.result;
				log.info(
					`${id} received: ${String(bytes)} bytes, ${String(width)} x ${String(height)} ${format}, ${readableDuration(elapsedMs)}${requestIdWords(requestId)}.`,
				);
				if (elapsedMs > 0) {
					await memory.rememberDuration(size, elapsedMs);
				}
				return this.#save({ ...entry, state }, state.result);
			}
			case 'cancelled':
				await removeFiles(entry);
				this.#tellCancelled(state.charge);
				return 'cancelled';
			case 'interrupted': {
				const sentAt = state.attempts.at(-1)?.startedAt;
				const sentAgo =
					sentAt === undefined ? undefined : minutesAndSeconds(Date.now() - Date.parse(sentAt));
				log.error(`${id} was interrupted (${state.charge}).`);
				void reportInterrupted(
					{ prompt, sentAgo, charge: state.charge },
					this.#stepsOf(entry).again,
				);
				return 'failed';
			}
			case 'failed':
				log.error(`${id} failed: ${state.failure.message}`);
				void reportFailure(state.failure, this.#stepsOf(entry));
				return 'failed';
			default:
				return 'failed';
		}
	}

	/** Puts the image where it belongs; until that has worked it stays in our own storage. */
	async #save(entry: JobEntry, result: JobResult): Promise<vscode.Uri | 'failed'> {
		const { log } = this.parts;
		const { target, origin, choices } = orderOf(entry.request);
		const source = vscode.Uri.file(result.file);
		const name = target.stem + result.extension;
		const delivered = async (uri: vscode.Uri) => {
			log.info(`Saved: ${vscode.workspace.asRelativePath(uri)}.`);
			await this.#end(entry, { state: 'saved', result, target: uri.toString() });
			void reportSaved({ uri, prompt: choices.prompt, image: result }, origin);
		};
		try {
			await assertTarget(target);
			const uri = await saveUnderFreeName(source, target.folder, name);
			await delivered(uri);
			return uri;
		} catch (error) {
			log.error('The image could not be saved', error);
			// The folder is what did not work, so another one is suggested.
			const suggested = vscode.Uri.joinPath(target.root ?? target.folder, name);
			void reportNotSaved(error, source, suggested, {
				again: () => void this.#save(entry, result),
				savedAs: (uri) => void delivered(uri),
			});
			return 'failed';
		}
	}

	/** Writes the last state of a job, then gives up its files, of which nobody has any use now. */
	async #end(entry: JobEntry, end: EndOfJob): Promise<void> {
		const { attempts } = entry.state;
		await writeState(entry.folder, { ...end, attempts, changedAt: now() });
		await removeFiles(entry);
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
			await this.#end(entry, { state: 'failed', failure });
		}
	}

	#stepsOf({ request }: JobEntry) {
		return this.#stepsAfter(orderOf(request));
	}

	#stepsAfter(order: Order) {
		const one = { ...order, choices: { ...order.choices, count: 1 } };
		return { again: () => void this.#make(one), change: () => void this.#change(one) };
	}

	async #change({ choices, origin }: Order): Promise<void> {
		const changed = await askForImage(choices, this.parts.memory);
		const target = changed && (await findTarget(origin, changed, undefined));
		if (changed !== undefined && target !== undefined) {
			await this.makeAll({ choices: changed, origin, target });
		}
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

type EndOfJob =
	| { readonly state: 'saved'; readonly result: JobResult; readonly target: string }
	| { readonly state: 'cancelled'; readonly charge: Charge }
	| { readonly state: 'failed'; readonly failure: FailureFacts };

/** The order behind a request that the journal has kept. */
function orderOf(request: GenerationRequest): Order {
	const uri = (text: string | undefined) =>
		text === undefined ? undefined : vscode.Uri.parse(text, true);
	return {
		choices: {
			prompt: request.prompt,
			size: request.size,
			quality: request.quality ?? 'unset',
			count: 1,
			references: request.references.map((reference) => vscode.Uri.parse(reference.source, true)),
		},
		origin: {
			document: uri(request.document),
			workspaceFolder: uri(request.workspaceFolder),
			selectedText: '',
		},
		target: {
			folder: vscode.Uri.parse(request.target.folder, true),
			root: uri(request.target.root),
			stem: request.target.stem,
		},
	};
}

async function removeFiles({ folder }: JobEntry): Promise<void> {
	for (const name of ['image', 'references']) {
		await rm(path.join(folder, name), { recursive: true, force: true });
	}
}

function logEvent(log: Log, request: GenerationRequest, event: JobEvent): void {
	switch (event.type) {
		case 'attempt': {
			const references =
				request.references.length > 0 ? `, ${String(request.references.length)} references` : '';
			log.info(
				`${request.id} attempt ${String(event.attempt)}: POST /v1/images/${event.endpoint}, ${request.model}, ${request.size}, quality ${request.quality ?? 'unset'}${references}, prompt of ${String(request.prompt.length)} characters.`,
			);
			return;
		}
		case 'failed': {
			const { message, charge, status, requestId, elapsedMs } = event.failure;
			const next = {
				stop: 'not repeated',
				ask: 'a person is asked',
				wait: 'repeated after a wait',
			}[event.next.action];
			log.warn(
				`${request.id} attempt ${String(event.attempt)} failed after ${readableDuration(elapsedMs)}${requestIdWords(requestId)}: ${status === undefined ? '' : `${String(status)} `}${message} (${charge}); ${next}.`,
			);
			return;
		}
		case 'phase':
			return;
	}
}

function requestIdWords(requestId: string | undefined): string {
	return requestId === undefined ? '' : `, request id ${requestId}`;
}
