import * as vscode from 'vscode';
import { sentLanguage } from '../documents/languages.js';
import { PlainText } from '../editor/plainText.js';
import { effectivePrompt } from '../recipes/applyStyle.js';
import type { Choices } from './draft.js';
import { sentText, type Sent } from './sentText.js';
import type { ReadStyle } from './styleFile.js';
import { labels, preview } from './messages.js';

/** What leads to it. */
export const sentLabel = labels.showWhatIsSent;
/** The same in the title of a question. */
export const sentButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('eye'),
	tooltip: sentLabel,
};

/** Shows what would be sent, in a document that nobody can change. There is one of it. */
export class SentPreview implements vscode.Disposable {
	readonly #document = new PlainText('easel-sent', preview.name, sentLanguage);

	dispose(): void {
		this.#document.dispose();
	}

	/**
	 * Shows it beside what is in front, which keeps the focus.
	 *
	 * @param asked each with the style that is applied to it
	 */
	async show(asked: readonly (readonly [Choices, ReadStyle | undefined])[]): Promise<void> {
		await this.#document.show(sentText(asked.map(([choices, style]) => sentOf(choices, style))));
	}
}

/** @param style undefined where none is applied */
function sentOf(choices: Choices, style: ReadStyle | undefined): Sent {
	const { prompt, references, size, quality, count, withoutStyle = false } = choices;
	const ofStyle = style?.references ?? [];
	const named = (one: vscode.Uri, isOfStyle: boolean) => ({
		path: vscode.workspace.asRelativePath(one),
		isOfStyle,
	});
	return {
		prompt: style === undefined ? prompt : effectivePrompt(prompt, style.text, ofStyle.length),
		references: [
			...references.map((one) => named(one, false)),
			...ofStyle.map((one) => named(one.uri, true)),
		],
		size,
		quality,
		count,
		style: style?.path ?? (withoutStyle ? preview.styleLeftOut : preview.noStyle),
	};
}
