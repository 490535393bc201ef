import * as vscode from 'vscode';
import { safeText, withIcon } from './untrustedText.js';
import { richText, type Paragraph } from './richText.js';

/** Note behind a line of a document while something is under way there. */
export interface LineNote {
	/** Counted from 0. */
	readonly line: number;
	/** In one line; foreign text may be in it. */
	readonly text: string;
	readonly hover: readonly Paragraph[];
}

/** Longest text of a note, in graphemes: a line does not break for it. */
const maxNoteLength = 160;

/** Notes behind the lines of documents. They are no part of the text. */
export class LineNotes implements vscode.Disposable {
	readonly #type = vscode.window.createTextEditorDecorationType({
		after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3ch' },
		// In the light theme of VS Code code lenses are too pale to be read: a contrast of 3.2.
		light: { after: { color: new vscode.ThemeColor('descriptionForeground') } },
		rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
	});

	dispose(): void {
		this.#type.dispose();
	}

	show(editor: vscode.TextEditor, notes: readonly LineNote[]): void {
		editor.setDecorations(
			this.#type,
			notes.map(({ line, text, hover }) => {
				const { end } = editor.document.lineAt(line).range;
				return {
					range: new vscode.Range(end, end),
					hoverMessage: richText(hover),
					renderOptions: { after: { contentText: safeText(text, maxNoteLength) } },
				};
			}),
		);
	}
}

/** Shows a text in the empty documents of a language, until it is disposed of. */
export function showPlaceholder(language: string, text: string): vscode.Disposable {
	const color = new vscode.ThemeColor('input.placeholderForeground');
	const type = vscode.window.createTextEditorDecorationType({
		before: { contentText: text, color },
	});
	const show = (changed?: vscode.TextDocument) => {
		for (const editor of vscode.window.visibleTextEditors) {
			const { document } = editor;
			if (document.languageId === language && (changed ?? document) === document) {
				const isEmpty = document.getText() === '';
				editor.setDecorations(type, isEmpty ? [new vscode.Range(0, 0, 0, 0)] : []);
			}
		}
	};
	show();
	return vscode.Disposable.from(
		type,
		vscode.window.onDidChangeVisibleTextEditors(() => show()),
		vscode.workspace.onDidChangeTextDocument(({ document }) => show(document)),
	);
}

/** A line above the text of a document, in a row with others. */
export interface Lens {
	/** Icon of VS Code before the text: `sparkle`. */
	readonly icon?: string;
	/** Shown as it is. */
	readonly text: string;
	/** Command of a click; nothing without one. */
	readonly command?: string;
	readonly arguments?: readonly unknown[];
}

/** Shows lines above the documents of a language, asked for anew when the event fires, too. */
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
