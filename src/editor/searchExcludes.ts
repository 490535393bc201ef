import path from 'node:path';
import * as vscode from 'vscode';
import { DocumentReader } from '../documents/reading/reader.js';
import { search } from '../documents/reading/search.js';
import type { SearchOrder, SearchRoot } from '../documents/reading/searchOrder.js';
import { readerScript } from './documentReader.js';
import { readEditorSetting, readSetting } from './settings.js';

/** More than settings have: what a workspace brings along must not grow without a limit. */
const maxGlobs = 500;
const maxGlobLength = 1000;

/** Returns the settings that hide files of a folder from searches, fit to go into a worker. */
export function excludeSettings(
	scope?: vscode.Uri,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
	const globsOf = (name: string) =>
		Object.fromEntries(
			Object.entries(readEditorSetting(name, scope))
				.filter(([glob]) => glob.length <= maxGlobLength)
				.slice(0, maxGlobs),
		);
	const settings = {
		'files.exclude': globsOf('files.exclude'),
		'search.exclude': globsOf('search.exclude'),
	};
	// What VS Code returns are proxies, which cannot be sent to a worker.
	return JSON.parse(JSON.stringify(settings)) as typeof settings;
}

/**
 * Finds files of the workspace as the user would look for them: without what the settings
 * `files.exclude` and `search.exclude` hide, packages, and what Git keeps. A worker looks for them,
 * because the patterns of a workspace can be such that they never come to an end.
 *
 * @param extensions letters and digits, in any case
 * @param maxFiles how many are found at most, in all folders together
 * @throws {SearchStalledError} where a pattern takes too long, with its name
 */
export async function findWorkspaceFiles(
	extensions: readonly string[],
	maxFiles: number,
): Promise<vscode.Uri[]> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const reader = new DocumentReader(readerScript());
	try {
		const onDisk = folders.filter(({ uri }) => uri.scheme === 'file');
		const found = await findOnDisk(onDisk, extensions, maxFiles, reader);
		for (const folder of folders.filter(({ uri }) => uri.scheme !== 'file')) {
			found.push(...(await findElsewhere(folder, extensions, maxFiles, reader)));
		}
		// One folder may lie in another.
		const unique = new Map(found.map((uri) => [uri.toString(), uri]));
		return [...unique.values()].slice(0, maxFiles);
	} finally {
		await reader.dispose();
	}
}

async function findOnDisk(
	folders: readonly vscode.WorkspaceFolder[],
	extensions: readonly string[],
	maxFiles: number,
	reader: DocumentReader,
): Promise<vscode.Uri[]> {
	const roots = folders.map(({ uri }) => ({
		path: uri.fsPath,
		workspaceFolder: uri.fsPath,
		exclude: excludeSettings(uri),
	}));
	const found: vscode.Uri[] = [];
	// What Git ignores counts as well: images that were made belong to it often.
	const read = (order: SearchOrder) =>
		reader.read('find', { ...order, extensions, respectGitignore: false });
	for await (const { files } of search(roots, read)) {
		found.push(...files.map((file) => vscode.Uri.file(file)));
		if (found.length >= maxFiles) {
			break;
		}
	}
	return found;
}

/** In a virtual file system, whose files VS Code alone can list. */
async function findElsewhere(
	folder: vscode.WorkspaceFolder,
	extensions: readonly string[],
	maxFiles: number,
	reader: DocumentReader,
): Promise<vscode.Uri[]> {
	const anyCase = extensions.map((extension) =>
		extension.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`),
	);
	const include = new vscode.RelativePattern(folder, `**/*.{${anyCase.join(',')}}`);
	// With `null` the settings are left aside.
	const all = await vscode.workspace.findFiles(include, null, maxFiles);
	const byPath = new Map(all.map((uri) => [path.posix.relative(folder.uri.path, uri.path), uri]));
	const exclude = excludeSettings(folder.uri);
	const files = await reader.read('shown', { exclude, files: [...byPath.keys()] });
	return files.flatMap((file) => byPath.get(file) ?? []);
}

/**
 * Returns where missing images are searched for below folders and documents of local disks.
 *
 * @throws {SettingError} where it is not known where the images of a site lie
 */
export function scanRoots(uris: readonly vscode.Uri[]): SearchRoot[] {
	return uris.map((uri) => ({
		path: uri.fsPath,
		workspaceFolder: vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath,
		publicFolder: readSetting('documents.publicFolder', uri),
		exclude: excludeSettings(uri),
	}));
}

/** Returns the workspace folders on local disks, absolute. */
export function foldersOnDisk(): string[] {
	return (vscode.workspace.workspaceFolders ?? [])
		.filter(({ uri }) => uri.scheme === 'file')
		.map(({ uri }) => uri.fsPath);
}
