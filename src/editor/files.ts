import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { WordedError, wordsOf } from './errorTexts.js';
import { replaceFile } from '../files/copyFlushed.js';
import {
	checkInside,
	checkPlace,
	checkUnmanaged,
	isBelow,
	isManaged,
	PlaceError,
} from '../files/containment.js';
import { retryTransient } from '../files/retryTransient.js';
import { codeOf, isNotFound } from '../files/fsErrors.js';
import { safeText, sentence } from './untrustedText.js';
import { texts } from './texts.js';

/** An image cannot be put where it belongs. The message names the place and the reason. */
export class SaveError extends WordedError {
	override readonly name = 'SaveError';

	constructor(
		readonly target: vscode.Uri,
		message: string,
		cause?: unknown,
	) {
		super(message, { cause });
	}
}

/**
 * Copies a file to the place that the user has confirmed, on a disk of this machine flushed. A file
 * that is there is not removed before the new one is whole.
 *
 * @param what is copied, for the message of a failure
 * @throws {SaveError} where it cannot be written
 */
export async function saveAs(
	source: vscode.Uri,
	target: vscode.Uri,
	what = texts.theImage,
): Promise<vscode.Uri> {
	try {
		if (target.scheme !== 'file') {
			await replaceVirtual(source, target);
		} else if (source.scheme === 'file') {
			await replaceFile(source.fsPath, target.fsPath);
		} else {
			await replaceFile(await vscode.workspace.fs.readFile(source), target.fsPath);
		}
		return target;
	} catch (error) {
		throw new SaveError(
			target,
			texts.cannotSaveAs(what, vscode.workspace.asRelativePath(target), refusalWords(error)),
			error,
		);
	}
}

/**
 * Replaces a file of a virtual file system. VS Code itself removes the old one before it copies, and
 * before it renames over it; here it has another name until the new one is in its place.
 */
async function replaceVirtual(source: vscode.Uri, target: vscode.Uri): Promise<void> {
	const { fs } = vscode.workspace;
	const { name, ext } = path.posix.parse(target.path);
	const part = vscode.Uri.joinPath(target, '..', `.easel-${randomUUID()}.part`);
	const old = vscode.Uri.joinPath(target, '..', `${name}-${randomBytes(4).toString('hex')}${ext}`);
	const isReplaced = await uriExists(target);
	try {
		await fs.copy(source, part, { overwrite: false });
		if (isReplaced) {
			await fs.rename(target, old, { overwrite: false });
		}
		await fs.rename(part, target, { overwrite: false });
	} catch (error) {
		if (isReplaced) {
			// Where it has its name still, or cannot get it back, nothing of it is lost.
			await Promise.resolve(fs.rename(old, target, { overwrite: false })).catch(() => undefined);
		}
		await removeQuietly(part);
		throw error;
	}
	if (isReplaced) {
		await removeQuietly(old);
	}
}

/** The scheme of {@link unknownImage}, of no file system. */
const unknownScheme = 'easel-elsewhere';

/**
 * Returns what stands for an image that a file names and that is not among those of this workspace:
 * what a stranger names is not looked for anywhere else.
 */
export function unknownImage(name: string): vscode.Uri {
	return vscode.Uri.from({ scheme: unknownScheme, path: `/${name}` });
}

export function isUnknownImage(uri: vscode.Uri): boolean {
	return uri.scheme === unknownScheme;
}

/** Returns whether there is a file or folder. @throws the system's error where that is not known */
export async function uriExists(uri: vscode.Uri): Promise<boolean> {
	if (isUnknownImage(uri)) {
		return false;
	}
	try {
		await retryTransient(async () => vscode.workspace.fs.stat(uri));
		return true;
	} catch (error) {
		if (isNotFound(error)) {
			return false;
		}
		throw error;
	}
}

/** Returns whether a file may exist: one that cannot be looked at now may well. */
export function mayExist(uri: vscode.Uri): Promise<boolean> {
	return uriExists(uri).catch(() => true);
}

/** Removes a file of our own; that it is gone already, or cannot be removed, is no news. */
export async function removeQuietly(uri: vscode.Uri): Promise<void> {
	try {
		await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: false });
	} catch {
		// Nothing to remove.
	}
}

/** The path leaves the workspace folder, or is no place for an image. The message says so. */
export class OutsideWorkspaceError extends WordedError {
	override readonly name = 'OutsideWorkspaceError';
}

/**
 * Resolves a path within a workspace folder.
 *
 * @param relative `/` and `\` both separate, so that settings work on every system
 * @throws {OutsideWorkspaceError} where it is absolute or leads out, symbolic links included
 */
export async function resolveInside(root: vscode.Uri, relative: string): Promise<vscode.Uri> {
	const normal = path.posix.normalize(relative.trim().replaceAll('\\', '/') || '.');
	// A drive, or an address: `https://` has one slash less by now.
	if (
		normal.startsWith('/') ||
		/^(?:[a-z]|[a-z][a-z\d+.-]+(?=:\/)):/i.test(normal) ||
		normal.split('/').includes('..')
	) {
		throw new OutsideWorkspaceError(texts.notRelative(relative));
	}
	const target = vscode.Uri.joinPath(root, normal);
	await assertInside(root, target);
	return target;
}

