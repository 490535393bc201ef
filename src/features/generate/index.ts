import { rm } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../editor/commands.js';
import type { GenerateArgument } from '../../editor/commandTable.js';
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
import { readableDuration } from '../../jobs/expectation.js';
import type { GenerationRequest } from '../../jobs/request.js';
import type { JobEvent, JobResult } from '../../jobs/run.js';
import { CancelledError, isCancelled, isImageServiceError } from '../../service/errors.js';
import type { Failure } from '../../service/retry.js';
import { parseArgument, type ParsedArgument } from './argument.js';
import { askForImage, type Choices } from './ask.js';
import { findOrigin, type Origin } from './origin.js';
import { copyReferences, referencesFromArgument } from './references.js';
import {
	askToSendAgain,
	reportFailure,
	reportNotSaved,
	reportSaved,
	reportSettingError,
	reportUnexpected,
} from './report.js';
import { assertTarget, findTarget, type Target } from './target.js';

interface Parts {
	readonly keys: ApiKeys;
	readonly log: Log;
	readonly memory: Memory;
	readonly running: RunningImages;
	/** Easel's own storage, where images lie until they are delivered. */
	readonly storage: vscode.Uri;
}

/** "Generate Image": from a prompt to a saved file. */
export function registerGenerate(parts: Parts): vscode.Disposable {
	const generator = new Generator(parts);
	return registerCommand('easel.generateImage', (argument) => generator.generate(argument));
}

/** What a series of images has in common, so that one of them can be asked for again. */
interface Order {
	readonly choices: Choices;
	readonly origin: Origin;
	readonly target: Target;
}

class Generator {
	readonly #queue = new PQueue();

	constructor(private readonly parts: Parts) {}

	/**
	 * The command: asks for what the argument leaves open, makes the images, and returns those that
	 * were saved; `undefined` where the user cancelled. Failures are told to the user.
	 *
	 * @throws {ArgumentError} naming the field that is wrong
	 */
	async generate(argument: GenerateArgument | undefined): Promise<vscode.Uri[] | undefined> {
		const given = parseArgument(argument);
		try {
			const origin = await findOrigin();
			if (origin === undefined) {
				return undefined;
			}
			const start = await this.#startingPoint(given, origin);
			if (!(await this.#isSetUp())) {
				return undefined;
			}
			const choices =
				given.prompt === undefined ? await askForImage(start, this.parts.memory) : start;
			if (choices === undefined) {
				return undefined;
			}
			const target = await findTarget(origin, choices, given.output);
			if (target === undefined) {
				return undefined;
			}
			await this.parts.memory.rememberRequest(choices.prompt, choices.size);
			return await this.#makeAll({ choices, origin, target });
		} catch (error) {
			if (error instanceof SettingError) {
				void reportSettingError(error);
				return undefined;
			}
			throw error;
		}
	}

	async #startingPoint(given: ParsedArgument, origin: Origin): Promise<Choices> {
		const scope = origin.document ?? origin.workspaceFolder?.uri;
		const asked = given.prompt === undefined;
		return {
			prompt: given.prompt ?? origin.selectedText,
			size:
				given.size ??
				(asked ? this.parts.memory.lastSize : undefined) ??
				readSetting('image.size', scope),
			quality: given.quality ?? readSetting('image.quality', scope),
			count: given.count ?? 1,
			references: await referencesFromArgument(given.references ?? [], origin.workspaceFolder?.uri),
		};
	}

