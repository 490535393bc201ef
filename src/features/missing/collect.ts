import * as vscode from 'vscode';
import { scanDocuments, type ScanResult } from '../../documents/missing/scanDocuments.js';
import { decideMissing } from '../../documents/missing/decide.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { commandButton } from '../../editor/commands.js';
import { fileOfDocument } from '../../editor/documentImages.js';
import { documentReader, readerScript } from '../../editor/documentReader.js';
import { notify, runDetached } from '../../editor/messages.js';
import { foldersOnDisk, scanRoots } from '../../editor/searchExcludes.js';
import { searchWithProgress } from '../../editor/quickInput.js';
import { readSetting } from '../../editor/settings.js';
import { log } from '../../log.js';
import { missingMessages } from '../messages.js';

/** A missing image that cannot be generated where its document wants it. */
export type Obstructed = MissingImage & {
	readonly obstacle: NonNullable<MissingImage['obstacle']>;
};

export function isObstructed(image: MissingImage): image is Obstructed {
	return image.obstacle !== undefined;
}

/** Returns why an image cannot be generated where its document wants it. */
export function obstacleWords({ obstacle, document }: Obstructed): string {
	const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(document));
	return missingMessages.obstacle(obstacle, folder !== undefined);
}

/**
 * Collects the images that are missing below these folders and documents, and says what could not
 * be searched; `undefined` where the user cancelled.
 * @throws {SettingError} where it is not known where the images of a site lie
 */
export async function collect(
	roots: readonly vscode.Uri[],
): Promise<readonly MissingImage[] | undefined> {
	const { title, searchFor } = missingMessages;
	const collection = await searchWithProgress(title, searchFor, (show, signal) =>
		scanDocuments(readerScript(), scanRoots(roots), {
			folders: foldersOnDisk(),
			signal,
			onProgress: ({ documents, images }) => show(missingMessages.found(documents, images)),
		}),
	);
	if (collection !== undefined) {
		report(collection);
	}
	return collection?.images;
}

function report({ images, documents, problems, complete }: ScanResult): void {
	for (const { path, code } of problems) {
		log.warn(`Not searched for missing images: ${path} (${code})`);
	}
	const { noDocuments, noneMissing, unreadableFiles, incomplete } = missingMessages;
	const none = documents === 0 ? noDocuments : noneMissing(documents);
	const notes = [
		...(images.length > 0 ? [] : [none]),
		...(problems.length > 0 ? [unreadableFiles(problems.length)] : []),
		...(complete ? [] : [incomplete]),
	];
	if (notes.length > 0) {
		const words = notes.join(' ');
		runDetached(
			problems.length > 0
				? notify('warning', words, [commandButton('easel.showLog')])
				: notify('info', words),
		);
	}
}

/**
 * The missing images of a document as it stands in the editor, saved or not.
 *
 * @param isWanted of those: the workspace is searched for files that they may mean
 * @throws {SettingError} where it is not known where the images of a site lie
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
