import type * as vscode from 'vscode';
import { imagePathBefore } from '../documents/imagePathBefore.js';
import { formatOf, languageOfDocument, type DocumentLanguage } from '../documents/languages.js';

/** Length of a line that is looked at on either side of a place, in UTF-16 code units. */
const maxSideLength = 64 * 1024;

/** Returns whether a text can have an image at all; a quick look that spares the reading. */
export function mayShowImage(text: string): boolean {
	return /!\[|<img|\.(?:png|jpe?g|webp)/i.test(text);
}

/**
 * Returns whether there can be an image at a place of a document; a quick look that spares the
 * reading.
 */
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

/** The identifier of a document's language, also of one that VS Code takes for plain text. */
export function languageOf({ languageId, uri }: vscode.TextDocument): string {
	return languageOfDocument(languageId, uri.path);
}

/** Selects the documents of some languages, as {@link languageOf} names them. */
export function documentsOf(languages: readonly DocumentLanguage[]): vscode.DocumentFilter[] {
	const extensions = languages.flatMap((language) => language.extensions);
	return [
		...languages.flatMap(({ ids }) => ids.map((language) => ({ language }))),
		{ language: 'plaintext', pattern: `**/*.{${extensions.join(',')}}` },
	];
}