	/** Asks for what is missing of address and key, and tells whether both are there now. */
	async #isSetUp(): Promise<boolean> {
		const address = readServiceAddress();
		if (address === undefined) {
			return runCommand('easel.setUp');
		}
		return (await this.parts.keys.get(address)) === undefined
			? runCommand('easel.setApiKey')
			: true;
	}

	/** Makes all images of an order; each is a request with a progress and an end of its own. */
	async #makeAll(order: Order): Promise<vscode.Uri[] | undefined> {
		const { count } = order.choices;
		this.#queue.concurrency = readSetting('service.concurrency');
		const ends = await Promise.all(
			Array.from({ length: count }, (_, index) =>
				this.#makeOne(order, count === 1 ? '' : ` (${String(index + 1)} of ${String(count)})`),
			),
		);
		return ends.every((end) => end === 'cancelled')
			? undefined
			: ends.filter((end) => end instanceof vscode.Uri);
	}

	/** Makes one image and tells its end. */
	async #makeOne(order: Order, position = ''): Promise<vscode.Uri | 'cancelled' | 'failed'> {
		const { log, memory, running, storage } = this.parts;
		const { choices } = order;
		const id = crypto.randomUUID();
		const folder = path.join(storage.fsPath, 'jobs', id);
		const title = `Generating “${foreignText(choices.prompt, 60)}”${position}`;
		const finish = running.add();
		const last: { failure?: Failure } = {};
		try {
			const result = await withJobProgress(
				title,
				memory.durations(choices.size),
				(progress, signal) =>
					this.#inQueue(signal, () => this.#run(id, folder, order, progress, signal, last)),
			);
			await memory.rememberDuration(choices.size, result.elapsedMs);
			return await this.#save(order, folder, result);
		} catch (error) {
			await rm(folder, { recursive: true, force: true });
			if (isCancelled(error)) {
				this.#tellCancelled(id, error);
				return 'cancelled';
			}
			if (error instanceof SettingError) {
				void reportSettingError(error);
				return 'failed';
			}
			log.error(`${id} failed`, error);
			if (!isImageServiceError(error)) {
				void reportUnexpected(error);
				return 'failed';
			}
			void reportFailure(last.failure ?? { error, elapsedMs: 0 }, {
				again: () => void this.#makeOne(order),
				change: () => void this.#change(order),
			});
			return 'failed';
		} finally {
			finish();
		}
	}

	/** Waits for a free place; cancelling gives the place up. */
	async #inQueue<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
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

	async #run(
		id: string,
		folder: string,
		{ choices }: Order,
		progress: JobProgress,
		signal: AbortSignal,
		last: { failure?: Failure },
	): Promise<JobResult> {
		const { keys, log } = this.parts;
		progress.say('preparing');
		const address = readServiceAddress();
		const key = address === undefined ? undefined : await keys.get(address);
		const references = await copyReferences(choices.references, folder);
		const request: GenerationRequest = {
			id,
			createdAt: new Date().toISOString(),
			model: readSetting('service.model'),
			prompt: choices.prompt,
			size: choices.size,
			references,
			...(choices.quality === 'unset' || references.length > 0 ? {} : { quality: choices.quality }),
		};
		const { runJob } = await import('../../jobs/run.js');
		const result = await runJob(request, {
			address: address ?? '',
			key: key?.key ?? '',
			network: readNetworkOptions(),
			timeoutMs: readSetting('service.timeoutSeconds') * 1000,
			retry: readSetting('service.retry'),
			folder,
			signal,
			onEvent: (event) => {
				if (event.type === 'failed') {
					last.failure = event.failure;
				}
				progress.event(event);
				logEvent(log, request, address, event);
			},
			ask: (failure) => askToSendAgain(choices.prompt, failure),
		});
		log.info(
			`${id} received: ${String(result.image.bytes)} bytes, ${String(result.image.width)} x ${String(result.image.height)} ${result.image.format}, ${readableDuration(result.elapsedMs)}${requestIdWords(result.requestId)}.`,
		);
		return result;
	}

	/** Puts the image where it belongs; until that has worked it stays in our own storage. */
	async #save(order: Order, folder: string, result: JobResult): Promise<vscode.Uri | 'failed'> {
		const { log } = this.parts;
		const { target, origin, choices } = order;
		const source = vscode.Uri.file(result.file);
		const name = target.fileName(result.image.extension);
		const delivered = async (uri: vscode.Uri) => {
			log.info(`Saved: ${vscode.workspace.asRelativePath(uri)}.`);
			await rm(folder, { recursive: true, force: true });
			void reportSaved({ uri, prompt: choices.prompt, image: result.image }, origin);
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
				again: () => void this.#save(order, folder, result),
				savedAs: (uri) => void delivered(uri),
			});
			return 'failed';
		}
	}

	async #change({ choices, origin }: Order): Promise<void> {
		const changed = await askForImage({ ...choices, count: 1 }, this.parts.memory);
		const target = changed && (await findTarget(origin, changed, undefined));
		if (changed !== undefined && target !== undefined) {
			await this.#makeAll({ choices: changed, origin, target });
		}
	}

	#tellCancelled(id: string, error: CancelledError): void {
		this.parts.log.info(`${id} cancelled: ${error.message}`);
		if (error.charge === 'notSent' || error.charge === 'rejected') {
			vscode.window.setStatusBarMessage(`Easel: ${error.message}`, 5000);
		} else {
			void vscode.window.showInformationMessage(error.message);
		}
	}
}

function logEvent(
	log: Log,
	request: GenerationRequest,
	address: string | undefined,
	event: JobEvent,
): void {
	switch (event.type) {
		case 'attempt': {
			const references =
				request.references.length > 0 ? `, ${String(request.references.length)} references` : '';
			log.info(
				`${request.id} attempt ${String(event.attempt)}: POST ${String(address)}/v1/images/${event.endpoint}, ${request.model}, ${request.size}, quality ${request.quality ?? 'unset'}${references}, prompt of ${String(request.prompt.length)} characters.`,
			);
			return;
		}
		case 'failed': {
			const { error, elapsedMs } = event.failure;
			const next = {
				stop: 'not repeated',
				ask: 'a person is asked',
				wait: 'repeated after a wait',
			}[event.next.action];
			log.warn(
				`${request.id} attempt ${String(event.attempt)} failed after ${readableDuration(elapsedMs)}${requestIdWords(error.requestId)}: ${error.status === undefined ? '' : `${String(error.status)} `}${error.message} (${error.charge}); ${next}.`,
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
