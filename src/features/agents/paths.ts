import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { WordedError } from '../../editor/errorTexts.js';
import { isBelow } from '../../files/containment.js';
import { exists } from '../../files/exists.js';
import { asUri, resolveField } from '../../generation/argument.js';
import type { Operation } from '../../jobs/request.js';
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
 * @param named workspace that the call names; absolute, or relative to the first folder
 * @throws {AgentError} where no folder of this window has the named one
 */
export async function findPlace(
	folder: string | undefined,
	named: string | undefined,
): Promise<CallPlace> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const [first] = folders;
	const wanted = folder ?? (named && path.resolve(first?.uri.fsPath ?? '', named));
	const target = wanted && (await realpath(wanted).catch(() => wanted));
	let deepest: { readonly root: vscode.Uri; readonly real: string } | undefined;
	for (const { uri } of target ? folders.filter((one) => one.uri.scheme === 'file') : []) {
		const real = await realpath(uri.fsPath).catch(() => uri.fsPath);
		const isAround = isBelow(real, target!, process.platform);
		if (isAround && real.length > (deepest?.real.length ?? -1)) {
			deepest = { root: uri, real };
		}
	}
	if (deepest === undefined) {
		if (named !== undefined) {
			const open = folders.map(({ uri }) => uri.fsPath);
			throw new AgentError(agentMessages.otherWorkspace(wanted ?? named, open));
		}
		return { root: first?.uri, base: undefined };
	}
	const { root, real } = deepest;
	const way = path.relative(real, target!);
	const isFirst = way === '' && root.toString() === first?.uri.toString();
	return { root, base: isFirst ? undefined : vscode.Uri.joinPath(root, way) };
}

/**
 * Makes the relative paths of a call absolute where they do not begin at the first workspace folder.
 * Files that exist only from there are found there: Easel names them so.
 */
export async function withAbsolutePaths(input: unknown, { base }: CallPlace): Promise<unknown> {
	if (base === undefined || typeof input !== 'object' || input === null) {
		return input;
	}
	const args: Readonly<Record<string, unknown>> = { ...input };
	const absolute = async (value: unknown, isNew = false) => {
		if (typeof value !== 'string' || value === '' || path.isAbsolute(value) || asUri(value)) {
			return value;
		}
		const file = path.join(base.fsPath, value);
		const isThere = (one: string) => exists(one).catch(() => false);
		if (await isThere(file)) {
			return file;
		}
		const named = namedPlace(value);
		if (typeof named !== 'string') {
			// What it ends with says whether it is a folder.
			return `${named.fsPath}${/[^/\\]([/\\])$/.exec(value)?.[1] ?? ''}`;
		}
		const other = path.join(rootFolder().fsPath, named);
		return !isNew && (await isThere(other)) ? other : file;
	};
	const { references, insert_into: place } = args;
	const isObject = typeof place === 'object' && place !== null && 'document' in place;
	const changed = {
		image: await absolute(args['image']),
		path: await absolute(args['path']),
		folder: await absolute(args['folder']),
		target: await absolute(args['target'], true),
		references: Array.isArray(references)
			? await Promise.all(references.map((one) => absolute(one)))
			: references,
		insert_into: isObject ? { ...place, document: await absolute(place.document) } : place,
	};
	const given = Object.entries(changed).filter(([name]) => Object.hasOwn(args, name));
	return { ...args, ...Object.fromEntries(given) };
}

/**
 * Returns the place that an agent names: by the text of a URI, or by a path, absolute or relative to the
 * workspace folder. Where several are open, it begins with the name of one, else it is relative to the
 * first. A path is returned, and not a URI, where it is relative to the first.
 */
export function namedPlace(text: string): vscode.Uri | string {
	const uri = asUri(text);
	if (uri !== undefined || path.isAbsolute(text)) {
		return uri ?? vscode.Uri.file(text);
	}
	const folders = vscode.workspace.workspaceFolders ?? [];
	const [name = '', ...rest] = text.split(/[/\\]/);
	const folder = folders.length > 1 ? folders.find((one) => one.name === name) : undefined;
	return folder === undefined ? text : vscode.Uri.joinPath(folder.uri, ...rest);
}

/**
 * Resolves the path of a field by the same walls as commands.
 *
 * @throws {ArgumentError} where it lies outside of the workspace
 */
export async function resolvePath(
	operation: Operation,
	field: string,
	text: string,
): Promise<vscode.Uri> {
	return (await resolveField(operation, field, namedPlace(text), rootFolder())).uri;
}

/** Returns the path of a file as agents name it: what {@link withAbsolutePaths} takes back. */
export function pathFor(uri: vscode.Uri, base?: vscode.Uri): string {
	if (base === undefined) {
		return vscode.workspace.asRelativePath(uri);
	}
	const way = path.posix.relative(base.path, uri.path);
	return uri.scheme !== base.scheme || way.startsWith('../') || way === '' ? uri.fsPath : way;
}
