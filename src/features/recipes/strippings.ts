import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { refusalSentence } from '../../editor/files.js';
import { safeName } from '../../editor/untrustedText.js';
import { runDetached, notify } from '../../editor/messages.js';
import { ChangedError, swapFile } from '../../editor/swapFiles.js';
import {
	otherSide,
	UndoableSwaps,
	type Side,
	type Swap,
	type SwapStep,
} from '../../editor/undoableSwaps.js';
import { privateFolder } from '../../files/writeWhole.js';
import { besideName } from '../../recipes/beside.js';
import { writeWithoutRecipe } from '../../recipes/rewrite.js';
import { forEachFile, runOnFiles } from './forEachFile.js';
import { stripMessages } from '../messages.js';
import { log } from '../../log.js';

/** What has become of files that were to be changed. */
interface Outcome {
	readonly done: number;
	/** Those that stay as they are, each with what was thrown. */
	readonly failed: readonly Failed[];
}

interface Failed {
	readonly file: vscode.Uri;
	readonly error: unknown;
}

export async function reportFailed({ failed }: Outcome = nothing): Promise<void> {
	const [first] = failed;
	if (first !== undefined) {
		const why = refusalSentence(first.error);
		const words = stripMessages.notChanged(safeName(first.file), why, failed.length - 1);
		await notify('warning', words);
	}
}

/**
 * Removes recipes from files, and takes that back: by a button and with the editor's own undo and
 * redo, all files of a step together. Nothing is removed without a backup, and a file that is not the
 * one expected is left alone.
 */
export class Strippings implements vscode.Disposable {
	readonly #steps: UndoableSwaps;

	/** @param storage our own, absolute */
	constructor(
		private readonly backups: BackupStore,
		private readonly storage: string,
	) {
		const endings = { before: 'whole', after: 'stripped' };
		const folder = path.join(storage, 'strippings');
		this.#steps = new UndoableSwaps(folder, endings, backups, async ({ swaps }, to) => {
			runDetached(reportFailed(await this.#swapAll(swaps, to)));
		});
	}

	dispose(): void {
		this.#steps.dispose();
	}

	/** Resolves when no step is under way. */
	settled(): Promise<void> {
		return this.#steps.settled();
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
	): Promise<(Outcome & { readonly undo: () => Promise<Outcome | undefined> }) | undefined> {
		return this.#steps.run(async () => {
			const prepared = await this.#prepare(images, besides);
			if (prepared === undefined) {
				return undefined;
			}
			const { swaps, failed } = prepared;
			const step = await this.#steps.create(swaps);
			const outcome = swaps.length === 0 ? nothing : await this.#turn(step, 'after');
			return (
				outcome && {
					done: outcome.done,
					failed: [...failed, ...outcome.failed],
					// Does nothing where the editor has taken it back already.
					undo: () =>
						this.#steps.run(async () =>
							(await this.#steps.isMade(step)) ? this.#turn(step, 'before') : undefined,
						),
				}
			);
		});
	}

	/** Backs up the files, and makes what takes their place; `undefined` where the user cancels. */
	async #prepare(
		images: readonly vscode.Uri[],
		besides: readonly vscode.Uri[],
	): Promise<{ readonly swaps: Swap[]; readonly failed: Failed[] } | undefined> {
		const tasks = [
			...images.map((file) => ({ file, prepare: () => this.#withoutRecipe(file) })),
			...besides.map((image) => {
				const file = image.with({ path: besideName(image.path) });
				const prepare = async () => ({ file: file.toString(), before: await this.#backUp(file) });
				return { file, prepare };
			}),
		];
		const failed: Failed[] = [];
		const swaps: Swap[] = [];
		const isDone = await forEachFile(stripMessages.backingUp, tasks, ({ file, prepare }) =>
			prepare().then(
				(swap) => void swaps.push(swap),
				(error: unknown) => void failed.push({ file, error }),
			),
		);
		return isDone ? { swaps, failed } : undefined;
	}

	/**
	 * Swaps the files, and then adds the step to the editor's list; `undefined` where the user has
	 * cancelled, and all is as it was.
	 */
	async #turn(step: SwapStep, to: Side): Promise<Outcome | undefined> {
		const outcome = await this.#swapAll(step.swaps, to, true);
		if (outcome === undefined) {
			return undefined;
		}
		const images = new Map(step.swaps.map(imageOf).map((uri) => [uri.toString(), uri]));
		const files = [...images.values()].map((uri) => [uri, uri] as const);
		const label = to === 'after' ? stripMessages.action : stripMessages.restoreAction;
		const add = () => this.#steps.addToEditor(step, to, { label, files });
		if (!(await runOnFiles(stripMessages.preparingUndo, files.length, add))) {
			await this.#swapAll(step.swaps, otherSide(to));
			throw new Error(stripMessages.refused);
		}
		return outcome;
	}

	/** Swaps the files; `undefined` where the user has cancelled, and all is as it was. */
	async #swapAll(
		swaps: readonly Swap[],
		to: Side,
		cancellable = false,
	): Promise<Outcome | undefined> {
		const title = to === 'after' ? stripMessages.removing : stripMessages.restoring;
		let done = 0;
		const failed: Failed[] = [];
		const swapOne = async (swap: Swap) => {
			const file = vscode.Uri.parse(swap.file, true);
			try {
				await swapFile(placeOf(file), this.backups, swap[otherSide(to)], swap[to]);
				done += 1;
			} catch (error) {
				log.error(`The prompt was not removed or restored: ${file.toString()}`, error);
				failed.push({ file, error });
			}
		};
		if (await forEachFile(title, swaps, swapOne, cancellable)) {
			return { done, failed };
		}
		await this.#swapAll(swaps, otherSide(to));
		return undefined;
	}

	/** Makes the file without its recipe, and backs it up as well as the whole one. */
	async #withoutRecipe(file: vscode.Uri): Promise<Swap> {
		const before = await this.#backUp(file);
		await mkdir(this.storage, { recursive: true, mode: privateFolder });
		const bare = path.join(this.storage, `${randomUUID()}.png`);
		try {
			const end = await writeWithoutRecipe(this.backups.file(before), bare);
			if (end !== 'written') {
				throw new ChangedError(stripMessages.alreadyRemoved);
			}
			return { file: file.toString(), before, after: await this.backups.add(bare) };
		} finally {
			await rm(bare, { force: true });
		}
	}

	/** @throws {ChangedError} where the file is gone */
	async #backUp(file: vscode.Uri): Promise<string> {
		const sha256 = await placeOf(file).backUp(this.backups);
		if (sha256 === undefined) {
			throw new ChangedError(stripMessages.fileMissing);
		}
		return sha256;
	}
}

const nothing: Outcome = { done: 0, failed: [] };

/** What is in front where a swap is undone: a file that comes and goes cannot be. */
function imageOf({ file, after }: Swap): vscode.Uri {
	const uri = vscode.Uri.parse(file, true);
	return after === undefined ? uri.with({ path: uri.path.slice(0, -besideName('').length) }) : uri;
}
