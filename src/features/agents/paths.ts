import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { WordedError } from '../../editor/errorTexts.js';
import { isBelow } from '../../files/containment.js';
import { namedFolder } from '../../files/namedFolder.js';
import { asUri } from '../../asking/argument.js';
import { agentMessages } from '../messages.js';

/** A call that is not carried out; nothing was bought. The message says what to do. */
export class AgentError extends WordedError {
	override readonly name = 'AgentError';
}

/** Returns the workspace folder that calls are for which come from none. @throws {AgentError} */
export function rootFolder(): vscode.Uri {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	if (folder === undefined) {
		throw new AgentError(agentMessages.noFolder);
	}
	return folder.uri;
}

/** Returns the folders that the keys of a call count in: paths, and URIs of those on no disk. */
export function callFolders(): string[] {
	return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
		uri.scheme === 'file' ? uri.fsPath : uri.toString(),
	);
}

/** Place that a call comes from. */
export interface CallPlace {
	/** The workspace folder that it is for; `undefined` where none is open. */
	readonly root: vscode.Uri | undefined;
	/** Folder that its paths are relative to; `undefined` where that is the first workspace folder. */
	readonly base: vscode.Uri | undefined;
}

/**
 * Finds the place of a call in this window.
 *
 * @param folder that of the caller, absolute
 * @param named workspace that the call names: a path, relative to the first folder, or the name of a
 *   workspace folder
 * @throws {AgentError} where no folder of this window has the named one
 */
export async function findPlace(
	folder: string | undefined,
	named: string | undefined,
): Promise<CallPlace> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const [first] = folders;
	const wanted = folder ?? (named && namedFolder(named, first?.uri.fsPath ?? ''));
	const real = wanted && (await realpath(wanted).catch(() => undefined));
	const ofName = real === undefined && named !== undefined ? folderOfName(named) : undefined;
	const target = ofName?.fsPath ?? real ?? (named === undefined ? wanted : undefined);
	const deepest = target === undefined ? undefined : await folderAround(target);
	if (deepest === undefined) {
		if (named !== undefined) {
			const open = folders.map(({ uri }) => uri.fsPath);
			throw new AgentError(agentMessages.otherWorkspace(wanted ?? named, open));
		}
		return { root: first?.uri, base: undefined };
	}
	const { root } = deepest;
	const way = path.relative(deepest.real, target!);
	const isFirst = way === '' && root.toString() === first?.uri.toString();
	return { root, base: isFirst ? undefined : vscode.Uri.joinPath(root, way) };
}

/** Returns the workspace folder of a name: its own, or the one that it has in VS Code. */
export function folderOfName(wanted: string): vscode.Uri | undefined {
	return vscode.workspace.workspaceFolders?.find(
		({ name, uri }) => name === wanted || path.posix.basename(uri.path) === wanted,
	)?.uri;
}

/** Returns the innermost workspace folder around a path, both without links. */
async function folderAround(
	target: string,
): Promise<{ readonly root: vscode.Uri; readonly real: string } | undefined> {
	let deepest: { readonly root: vscode.Uri; readonly real: string } | undefined;
	for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
		const real = uri.scheme === 'file' && (await realpath(uri.fsPath).catch(() => uri.fsPath));
		const isAround = real !== false && isBelow(real, target, process.platform);
		if (isAround && real.length > (deepest?.real.length ?? -1)) {
			deepest = { root: uri, real };
		}
	}
	return deepest;
}

/** Returns a place as a workspace folder has it, also where that is open by a link; `undefined` outside of all. */
export async function inWorkspace(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
	if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
		return uri;
	}
	const around = uri.scheme === 'file' ? await folderAround(uri.fsPath) : undefined;
	const way = around && path.posix.relative(vscode.Uri.file(around.real).path, uri.path);
	const end = uri.path.endsWith('/') ? '/' : '';
	return around && vscode.Uri.joinPath(around.root, `${way!}${end}`);
}

/** Returns a place as resolved arguments have it: a path of a disk, else a URI. */
export function textOfPlace(uri: vscode.Uri): string {
	return uri.scheme === 'file' ? uri.fsPath : uri.toString();
}

/** Returns the place of a path of resolved arguments. */
export function placeOfText(text: string): vscode.Uri {
	return asUri(text) ?? vscode.Uri.file(text);
}

/** Returns the path of a file as agents name it, which calls take back. */
export function pathFor(uri: vscode.Uri, base?: vscode.Uri): string {
	if (base === undefined) {
		return vscode.workspace.asRelativePath(uri);
	}
	const way = path.posix.relative(base.path, uri.path);
	return uri.scheme !== base.scheme || way.startsWith('../') || way === '' ? uri.fsPath : way;
}
