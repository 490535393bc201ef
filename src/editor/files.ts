import { link, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { candidateNames } from '../images/fileName.js';

/** An image cannot be put where it belongs. The message names the place and the reason. */
export class SaveError extends Error {
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
 * Copies a file into a folder under a free name: `name`, else `name-1`, `name-2`, …. Nothing is
 * ever written over, and there is no moment in which the name holds half a file. "Free" means
 * that the file system itself refused to create a second one, so two windows cannot collide.
 *
 * @param source a file of our own storage; it stays where it is
 * @throws {SaveError} where the folder cannot be written
 */
export async function saveUnderFreeName(
	source: vscode.Uri,
	folder: vscode.Uri,
	name: string,
): Promise<vscode.Uri> {
	try {
		await vscode.workspace.fs.createDirectory(folder);
		return (
			(await linkUnderFreeName(source, folder, name)) ??
			(await copyUnderFreeName(source, folder, name))
		);
	} catch (error) {
		throw new SaveError(
			vscode.Uri.joinPath(folder, name),
			`The image cannot be saved in ${folderLabel(folder)}: ${reason(error)}`,
			error,
		);
	}
}

/**
 * Finds the file that an interrupted {@link saveUnderFreeName} has made of the same source: the one
 * that is the source under another name, or on another disk, the one with the same bytes.
 *
 * @param byBytes whether saving had begun; without that, equal bytes are another image's
 */
export async function findSaved(
	source: vscode.Uri,
	folder: vscode.Uri,
	name: string,
	byBytes: boolean,
): Promise<vscode.Uri | undefined> {
	const own = await stat(source.fsPath, { bigint: true });
	for (const candidate of candidateNames(name)) {
		const target = vscode.Uri.joinPath(folder, candidate);
		let size: number;
		try {
			({ size } = await vscode.workspace.fs.stat(target));
		} catch {
			return undefined;
		}
		if (target.scheme === 'file') {
			const other = await stat(target.fsPath, { bigint: true });
			if (own.dev === other.dev) {
				if (own.ino === other.ino) {
					return target;
				}
				continue;
			}
		}
		if (byBytes && BigInt(size) === own.size && (await haveSameBytes(source, target))) {
			return target;
		}
	}
	return undefined;
}

/**
 * Copies a file to exactly this place, which the user has chosen and confirmed.
 *
 * @throws {SaveError} where it cannot be written
 */
export async function saveAs(source: vscode.Uri, target: vscode.Uri): Promise<vscode.Uri> {
	try {
		await vscode.workspace.fs.copy(source, target, { overwrite: true });
		return target;
	} catch (error) {
		throw new SaveError(
			target,
			`The image cannot be saved as ${vscode.workspace.asRelativePath(target)}: ${reason(error)}`,
			error,
		);
	}
}

/**
 * Gives the file a second name in the folder: a hard link is the one way to name a whole file that
 * fails if the name exists, and costs no bytes. `undefined` where the folder lies on another disk,
 * on a file system without links (FAT, some network shares), or is not on this machine's disks.
 */
async function linkUnderFreeName(
	source: vscode.Uri,
	folder: vscode.Uri,
	name: string,
): Promise<vscode.Uri | undefined> {
	if (source.scheme !== 'file' || folder.scheme !== 'file') {
		return undefined;
	}
	for (const candidate of candidateNames(name)) {
		const target = vscode.Uri.joinPath(folder, candidate);
		try {
			await link(source.fsPath, target.fsPath);
			return target;
		} catch (error) {
			if (errorCode(error) !== 'EEXIST') {
				return undefined;
			}
		}
	}
	return undefined;
}

/** Copies the file: to a hidden name first, so that only a whole file gets the one people see. */
async function copyUnderFreeName(
	source: vscode.Uri,
	folder: vscode.Uri,
	name: string,
): Promise<vscode.Uri> {
	const part = vscode.Uri.joinPath(folder, `.easel-${crypto.randomUUID()}.part`);
	try {
		await vscode.workspace.fs.copy(source, part, { overwrite: false });
		const linked = await linkUnderFreeName(part, folder, name);
		if (linked !== undefined) {
			return linked;
		}
		for (const candidate of candidateNames(name)) {
			const target = vscode.Uri.joinPath(folder, candidate);
			try {
				await vscode.workspace.fs.rename(part, target, { overwrite: false });
				return target;
			} catch (error) {
				if (errorCode(error) !== 'FileExists') {
					throw error;
				}
			}
		}
		throw new Error('there is no free name');
	} finally {
		await removeQuietly(part);
	}
}

async function haveSameBytes(one: vscode.Uri, other: vscode.Uri): Promise<boolean> {
	const [first, second] = await Promise.all(
		[one, other].map((uri) => vscode.workspace.fs.readFile(uri)),
	);
	return first !== undefined && second !== undefined && Buffer.from(first).equals(second);
}

/** Removes a file of our own; that it is gone already, or cannot be removed, is no news. */
export async function removeQuietly(uri: vscode.Uri): Promise<void> {
	try {
		await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: false });
	} catch {
		// Nothing to remove.
	}
}

