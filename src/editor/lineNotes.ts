import * as vscode from 'vscode';
import { safeText } from './untrustedText.js';
import { richText, type Paragraph } from './richText.js';

/** What is shown behind a line of a document while something is under way there. */
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
