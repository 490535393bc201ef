import * as vscode from 'vscode';
import { collectMissingImages, type Collection } from '../../documents/missing/collect.js';
import { decideMissing } from '../../documents/missing/decide.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { fileOfDocument } from '../../editor/documentImages.js';
import { documentReader, readerScript } from '../../editor/documentReader.js';
import { runCommand } from '../../editor/commands.js';
import { log } from '../../log.js';
import { runDetached, notify } from '../../editor/messages.js';
import { excludeSettings } from '../../editor/searchExcludes.js';
import { readSetting } from '../../editor/settings.js';
import { searchWithProgress } from '../../editor/searchWithProgress.js';
import { title } from './ask.js';
import { missingMessages } from '../messages.js';
import { commandTitles } from '../../editor/commandTable.js';

/**
 * Collects the images that are missing below these folders and documents. Tells where there are none,
 * and what could not be looked at.
 *
 * @returns `undefined` where the user cancelled
 * @throws {SettingError} where it cannot be told where the images of a site lie
 */
export async function collect(
	roots: readonly vscode.Uri[],
): Promise<readonly MissingImage[] | undefined> {
	const scanRoots = roots.map((uri) => ({
		path: uri.fsPath,
		workspaceFolder: vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath,
		publicFolder: readSetting('documents.publicFolder', uri),
		exclude: excludeSettings(uri),
	}));
	const collection = await searchWithProgress(title, missingMessages.searchFor, (tell, signal) =>
		collectMissingImages(readerScript(), scanRoots, {
			folders: foldersOnDisk(),
			signal,
			onProgress: ({ documents, images }) => {
				tell(missingMessages.found(documents, images));
			},
		}),
	);
	if (collection === undefined) {
		return undefined;
	}
	tell(collection);
	return collection.images;
}

function tell({ images, documents, problems, complete }: Collection): void {
	for (const { path, code } of problems) {
		log.warn(`Not searched for missing images: ${path} (${code})`);
	}
	const notes = [
		...(images.length > 0
			? []
			: documents === 0
				? [missingMessages.noDocuments]
				: [missingMessages.noneMissing(documents)]),
		...(problems.length > 0 ? [missingMessages.unreadableFiles(problems.length)] : []),
		...(complete ? [] : [missingMessages.incomplete]),
	];
	if (notes.length > 0) {
		const showLog = {
			label: commandTitles['easel.showLog'],
			run: () => runCommand('easel.showLog'),
		};
		const [severity, buttons] =
			problems.length > 0 ? (['warning', [showLog]] as const) : (['info', []] as const);
		runDetached(notify(severity, notes.join(' '), buttons));
	}
}

/**
 * The missing images of a document as it stands in the editor, saved or not.
 *
 * @param isWanted of those: the workspace is searched for files that they may mean
 * @throws {SettingError} where it cannot be told where the images of a site lie
 */
export async function missingInDocument(
	document: vscode.TextDocument,
	isWanted: (image: MissingImage) => boolean,
): Promise<readonly MissingImage[]> {
	const uri = fileOfDocument(document.uri);
	if (uri.scheme !== 'file') {
		return [];
	}
	const workspaceFolder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
	const images = await documentReader().read('missing', {
		text: document.getText(),
		document: uri.fsPath,
		workspaceFolder,
		publicFolder: readSetting('documents.publicFolder', uri),
	});
	return decideMissing(images.filter(isWanted), foldersOnDisk(), documentReader());
}

function foldersOnDisk(): string[] {
	return (vscode.workspace.workspaceFolders ?? [])
		.filter(({ uri }) => uri.scheme === 'file')
		.map(({ uri }) => uri.fsPath);
}