/** The path leaves the workspace folder, or is none. The message says so. */
export class OutsideWorkspaceError extends Error {
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
	if (normal.startsWith('/') || /^[a-z]:/i.test(normal) || normal.split('/').includes('..')) {
		throw new OutsideWorkspaceError(
			`“${relative}” does not lie within the workspace folder. Give a path relative to it.`,
		);
	}
	const target = vscode.Uri.joinPath(root, normal);
	await assertInside(root, target);
	return target;
}

/** Throws {@link OutsideWorkspaceError} where the target does not lie within the root. */
export async function assertInside(root: vscode.Uri, target: vscode.Uri): Promise<void> {
	const same = root.scheme === target.scheme && root.authority === target.authority;
	let inside = same && isBelow(root.path, target.path, path.posix);
	if (inside && root.scheme === 'file') {
		inside = isBelow(await realpath(root.fsPath), await realPathOf(target.fsPath), path);
	}
	if (!inside) {
		throw new OutsideWorkspaceError(
			`${vscode.workspace.asRelativePath(target)} does not lie within the workspace folder.`,
		);
	}
}

function isBelow(root: string, target: string, flavor: path.PlatformPath): boolean {
	const relative = flavor.relative(root, target);
	return (
		relative !== '..' && !relative.startsWith(`..${flavor.sep}`) && !flavor.isAbsolute(relative)
	);
}

/** The real path of the deepest folder that exists, with the rest as it is. */
async function realPathOf(target: string): Promise<string> {
	try {
		return await realpath(target);
	} catch (error) {
		const parent = path.dirname(target);
		if (errorCode(error) !== 'ENOENT' || parent === target) {
			throw error;
		}
		return path.join(await realPathOf(parent), path.basename(target));
	}
}

/** How a person knows a folder: relative to the workspace where it can be. */
export function folderLabel(folder: vscode.Uri): string {
	const relative = vscode.workspace.asRelativePath(folder);
	return relative === '' || relative === folder.fsPath ? folder.fsPath : `${relative}/`;
}

function errorCode(error: unknown): string {
	const code = (error as { code?: unknown } | null)?.code;
	return typeof code === 'string' ? code : '';
}

/** What a failure of `workspace.fs` means; its own messages are written for programmers. */
function reason(error: unknown): string {
	const code = errorCode(error);
	const text = error instanceof Error ? error.message : String(error);
	if (/ENOSPC|EDQUOT|no space/i.test(`${code} ${text}`)) {
		return 'there is no space left on the disk.';
	}
	if (/EROFS|read-?only/i.test(`${code} ${text}`)) {
		return 'the file system is read-only.';
	}
	if (code === 'NoPermissions' || /EACCES|EPERM/.test(`${code} ${text}`)) {
		return 'the folder is not writable.';
	}
	if (code === 'FileNotADirectory' || code === 'FileExists' || /ENOTDIR|EEXIST/.test(text)) {
		return 'a file has the name of the folder.';
	}
	if (code === 'FileNotFound') {
		return 'the folder does not exist and cannot be created.';
	}
	return text;
}
