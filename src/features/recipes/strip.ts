import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { refusalSentence } from '../../editor/files.js';
import { confirm, notify, runDetached, showStatus } from '../../editor/messages.js';
import { withSeriesProgress } from '../../editor/progress.js';
import { ChangedError, otherSide, swapFile, type SwapSide } from '../../editor/swapFiles.js';
import { targetImages } from '../../editor/targetImage.js';
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
	/** Number of signed images with a recipe, which stays there. */
	readonly signed: number;
	readonly unreadable: number;
	/** Size of the copies of the files that are to be changed. */
	readonly bytes: number;
	/** Number of folders that could not be read. */
	readonly unreadableFolders: number;
}

/**
 * "Remove Prompt from File…": removes the recipes that Easel has written, after a question. One button
 * brings all of them back. Nothing is removed without a backup, a file that has changed meanwhile is
 * left alone, and a signed image is never changed.
 *
 * @param storage our own, absolute
 */
export async function stripRecipes(
	target: unknown,
	selected: unknown,
	storage: string,
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
		await strip(found, storage);
	}
}

async function strip(found: Found, storage: string): Promise<void> {
	const backups = new BackupStore(storage);
	const prepared = await prepare(found, backups, storage);
	const outcome = prepared && (await swapAll(prepared.done, 'after', backups));
	if (prepared === undefined || outcome === undefined) {
		showStatus(stripMessages.cancelled, 'circle-slash');
		return;
	}
	backups.prune().catch((error: unknown) => {
		log.error('Backups could not be pruned', error);
	});
	const { done } = outcome;
	runDetached(reportFailed({ done, failed: [...prepared.failed, ...outcome.failed] }));
	if (done.length > 0) {
		const undo = async () => reportFailed(await swapAll(done, 'before', backups));
		const words = stripMessages.removed(done.length);
		await notify('info', [words, ...staying(found)].join(' '), [{ label: labels.undo, run: undo }]);
	}
}

/** A file, as a URI, with its SHA-256 on both sides; missing where it is deleted. */
type Swap = { readonly file: string } & Readonly<Partial<Record<SwapSide, string>>>;

/** Backs up the files, and makes those without a recipe; `undefined` where the user cancels. */
function prepare(
	{ images, besides }: Found,
	backups: BackupStore,
	storage: string,
): Promise<Outcome<Swap> | undefined> {
	const files = [
		...images.map((uri) => ({ uri, isImage: true })),
		...besides.map((uri) => ({ uri: uri.with({ path: besideName(uri.path) }), isImage: false })),
	].map((one) => ({ ...one, file: one.uri.toString() }));
	return forEachFile(stripMessages.backingUp, files, async ({ file, uri, isImage }) => {
		const before = await placeOf(uri).backUp(backups);
		if (before === undefined) {
			throw new ChangedError(stripMessages.fileMissing);
		}
		return isImage
			? { file, before, after: await withoutRecipe(before, backups, storage) }
			: { file, before };
	});
}

/** Swaps the files; `undefined` where the user has cancelled, and all is as it was. */
async function swapAll(
	swaps: readonly Swap[],
	to: SwapSide,
	backups: BackupStore,
	cancellable = true,
): Promise<Outcome<Swap> | undefined> {
	const title = to === 'after' ? stripMessages.removing : stripMessages.restoring;
	const swapOne = async (swap: Swap) => {
		const place = placeOf(vscode.Uri.parse(swap.file, true));
		await swapFile(place, backups, swap[otherSide(to)], swap[to]);
		return swap;
	};
	const outcome = await forEachFile(title, swaps, swapOne, cancellable);
	if (outcome === undefined) {
		await swapAll(swaps, otherSide(to), backups, false);
	}
	for (const { file, error } of outcome?.failed ?? []) {
		log.error(`The prompt was not removed or restored: ${file}`, error);
	}
	return outcome;
}

/** Makes an image of our own without its recipe, and backs it up; returns its SHA-256. */
async function withoutRecipe(
	sha256: string,
	backups: BackupStore,
	storage: string,
): Promise<string> {
	await mkdir(storage, { recursive: true, mode: privateFolder });
	const bare = path.join(storage, `${randomUUID()}.png`);
	try {
		if ((await writeWithoutRecipe(backups.file(sha256), bare)) !== 'written') {
			throw new ChangedError(stripMessages.alreadyRemoved);
		}
		return await backups.add(bare);
	} finally {
		await rm(bare, { force: true });
	}
}

/** Lists the images among the given files, and in the folders among them. */
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

/** Returns sentences about the images that stay as they are. */
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

/** Result of a task for each of some files. */
interface Outcome<Done = unknown> {
	/** Results of the task. */
	readonly done: readonly Done[];
	/** Files that stay as they are, each with the error. */
	readonly failed: readonly { readonly file: string; readonly error: unknown }[];
}

/** Number of files that take too little time for a progress. */
const fewFiles = 20;

/** Most of the time goes by until a disk says that it has what it was given. */
const concurrency = 8;

/**
 * Runs a task for each file, some of them side by side; of many it says how far it is, and can be
 * cancelled.
 *
 * @param cancellable true if it may be left half done
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
