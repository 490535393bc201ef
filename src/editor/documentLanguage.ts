import type * as vscode from 'vscode';
import { languageOfDocument, type DocumentLanguage } from '../documents/languages.js';

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
