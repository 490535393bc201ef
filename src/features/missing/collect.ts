import * as vscode from 'vscode';
import { collectMissingImages, type Collection } from '../../documents/missing/collect.js';
import { decideMissing } from '../../documents/missing/decide.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { fileOfDocument } from '../../editor/documentImages.js';
import { documentReader, readerScript } from '../../editor/documentReader.js';
import { runCommand } from '../../editor/commands.js';
import type { Log } from '../../editor/log.js';
import { runDetached, notify } from '../../editor/messages.js';
import { excludeSettings } from '../../editor/searchExcludes.js';
import { readSetting } from '../../editor/settings.js';
import { searchWithProgress } from '../../editor/searchWithProgress.js';
import { title } from './ask.js';

/**
 * Collects the images that are missing below these folders and documents. Tells where there are none,
 * and what could not be looked at.
 *
 * @returns `undefined` where the user cancelled
 * @throws {SettingError} where it cannot be told where the images of a site lie
 */
export async function collect(
	roots: readonly vscode.Uri[],
	log: Log,
): Promise<readonly MissingImage[] | undefined> {
	const scanRoots = roots.map((uri) => ({
		path: uri.fsPath,
		workspaceFolder: vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath,
		publicFolder: readSetting('documents.publicFolder', uri),
		exclude: excludeSettings(uri),
	}));
	const collection = await searchWithProgress(title, 'missing images', (tell, signal) =>
		collectMissingImages(readerScript(), scanRoots, {
			folders: foldersOnDisk(),
			signal,
			onProgress: ({ documents, images }) => {
				tell(`${counted(documents, 'document')}, ${counted(images, 'missing image')}`);
			},
		}),
	);
	if (collection === undefined) {
		return undefined;
	}
	tell(collection, log);
	return collection.images;
}

function tell({ images, documents, problems, complete }: Collection, log: Log): void {
	for (const { path, code } of problems) {
		log.warn(`Not searched for missing images: ${path} (${code})`);
	}
	const notes = [
		...(images.length > 0
			? []
			: documents === 0
				? ['There are no Markdown documents to look through.']
				: [`No images are missing in ${counted(documents, 'Markdown document')}.`]),
		...(problems.length > 0 ? [`${counted(problems.length, 'file')} could not be read.`] : []),
		...(complete ? [] : ['There are more than can be listed; generate these first.']),
	];
	if (notes.length > 0) {
		const showLog = { label: 'Show Log', run: () => runCommand('easel.showLog') };
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

function counted(count: number, what: string): string {
	return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}
