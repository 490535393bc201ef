import * as vscode from 'vscode';
import { sentLanguage } from '../documents/languages.js';
import { PlainText } from '../editor/plainText.js';
import { effectivePrompt } from '../recipes/applyStyle.js';
import type { Choices } from './draft.js';
import { requestPreviewText, type PreviewedRequest } from './requestPreviewText.js';
import type { ReadStyle } from './styleFile.js';
import { labels, preview } from './messages.js';

export const previewLabel = labels.showWhatIsSent;
export const previewButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('eye'),
	tooltip: previewLabel,
};

/** Shows what would be sent, in a read-only document. There is one of it. */
export class RequestPreview implements vscode.Disposable {
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
		await this.#document.show(
			requestPreviewText(asked.map(([choices, style]) => sentOf(choices, style))),
		);
	}
}

/** @param style undefined where none is applied */
function sentOf(choices: Choices, style: ReadStyle | undefined): PreviewedRequest {
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
