import * as vscode from 'vscode';
import { EaselError } from '../../easelError.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { codeOf, isNotFound } from '../../files/fsErrors.js';
import { OutsideWorkspaceError, resolveInside } from '../../editor/files.js';
import { safeText } from '../../editor/untrustedText.js';
import { imageExtensions } from '../../editor/images.js';
import { runDetached, notify } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { findWorkspaceFiles } from '../../editor/searchExcludes.js';
import { readSetting, settingOr } from '../../editor/settings.js';
import { asUri } from '../../asking/argument.js';
import { folderName } from './besideStudio.js';
import { studioMessages } from '../messages.js';
import { phrases } from '../../messages.js';

/** The names of images that can be shown. */
export const shownNamePattern = /\.(?:png|jpe?g|webp|gif)$/i;
/** Number of images that are looked through for the folders that have some. */
const maxImagesRead = 20_000;

/**
 * The folder whose images are to be shown: the one that is given, of an image its own, else the one
 * that the user chooses; `undefined` where that was cancelled, or there is none.
 *
 * @throws {OutsideWorkspaceError} where it lies outside of the workspace
 */
export async function imageFolderFor(target: unknown): Promise<vscode.Uri | undefined> {
	const given = typeof target === 'string' ? await folderNamed(target) : target;
	if (!(given instanceof vscode.Uri)) {
		return askFolder();
	}
	const isImage = shownNamePattern.test(given.path) && !(await isFolder(given));
	return isImage ? vscode.Uri.joinPath(given, '..') : given;
}

async function folderNamed(name: string): Promise<vscode.Uri> {
	const root = vscode.workspace.workspaceFolders?.[0]?.uri;
	const uri = asUri(name) ?? (root && (await resolveInside(root, name)));
	if (uri === undefined) {
		throw new OutsideWorkspaceError(studioMessages.openFolder(safeText(name)));
	}
	return uri;
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
	try {
		return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
	} catch {
		return false;
	}
}

/** A folder with images, as a pick shows it. */
interface FolderItem extends vscode.QuickPickItem {
	readonly folder: vscode.Uri;
}

/** Asks for a folder of the workspace that has images; `undefined` where there is none. */
export async function askFolder(): Promise<vscode.Uri | undefined> {
	const items = await foldersWithImages();
	if (items.length === 0) {
		runDetached(notify('info', studioMessages.noFolders));
		return undefined;
	}
	const answer = await askPick<FolderItem>({
		title: studioMessages.folderTitle,
		placeholder: studioMessages.folderPlaceholder,
		items,
		matchOnDescription: true,
	});
	return answer?.type === 'value' ? answer.value.folder : undefined;
}

/** Finds the folders with images: that of the setting first, the others by their paths. */
async function foldersWithImages(): Promise<FolderItem[]> {
	const found = await findWorkspaceFiles([...imageExtensions, 'gif'], maxImagesRead);
	const counts = new Map<string, number>();
	for (const uri of found) {
		const folder = vscode.Uri.joinPath(uri, '..').toString();
		counts.set(folder, (counts.get(folder) ?? 0) + 1);
	}
	const outputs = await outputFolders();
	const items = [...counts].map(([key, count]): FolderItem => {
		const folder = vscode.Uri.parse(key, true);
		const words = phrases.images(count);
		const isOutput = outputs.has(key);
		return {
			folder,
			label: folderName(folder),
			description: isOutput ? studioMessages.outputFolder(words) : words,
			iconPath: vscode.ThemeIcon.Folder,
		};
	});
	const rank = ({ folder }: FolderItem) => (outputs.has(folder.toString()) ? 0 : 1);
	return items.sort((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label));
}

/**
 * Returns the folders that the setting names for images. One that makes no sense is reported where
 * images are made.
 */
async function outputFolders(): Promise<ReadonlySet<string>> {
	const folders = (vscode.workspace.workspaceFolders ?? []).map(async ({ uri }) => {
		const setting = settingOr(() => readSetting('output.folder', uri)) ?? '';
		return resolveInside(uri, setting).then(String, () => '');
	});
	return new Set(await Promise.all(folders));
}

/** Returns why a file or folder is not shown. */
export function unreadable(what: 'file' | 'folder', error: unknown): string {
	if (error instanceof EaselError) {
		return safeText(wordsOf(error), 1000);
	}
	return isNotFound(error)
		? studioMessages.missing[what]
		: studioMessages.unreadable[what](codeOf(error) || studioMessages.unknownError);
}
