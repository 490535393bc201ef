import type * as vscode from 'vscode';
import { imagePathBefore } from '../documents/imagePathBefore.js';
import { formatOf } from '../documents/languages.js';
import { languageOf } from './documentLanguage.js';

/** So much of a line is looked at on either side of a place, in UTF-16 code units. */
const maxSideLength = 64 * 1024;

/** Whether a text can have an image at all; a quick look that spares the reading. */
export function mayShowImage(text: string): boolean {
	return /!\[|<img|\.(?:png|jpe?g|webp)/i.test(text);
}

/** Whether there can be an image at a place of a document; a quick look that spares the reading. */
export function mayShowImageAt(document: vscode.TextDocument, position: vscode.Position): boolean {
	if (formatOf(languageOf(document)) === undefined) {
		return false;
	}
	const { character } = position;
	const line = document.lineAt(position).text;
	return mayShowImage(
		line.slice(Math.max(0, character - maxSideLength), character + maxSideLength),
	);
}

/** The path of an image that is being typed at a place of a document; `undefined` where none is. */
export function imagePathAt(
	document: vscode.TextDocument,
	position: vscode.Position,
): ReturnType<typeof imagePathBefore> {
	const format = formatOf(languageOf(document));
	const line = document.lineAt(position).text.slice(0, position.character);
	return format && imagePathBefore(format, line);
}