/**
 * Checks that something lies within a workspace folder, whether or not it exists.
 *
 * @throws {OutsideWorkspaceError} where it does not, symbolic links included
 */
export async function assertInside(root: vscode.Uri, target: vscode.Uri): Promise<void> {
	if (root.scheme !== target.scheme || root.authority !== target.authority) {
		throw outside(target);
	}
	if (root.scheme === 'file') {
		await asWords(target, checkInside(root.fsPath, target.fsPath));
	} else if (!isBelow(root.path, target.path, 'linux')) {
		throw outside(target);
	}
}

/**
 * Checks wholly where a file will go, before anything is spent on it.
 *
 * @param root the folder that it must not leave; `undefined` where it may go anywhere
 * @throws {OutsideWorkspaceError} where it cannot go there
 */
export async function assertPlace(
	root: vscode.Uri | undefined,
	folder: vscode.Uri,
	name: string,
): Promise<void> {
	if (folder.scheme === 'file' && (root?.scheme ?? 'file') === 'file') {
		await asWords(folder, checkPlace(root?.fsPath, folder.fsPath, name));
	} else if (root !== undefined) {
		await assertInside(root, folder);
	}
}

/**
 * Checks that images may go to a folder: that its content does not belong to other programs.
 *
 * @param root the workspace folder that it lies in, if any; the folders around that do not count
 * @throws {OutsideWorkspaceError} where it does
 */
export async function assertImageFolder(
	root: vscode.Uri | undefined,
	folder: vscode.Uri,
): Promise<void> {
	const base = root ?? vscode.workspace.getWorkspaceFolder(folder)?.uri;
	if (folder.scheme === 'file' && (base?.scheme ?? 'file') === 'file') {
		await asWords(folder, checkUnmanaged(base?.fsPath, folder.fsPath));
	} else if (isManaged(path.posix.relative(base?.path ?? '/', folder.path))) {
		throw new OutsideWorkspaceError(texts.managedFolder(vscode.workspace.asRelativePath(folder)));
	}
}

async function asWords(target: vscode.Uri, check: Promise<void>): Promise<void> {
	try {
		await check;
	} catch (error) {
		if (!(error instanceof PlaceError)) {
			throw new OutsideWorkspaceError(
				texts.unreadable(
					vscode.workspace.asRelativePath(target),
					codeOf(error) || texts.unknownError,
				),
				{ cause: error },
			);
		}
		throw error.problem === 'outside'
			? outside(target)
			: new OutsideWorkspaceError(placeWords(error), { cause: error });
	}
}

function outside(target: vscode.Uri): OutsideWorkspaceError {
	return new OutsideWorkspaceError(texts.outside(vscode.workspace.asRelativePath(target)));
}

function placeWords({ problem, place }: PlaceError): string {
	const name = vscode.workspace.asRelativePath(vscode.Uri.file(place));
	switch (problem) {
		case 'notAFolder':
			return texts.notAFolder(name);
		case 'brokenLink':
			return texts.brokenLink(name);
		case 'circle':
			return texts.circularLink(name);
		case 'notWritable':
			return texts.notWritable(name);
		case 'managed':
			return texts.managedFolder(name);
		case 'notAName':
			return texts.badName(name);
		case 'tooLong':
		case 'outside':
			return texts.tooLong(name);
	}
}

/** Names a folder: relative to the workspace where it can be. */
export function folderLabel(folder: vscode.Uri): string {
	const relative = vscode.workspace.asRelativePath(folder);
	return relative === '' || relative === folder.fsPath ? folder.fsPath : `${relative}/`;
}

/** Meanings of refusals to write, by their code and message. */
const refusals: readonly (readonly [pattern: RegExp, words: string])[] = [
	[/ENOSPC|EDQUOT|no space/i, texts.diskFull],
	[/EROFS|read-?only/i, texts.readOnly],
	[/^NoPermissions |EACCES|EPERM/, texts.folderNotWritable],
	[/^(?:FileNotADirectory|FileExists) |ENOTDIR|EEXIST/, texts.fileWithName],
	[/^FileNotFound /, texts.noFolder],
];

/** Says what a refusal to write means; the messages of file systems are written for programmers. */
export function refusalWords(error: unknown): string {
	const text = wordsOf(error);
	const all = `${codeOf(error)} ${text}`;
	return refusals.find(([pattern]) => pattern.test(all))?.[1] ?? text;
}

/** The same as a sentence of its own, fit to be shown. */
export function refusalSentence(error: unknown): string {
	const words = sentence(safeText(refusalWords(error)));
	// Words of ours only: what begins with a file's name keeps its letters.
	return words.replace(/^(?:there|the|a) /, (word) => word[0]!.toUpperCase() + word.slice(1));
}
