import * as vscode from 'vscode';
import { withIcon } from './untrustedText.js';

/** A line above the text of a document, in a row with others. */
export interface Lens {
	/** Of VS Code, before the text: `sparkle`. */
	readonly icon?: string;
	/** Shown as it is. */
	readonly text: string;
	/** What a click does; nothing without one. */
	readonly command?: string;
	readonly arguments?: readonly unknown[];
}

/**
 * Shows lines above the first line of the documents of a language.
 *
 * @param onDidChange fires when they have to be asked for anew, though no document has changed
 */
export function provideCodeLenses(
	language: string,
	onDidChange: vscode.Event<void>,
	provide: (document: vscode.TextDocument) => Promise<readonly Lens[]>,
): vscode.Disposable {
	const above = new vscode.Range(0, 0, 0, 0);
	return vscode.languages.registerCodeLensProvider(language, {
		onDidChangeCodeLenses: onDidChange,
		provideCodeLenses: async (document) =>
			(await provide(document)).map(({ icon, text, command = '', arguments: given = [] }) => {
				const title = withIcon(icon, text);
				return new vscode.CodeLens(above, { title, command, arguments: [...given] });
			}),
	});
}
