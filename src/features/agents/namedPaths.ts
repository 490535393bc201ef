import path, { posix } from 'node:path';
import * as vscode from 'vscode';
import { asUri } from '../../asking/argument.js';
import { pathsInSite, sitesFor } from '../../documents/sites.js';
import { findSites } from '../../editor/documentSites.js';
import {
	assertImageFolder,
	assertInside,
	OutsideWorkspaceError,
	uriExists,
} from '../../editor/files.js';
import { readSetting, settingOr } from '../../editor/settings.js';
import { remotePath, withHome } from '../../files/namedFolder.js';
import type { NamedPath } from '../../protocol/agentArguments.js';
import { folderOfName, inWorkspace, rootFolder, type CallPlace } from './paths.js';

/** Meaning of a path of a call. */
export type PathMeaning =
	| { readonly type: 'found'; readonly uri: vscode.Uri }
	| { readonly type: 'missing'; readonly uri: vscode.Uri }
	| { readonly type: 'outside' }
	/** An address of the web, the content of a file, or a target that is neither a PNG nor a folder. */
	| { readonly type: 'notAPath' }
	/** Nothing goes there, in the words that the user reads. */
	| { readonly type: 'refused'; readonly reason: string };

/**
 * Finds what a path of a call means: one of many forms is understood where only one place comes into
 * question. Files that exist decide between two.
 *
 * @param document the one that gets the link; paths with a leading `/` are those of its site
 */
export async function placeMeantBy(
	{ text, kind }: Pick<NamedPath, 'text' | 'kind'>,
	place: CallPlace,
	document?: vscode.Uri,
): Promise<PathMeaning> {
	if (/^(?:data|blob|https?):/i.test(text) || text.includes('\0')) {
		return { type: 'notAPath' };
	}
	const isTarget = kind === 'target';
	const named = await locate(text, isTarget, place, document);
	const uri = named && (await inWorkspace(named));
	const folder = uri && vscode.workspace.getWorkspaceFolder(uri)?.uri;
	if (uri === undefined || folder === undefined) {
		return { type: 'outside' };
	}
	try {
		await assertInside(folder, uri);
		return isTarget ? await targetAt(uri, folder) : { type: await stateOf(uri), uri };
	} catch (error) {
		if (error instanceof OutsideWorkspaceError) {
			return { type: 'refused', reason: error.message };
		}
		throw error;
	}
}

/** A place that cannot be looked at counts as none; the walls say why. */
async function exists(uri: vscode.Uri): Promise<boolean> {
	return uriExists(uri).catch(() => false);
}

async function stateOf(uri: vscode.Uri): Promise<'found' | 'missing'> {
	return (await exists(uri)) ? 'found' : 'missing';
}

/** Returns a place for a new image: a PNG, or a folder, which ends with `/`. */
async function targetAt(uri: vscode.Uri, root: vscode.Uri): Promise<PathMeaning> {
	const isFolder = uri.path.endsWith('/') || (await isDirectory(uri));
	const folder = isFolder ? uri : vscode.Uri.joinPath(uri, '..');
	await assertImageFolder(root, folder);
	if (!isFolder && !/[^/]\.png$/i.test(uri.path)) {
		return { type: 'notAPath' };
	}
	const whole = isFolder ? uri.with({ path: posix.join(uri.path, '/') }) : uri;
	return { type: await stateOf(uri), uri: whole };
}

async function isDirectory(uri: vscode.Uri): Promise<boolean> {
	try {
		return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.Directory;
	} catch {
		return false;
	}
}

