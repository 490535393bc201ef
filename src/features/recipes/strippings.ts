import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { ChangedError, exchange, putNew, takeAway, TakenError } from '../../editor/exchange.js';
import { placeOf } from '../../editor/filePlaces.js';
import type { KeptFiles } from '../../editor/keptFiles.js';
import type { Log } from '../../editor/log.js';
import { UndoRecords } from '../../editor/undoRecords.js';
import { UndoSteps } from '../../editor/undoSteps.js';
import { privateFolder } from '../../files/writeWhole.js';
import { besideName } from '../../recipes/beside.js';
import { writeWithoutRecipe } from '../../recipes/rewrite.js';
import { imageOf, recordSchema, type Change, type State } from './strippedFile.js';
import { shown, watched } from './watched.js';
import { stripMessages } from '../messages.js';

/** What has become of files that were to be changed. */
export interface Outcome {
	/** Those that are changed now. */
	readonly done: readonly vscode.Uri[];
	/** Those that stay as they are, each with what was thrown. */
	readonly failed: readonly { readonly file: vscode.Uri; readonly error: unknown }[];
}

/**
 * Removes recipes from files, and takes that back: by a button and with the editor's own undo and
 * redo, all files of a step together. Nothing is removed that is not kept, and a file that is not
 * the one expected is left alone.
 */
export class Strippings implements vscode.Disposable {
	readonly #records: UndoRecords<State>;
	readonly #steps: UndoSteps<State>;
	/** One step after the other: the editor's undo comes in quick succession. */
	readonly #queue = new PQueue({ concurrency: 1 });

