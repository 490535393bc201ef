import type * as vscode from 'vscode';
import { languageIds } from '../documents/languages.js';
import { mayShowImage } from '../documents/mayShowImage.js';

/** So much of a line is looked at on either side of a place, in UTF-16 code units. */
const longestSide = 64 * 1024;

/** Whether there can be an image at a place of a document; a quick look that spares the reading. */
export function mayShowImageAt(document: vscode.TextDocument, position: vscode.Position): boolean {
	if (!languageIds.includes(document.languageId)) {
		return false;
	}
	const { character } = position;
	const line = document.lineAt(position).text;
	return mayShowImage(line.slice(Math.max(0, character - longestSide), character + longestSide));
}