/** Returns the place that a text names, wherever it is; `undefined` for one on another machine. */
async function locate(
	text: string,
	isTarget: boolean,
	place: CallPlace,
	document: vscode.Uri | undefined,
): Promise<vscode.Uri | undefined> {
	const start = place.base ?? place.root ?? rootFolder();
	const address = asUri(text);
	if (address !== undefined) {
		return ofAddress(address);
	}
	const plain = withHome(text);
	if (path.isAbsolute(plain)) {
		const uri = vscode.Uri.file(plain);
		const isReal = (await inWorkspace(uri)) !== undefined || (await isPresent(uri, isTarget));
		return isReal ? uri : ((await onSite(plain, isTarget, start, document)) ?? uri);
	}
	// A drive of another system.
	if (/^[a-z]:[/\\]/i.test(plain)) {
		return undefined;
	}
	const form = posix.normalize(plain.replaceAll('\\', '/'));
	const [first = '', ...rest] = form.split('/');
	if (/^@./.test(form) && !(await exists(vscode.Uri.joinPath(start, first)))) {
		return locate(form.slice(1), isTarget, place, document);
	}
	const ofName = folderOfName(first);
	const isOneOfMany = (vscode.workspace.workspaceFolders ?? []).length > 1;
	const isNamed =
		ofName !== undefined && (isOneOfMany || !(await exists(vscode.Uri.joinPath(start, first))));
	const own = await below(start, form);
	const inFolder = isNamed ? await below(ofName, rest.join('/')) : undefined;
	const atFirst =
		isTarget || place.base === undefined ? undefined : await below(rootFolder(), form);
	// Where paths start at the first folder, Easel itself names the others so.
	const all = place.base === undefined ? [inFolder, own] : [own, inFolder, atFirst];
	for (const uri of all) {
		if (uri !== undefined && (await exists(uri))) {
			return uri;
		}
	}
	return inFolder ?? own;
}

/** Returns the place of an address on this machine. */
function ofAddress(address: vscode.Uri): vscode.Uri | undefined {
	const uri = address.with({ query: '', fragment: '' });
	const schemes = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.scheme);
	if (uri.scheme === 'vscode-remote' && !schemes.includes(uri.scheme)) {
		const { remoteName } = vscode.env;
		const local = remoteName === undefined ? undefined : remotePath(address.toString(), remoteName);
		return local === undefined ? undefined : vscode.Uri.file(local);
	}
	return uri.authority === 'localhost' ? uri.with({ authority: '' }) : uri;
}

/** Returns a path below a folder; its names are decoded where they exist only so. */
async function below(folder: vscode.Uri, form: string): Promise<vscode.Uri> {
	let at = folder;
	for (const name of form.split('/').filter((one) => one !== '')) {
		const literal = vscode.Uri.joinPath(at, name);
		const isEncoded = /%[\da-f]{2}/i.test(name) && !(await exists(literal));
		at = isEncoded ? vscode.Uri.joinPath(at, decoded(name)) : literal;
	}
	return form.endsWith('/') ? at.with({ path: posix.join(at.path, '/') }) : at;
}

function decoded(name: string): string {
	try {
		const plain = decodeURIComponent(name);
		return plain.includes('\0') ? name : plain;
	} catch {
		return name;
	}
}

/** Returns whether a file exists; for a new one, whether its folder does, which is not the system's own root. */
async function isPresent(uri: vscode.Uri, isTarget: boolean): Promise<boolean> {
	const folder = uri.path.endsWith('/') ? uri : vscode.Uri.joinPath(uri, '..');
	return exists(isTarget && folder.path !== '/' ? folder : uri);
}

/** Returns the file that a site serves at a path with a leading `/`, or the workspace has there. */
async function onSite(
	text: string,
	isTarget: boolean,
	start: vscode.Uri,
	document: vscode.Uri | undefined,
): Promise<vscode.Uri | undefined> {
	const page = document ?? vscode.Uri.joinPath(start, 'index.md');
	const folder = vscode.workspace.getWorkspaceFolder(page)?.uri;
	if (page.scheme !== 'file' || folder === undefined) {
		return undefined;
	}
	const publicFolder = settingOr(() => readSetting('documents.publicFolder', page)) ?? '';
	const sites = sitesFor(folder.fsPath, publicFolder, await findSites(page), path);
	const served = sites.flatMap((site) => pathsInSite(text, document?.fsPath, site, path));
	for (const file of [...served, path.join(folder.fsPath, text)]) {
		const uri = vscode.Uri.file(file);
		if (await isPresent(uri, isTarget)) {
			return uri;
		}
	}
	return undefined;
}
