import * as vscode from 'vscode';
import { promptLanguage } from '../documents/languages.js';
import type { Span } from '../documents/span.js';
import type { LinkContext } from '../documents/writeImageLink.js';
import { fileOfDocument } from './documentImages.js';
import { findSitesForWriting } from './documentSites.js';
import { readSetting } from './settings.js';

/** Stands for any file of a folder, where something is to be relative to that folder. */
export function insideFolder(folder: vscode.Uri | undefined): vscode.Uri | undefined {
	return folder && vscode.Uri.joinPath(folder, 'README.md');
}

/** The file that an image link is relative to: of a notebook's cell the notebook's. */
export function fileOf(document: vscode.Uri): vscode.Uri {
	if (document.scheme === 'untitled') {
		return insideFolder(vscode.workspace.workspaceFolders?.[0]?.uri) ?? document;
	}
	return fileOfDocument(document);
}

export function openDocument(uri: vscode.Uri | undefined): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri?.toString());
}

/**
 * The document with this URI, which is opened where it is not open; `undefined` where it is gone. One
 * that was never saved is there as long as it is open: what VS Code opens then is another one.
 */
export async function documentAt(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
	const open = openDocument(uri);
	if (open !== undefined || uri.scheme === 'untitled') {
		return open;
	}
	try {
		return await vscode.workspace.openTextDocument(uri);
	} catch {
		return undefined;
	}
}

/**
 * Returns whether the user writes it; outputs, older versions of files and prompts have editors,
 * too.
 */
export function isWritable({ languageId, uri: { scheme } }: vscode.TextDocument): boolean {
	if (languageId === promptLanguage) {
		return false;
	}
	return (
		['file', 'untitled', 'vscode-notebook-cell'].includes(scheme) ||
		vscode.workspace.fs.isWritableFileSystem(scheme) === true
	);
}

export function spanOf(document: vscode.TextDocument, { start, end }: vscode.Range): Span {
	return { start: document.offsetAt(start), end: document.offsetAt(end) };
}

/**
 * Returns the context that decides how a document names its images.
 *
 * @param textBefore the document up to the link
 * @throws {SettingError} where `easel.documents.publicFolder` is not what it can be
 */
export async function linkContextOf(
	document: vscode.Uri,
	textBefore: string,
): Promise<LinkContext & { readonly document: vscode.Uri }> {
	const uri = fileOf(document);
	return {
		document: uri,
		workspaceFolder: vscode.workspace.getWorkspaceFolder(uri)?.uri,
		textBefore,
		publicFolder: readSetting('documents.publicFolder', uri),
		isCaption: readSetting('documents.altText', uri) === 'caption',
		sites: await findSitesForWriting(uri),
	};
}
