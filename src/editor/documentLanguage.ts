import * as vscode from 'vscode';
import { languageOfDocument, type DocumentLanguage } from '../documents/languages.js';

/** The identifier of a document's language, also of one that VS Code takes for plain text. */
export function languageOf({ languageId, uri }: vscode.TextDocument): string {
	return languageOfDocument(languageId, uri.path);
}

/** Selects the documents of some languages, as {@link languageOf} tells them. */
export function documentsOf(languages: readonly DocumentLanguage[]): vscode.DocumentFilter[] {
	const extensions = languages.flatMap((language) => language.extensions);
	return [
		...languages.flatMap(({ ids }) => ids.map((language) => ({ language }))),
		{ language: 'plaintext', pattern: `**/*.{${extensions.join(',')}}` },
	];
}

/** The file that a document belongs to: of a notebook's cell the notebook. */
export function fileOfDocument(document: vscode.Uri): vscode.Uri {
	const isInIt = (cell: vscode.NotebookCell) =>
		cell.document.uri.toString() === document.toString();
	const notebook =
		document.scheme === 'vscode-notebook-cell'
			? vscode.workspace.notebookDocuments.find((one) => one.getCells().some(isInIt))
			: undefined;
	return notebook?.uri ?? document;
}
