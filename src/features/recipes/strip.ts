import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import type { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { refusalSentence } from '../../editor/files.js';
import { confirm, notify, runDetached, showStatus } from '../../editor/messages.js';
import { withJobProgress, withSeriesProgress } from '../../editor/progress.js';
import { ChangedError, swapFile } from '../../editor/swapFiles.js';
import { targetImages } from '../../editor/targetImage.js';
import {
	otherSide,
	UndoableSwaps,
	type Side,
	type Swap,
	type SwapStep,
} from '../../editor/undoableSwaps.js';
import { safeName } from '../../editor/untrustedText.js';
import { privateFolder } from '../../files/writeWhole.js';
import { labels } from '../../messages.js';
import { readableSize } from '../../images/readableSize.js';
import { log } from '../../log.js';
import { besideName } from '../../recipes/beside.js';
import { writeWithoutRecipe } from '../../recipes/rewrite.js';
import { findTraces } from '../../recipes/traces.js';
import { stripMessages } from '../messages.js';
import { imagesIn, isImage, type ImagesFound } from './imagesIn.js';

interface Found {
	/** Images whose own recipe goes. */
	readonly images: readonly vscode.Uri[];
	/** Images whose file beside them goes. */
	readonly besides: readonly vscode.Uri[];
	/** How many images hold a recipe and are signed, so that it stays there. */
	readonly signed: number;
	readonly unreadable: number;
	/** What the copies of the files that are to be changed take. */
	readonly bytes: number;
	/** How many folders could not be read, with whatever is in them. */
	readonly unreadableFolders: number;
}

/**
 * "Remove Prompt from File…": removes what Easel has written of how images were made, after a
 * question, and in one step that can be undone. A signed image is never changed.
 */
export async function stripRecipes(
	target: unknown,
	selected: unknown,
	strippings: Strippings,
): Promise<void> {
	const meant = await targetImages(target, selected);
	if (meant.length === 0) {
		await notify('info', stripMessages.selectImage);
		return;
	}
	if (meant.some(({ scheme }) => scheme !== 'file')) {
		await notify('info', stripMessages.needsLocalFolder);
		return;
	}
	const found = await findRecipes(await filesOf(meant));
	if (found === undefined) {
		return;
	}
	const { images, besides } = found;
	if (images.length + besides.length === 0) {
		await notify('info', [stripMessages.nothing, ...staying(found)].join(' '));
		return;
	}
	const question = stripMessages.question(images.length + besides.length);
	if (await confirm(question, detailOf(found), stripMessages.action)) {
		await strip(found, strippings);
	}
}

async function strip(found: Found, strippings: Strippings): Promise<void> {
	const outcome = await strippings.strip(found.images, found.besides);
	if (outcome === undefined) {
		showStatus(stripMessages.cancelled, 'circle-slash');
		return;
	}
	runDetached(reportFailed(outcome));
	if (outcome.done.length > 0) {
		const words = stripMessages.removed(outcome.done.length);
		await notify('info', [words, ...staying(found)].join(' '), [
			{ label: labels.undo, run: async () => reportFailed(await outcome.undo()) },
		]);
	}
}

/** The images among them, and in the folders among them. */
async function filesOf(meant: readonly vscode.Uri[]): Promise<ImagesFound> {
	const found = await Promise.all(
		meant.map(async ({ fsPath }): Promise<ImagesFound> =>
			(await stat(fsPath)).isDirectory()
				? imagesIn(fsPath)
				: { files: isImage.test(fsPath) ? [fsPath] : [], unreadable: 0 },
		),
	);
	return {
		files: [...new Set(found.flatMap(({ files }) => files))],
		unreadable: found.reduce((sum, { unreadable }) => sum + unreadable, 0),
	};
}

/** Looks for recipes; `undefined` where the user has cancelled. */
async function findRecipes({ files, unreadable }: ImagesFound): Promise<Found | undefined> {
	const sizeOf = (file: string) =>
		stat(file).then(
			({ size }) => size,
			() => 0,
		);
	const outcome = await forEachFile(
		stripMessages.searching,
		files.map((file) => ({ file })),
		async ({ file }) => {
			const { inImage, isSigned, beside } = await findTraces(file);
			const goes = inImage && !isSigned;
			// An image is copied with its recipe and without.
			const bytes =
				(goes ? 2 * (await sizeOf(file)) : 0) + (beside ? await sizeOf(besideName(file)) : 0);
			return { uri: vscode.Uri.file(file), goes, isSigned: inImage && isSigned, beside, bytes };
		},
	);
	if (outcome === undefined) {
		return undefined;
	}
	const { done, failed } = outcome;
	return {
		images: done.filter(({ goes }) => goes).map(({ uri }) => uri),
		besides: done.filter(({ beside }) => beside).map(({ uri }) => uri),
		signed: done.filter(({ isSigned }) => isSigned).length,
		unreadable: failed.length,
		bytes: done.reduce((sum, { bytes }) => sum + bytes, 0),
		unreadableFolders: unreadable,
	};
}

function detailOf(found: Found): string {
	const { images, besides, bytes } = found;
	return [
		...wordsFor(images.length, stripMessages.images),
		...wordsFor(besides.length, stripMessages.besides),
		...staying(found),
		stripMessages.undo(readableSize(bytes)),
	].join(' ');
}

/** What the user should know of the images that stay as they are. */
function staying({ signed, unreadable, unreadableFolders }: Found): string[] {
	return [
		...wordsFor(signed, stripMessages.signed),
		...wordsFor(unreadable, stripMessages.unreadable),
		...wordsFor(unreadableFolders, stripMessages.unreadableFolders),
	];
}

function wordsFor(count: number, words: (count: number) => string): string[] {
	return count === 0 ? [] : [words(count)];
}

/** What has become of files that were to be changed. */
interface Outcome<Done = unknown> {
	/** What was returned for each. */
	readonly done: readonly Done[];
	/** Those that stay as they are, each with what was thrown. */
	readonly failed: readonly { readonly file: string; readonly error: unknown }[];
}

/** So many files take too little time for a progress to be seen. */
const fewFiles = 20;

/** Most of the time goes by until a disk says that it has what it was given. */
const concurrency = 8;

/**
 * Runs a task for each file, some of them side by side; of many it says how far it is, and can be
 * cancelled.
 *
 * @param cancellable whether it may be left half done
 * @returns `undefined` where the user has cancelled
 */
async function forEachFile<File extends { readonly file: string }, Done>(
	title: string,
	files: readonly File[],
	task: (file: File) => Promise<Done>,
	cancellable = true,
): Promise<Outcome<Done> | undefined> {
	const done: Done[] = [];
	const failed: { file: string; error: unknown }[] = [];
	const doAll = async (count: () => void, signal: AbortSignal) => {
		const doOne = async (one: File) => {
			if (signal.aborted) {
				return;
			}
			try {
				done.push(await task(one));
			} catch (error) {
				failed.push({ file: one.file, error });
			}
			count();
		};
		await new PQueue({ concurrency }).addAll(files.map((one) => () => doOne(one)));
		return signal.aborted ? undefined : { done, failed };
	};
	return files.length <= fewFiles
		? doAll(() => undefined, new AbortController().signal)
		: withSeriesProgress(title, files.length, doAll, cancellable);
}

async function reportFailed(outcome: Outcome | undefined): Promise<void> {
	const [first, ...others] = outcome?.failed ?? [];
	if (first !== undefined) {
		const name = safeName(vscode.Uri.parse(first.file, true));
		const why = refusalSentence(first.error);
		await notify('warning', stripMessages.notChanged(name, why, others.length));
	}
}

/**
 * Removes recipes from files, and takes that back: by a button and with the editor's own undo and
 * redo, all files of a step together. Nothing is removed without a backup, and a file that is not the
 * one expected is left alone.
 */
export class Strippings extends UndoableSwaps {
	/** @param storage our own, absolute */
	constructor(
		backups: BackupStore,
		private readonly storage: string,
	) {
		const endings = { before: 'whole', after: 'stripped' };
		super(path.join(storage, 'strippings'), endings, backups);
	}

	protected override async onFollow({ swaps }: SwapStep, to: Side): Promise<void> {
		runDetached(reportFailed(await this.#swapAll(swaps, to)));
	}

	/**
	 * Removes the recipes from `images`, and the files beside `besides`.
	 *
	 * @returns what has become of them, and what takes it back; `undefined` where the user has
	 *   cancelled, and nothing is changed then
	 * @throws where the editor refuses the step; nothing is changed then
	 */
	async strip(
		images: readonly vscode.Uri[],
		besides: readonly vscode.Uri[],
	): Promise<(Outcome & { readonly undo: () => Promise<Outcome | undefined> }) | undefined> {
		return this.run(async () => {
			const prepared = await this.#prepare(images, besides);
			if (prepared === undefined) {
				return undefined;
			}
			const step = await this.create(prepared.done);
			const none: Outcome = { done: [], failed: [] };
			const outcome = prepared.done.length === 0 ? none : await this.#turn(step, 'after');
			return (
				outcome && {
					done: outcome.done,
					failed: [...prepared.failed, ...outcome.failed],
					// Does nothing where the editor has taken it back already.
					undo: () =>
						this.run(async () =>
							(await this.isMade(step)) ? this.#turn(step, 'before') : undefined,
						),
				}
			);
		});
	}

	/** Backs up the files, and makes what takes their place; `undefined` where the user cancels. */
	#prepare(
		images: readonly vscode.Uri[],
		besides: readonly vscode.Uri[],
	): Promise<Outcome<Swap> | undefined> {
		const files = [
			...images.map((uri) => ({ uri, isImage: true })),
			...besides.map((uri) => ({ uri: uri.with({ path: besideName(uri.path) }), isImage: false })),
		].map((one) => ({ ...one, file: one.uri.toString() }));
		return forEachFile(stripMessages.backingUp, files, async ({ file, uri, isImage }) => {
			const before = await placeOf(uri).backUp(this.backups);
			if (before === undefined) {
				throw new ChangedError(stripMessages.fileMissing);
			}
			return { file, before, after: isImage ? await this.#withoutRecipe(before) : undefined };
		});
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
		const add = () => this.addToEditor(step, to, label, files);
		const isAdded =
			files.length <= fewFiles
				? await add()
				: await withJobProgress(stripMessages.preparingUndo, () => '', add, false);
		if (!isAdded) {
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
		const swapOne = ({ file, ...sha256 }: Swap) => {
			const place = placeOf(vscode.Uri.parse(file, true));
			return swapFile(place, this.backups, sha256[otherSide(to)], sha256[to]);
		};
		const outcome = await forEachFile(title, swaps, swapOne, cancellable);
		if (outcome === undefined) {
			await this.#swapAll(swaps, otherSide(to));
		}
		for (const { file, error } of outcome?.failed ?? []) {
			log.error(`The prompt was not removed or restored: ${file}`, error);
		}
		return outcome;
	}

	/** Makes an image of our own without its recipe, and backs it up; returns its SHA-256. */
	async #withoutRecipe(sha256: string): Promise<string> {
		await mkdir(this.storage, { recursive: true, mode: privateFolder });
		const bare = path.join(this.storage, `${randomUUID()}.png`);
		try {
			if ((await writeWithoutRecipe(this.backups.file(sha256), bare)) !== 'written') {
				throw new ChangedError(stripMessages.alreadyRemoved);
			}
			return await this.backups.add(bare);
		} finally {
			await rm(bare, { force: true });
		}
	}
}

/** What is in front where a swap is undone: a file that comes and goes cannot be. */
function imageOf({ file, after }: Swap): vscode.Uri {
	const uri = vscode.Uri.parse(file, true);
	return after === undefined ? uri.with({ path: uri.path.slice(0, -besideName('').length) }) : uri;
}