	/**
	 * @param storage our own, absolute
	 * @param onFailed told of what the editor's undo or redo could not do
	 */
	constructor(
		private readonly kept: KeptFiles,
		private readonly storage: string,
		private readonly log: Pick<Log, 'error'>,
		onFailed: (outcome: Outcome) => void,
	) {
		this.#records = new UndoRecords(path.join(storage, 'strippings'), ['whole', 'stripped']);
		this.#steps = new UndoSteps(this.#records, async (id, state) => {
			const outcome = await this.#queue.add(() => this.#follow(id, state));
			if (outcome !== undefined && outcome.failed.length > 0) {
				onFailed(outcome);
			}
		});
	}

	dispose(): void {
		this.#steps.dispose();
	}

	/** Resolves when no step is under way. */
	async settled(): Promise<void> {
		await this.#queue.onIdle();
	}

	/**
	 * Removes the recipes from these images, and the files beside them.
	 *
	 * @param images whose own recipe goes
	 * @param besides images whose file beside them goes
	 * @returns what has become of them, and what takes it back; `undefined` where the user has
	 *   cancelled, and nothing is changed then
	 * @throws where the editor refuses the step; nothing is changed then
	 */
	async strip(
		images: readonly vscode.Uri[],
		besides: readonly vscode.Uri[],
	): Promise<(Outcome & { readonly undo: () => Promise<Outcome> }) | undefined> {
		return this.#queue.add(async () => {
			const prepared = await this.#prepare(images, besides);
			if (prepared === undefined) {
				return undefined;
			}
			const { changes, failed } = prepared;
			if (changes.length === 0) {
				return { done: [], failed, undo: () => Promise.resolve({ done: [], failed: [] }) };
			}
			const id = await this.#records.create({ changes });
			const outcome = await this.#turn(id, changes, 'stripped');
			if (outcome === undefined) {
				return undefined;
			}
			void Promise.all([this.kept.tidy(), this.#records.tidy()]).catch((error: unknown) => {
				this.log.error('Old backups could not be removed', error);
			});
			return {
				done: outcome.done,
				failed: [...failed, ...outcome.failed],
				undo: () => this.#queue.add(() => this.#undo(id, changes)),
			};
		});
	}

	/** Keeps what is there, and makes what takes its place; `undefined` where the user has cancelled. */
	async #prepare(
		images: readonly vscode.Uri[],
		besides: readonly vscode.Uri[],
	): Promise<(Pick<Outcome, 'failed'> & { readonly changes: Change[] }) | undefined> {
		const tasks = [
			...images.map((file) => ({ file, prepare: () => this.#withoutRecipe(file) })),
			...besides
				.map((image) => image.with({ path: besideName(image.path) }))
				.map((file) => ({ file, prepare: () => this.#keptOf(file) })),
		];
		const failed: Outcome['failed'][number][] = [];
		const changes: Change[] = [];
		const keep = async ({ file, prepare }: (typeof tasks)[number]) => {
			await prepare().then(
				(change) => changes.push(change),
				(error: unknown) => failed.push({ file, error }),
			);
		};
		const isDone = await watched(stripMessages.backingUp, tasks, keep);
		return isDone ? { changes, failed } : undefined;
	}

	async #undo(id: string, changes: readonly Change[]): Promise<Outcome> {
		// The editor may have taken it back already.
		const none = { done: [], failed: [] };
		return (await this.#records.isIn(id, 'stripped'))
			? ((await this.#turn(id, changes, 'whole')) ?? none)
			: none;
	}

	/** Does with the files what the editor's undo or redo has done with their names. */
	async #follow(id: string, state: State): Promise<Outcome | undefined> {
		const record = await this.#records.read(id, state);
		return record === undefined
			? undefined
			: this.#exchangeAll(recordSchema.parse(record).changes, state);
	}

	/**
	 * Exchanges the files, and then has the editor note down the step; `undefined` where the user has
	 * cancelled, and all is as it was.
	 */
	async #turn(id: string, changes: readonly Change[], to: State): Promise<Outcome | undefined> {
		const outcome = await this.#exchangeAll(changes, to, true);
		if (outcome === undefined) {
			await this.#exchangeAll(changes, this.#records.otherThan(to));
			return undefined;
		}
		const images = new Map(changes.map((change) => [imageOf(change).toString(), imageOf(change)]));
		const files = [...images.values()].map((uri) => [uri, uri] as const);
		const label = to === 'stripped' ? stripMessages.action : stripMessages.restoreAction;
		const noteDown = () => this.#steps.noteDown({ id, to, label, files });
		if (!(await shown(stripMessages.preparingUndo, files.length, noteDown))) {
			await this.#exchangeAll(changes, this.#records.otherThan(to));
			throw new Error(stripMessages.refused);
		}
		return outcome;
	}

	async #exchangeAll(changes: readonly Change[], to: State): Promise<Outcome>;
	/** @returns `undefined` where the user has cancelled in the midst of it */
	async #exchangeAll(
		changes: readonly Change[],
		to: State,
		cancellable: boolean,
	): Promise<Outcome | undefined>;
	async #exchangeAll(
		changes: readonly Change[],
		to: State,
		cancellable = false,
	): Promise<Outcome | undefined> {
		const title = to === 'stripped' ? stripMessages.removing : stripMessages.restoring;
		const done: vscode.Uri[] = [];
		const failed: Outcome['failed'][number][] = [];
		const exchange = async (change: Change) => {
			const file = vscode.Uri.parse(change.file, true);
			try {
				await exchangeOne(change, to, this.kept);
				done.push(file);
			} catch (error) {
				this.log.error(`The prompt was not removed or restored: ${file.toString()}`, error);
				failed.push({ file, error });
			}
		};
		return (await watched(title, changes, exchange, cancellable)) ? { done, failed } : undefined;
	}

	/** Makes the file without its recipe, and keeps it as well as the whole one. */
	async #withoutRecipe(file: vscode.Uri): Promise<Change> {
		const { whole } = await this.#keptOf(file);
		await mkdir(this.storage, { recursive: true, mode: privateFolder });
		const bare = path.join(this.storage, `${randomUUID()}.png`);
		try {
			const end = await writeWithoutRecipe(this.kept.file(whole), bare);
			if (end !== 'written') {
				throw new ChangedError(stripMessages.alreadyRemoved);
			}
			return { file: file.toString(), whole, stripped: await this.kept.keep(bare) };
		} finally {
			await rm(bare, { force: true });
		}
	}

	/** @throws {ChangedError} where the file is gone */
	async #keptOf(file: vscode.Uri): Promise<Change> {
		const whole = await placeOf(file).keep(this.kept);
		if (whole === undefined) {
			throw new ChangedError(stripMessages.missing);
		}
		return { file: file.toString(), whole };
	}
}

/** @throws {ChangedError} where there is another file, which stays as it is */
async function exchangeOne(change: Change, to: State, kept: KeptFiles): Promise<void> {
	const { file, whole, stripped } = change;
	const place = placeOf(vscode.Uri.parse(file, true));
	const [from, into] = to === 'stripped' ? [whole, stripped] : [stripped, whole];
	const found = await place.sha256();
	if (found === into) {
		return;
	}
	if (found !== from) {
		throw new ChangedError(stripMessages.changed);
	}
	if (from === undefined) {
		await putNew(place, kept, whole).catch((error: unknown) => {
			throw error instanceof TakenError ? new ChangedError(stripMessages.taken) : error;
		});
	} else if (into === undefined) {
		await takeAway(place, kept, from);
	} else {
		await exchange(place, kept, from, into);
	}
}
