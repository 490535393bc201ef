import * as vscode from 'vscode';
import { sentLanguage } from '../documents/languages.js';
import { columnBeside } from '../editor/column.js';
import { inputButton } from '../editor/quickInput.js';
import { promptWithMarks } from '../images/marks/words.js';
import type { ImageRequest } from '../jobs/request.js';
import { effectivePrompt } from '../recipes/applyStyle.js';
import { moneyFor } from '../editor/money.js';
import { readService, sentQuality } from '../editor/service.js';
import { urisOf } from '../editor/imageRequest.js';
import { marksMannerOf, takesTransparency } from '../service/services.js';
import { requestPreviewText, type PreviewedRequest } from './requestPreviewText.js';
import type { ReadStyle } from './styleFile.js';
import { labels, preview } from '../messages.js';

export const previewLabel = labels.showWhatIsSent;
export const previewButton = inputButton('eye', previewLabel);

const scheme = 'easel-sent';

/** Parts of a draft or a request that are shown, without its style. */
export type Previewed = Readonly<
	Pick<
		ImageRequest,
		'prompt' | 'references' | 'marks' | 'size' | 'quality' | 'background' | 'withoutStyle'
	> & {
		/** Number of images; 1 by default. */
		count?: number;
	}
>;

/**
 * Shows what would be sent in the one read-only document of its scheme, as plain text: that makes
 * no command of what it shows, and marks characters that cannot be seen.
 */
export class RequestPreview implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<vscode.Uri>();
	readonly #uri = vscode.Uri.from({ scheme, path: `/${preview.name}` });
	#text = '';
	readonly #provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
		onDidChange: this.#changed.event,
		provideTextDocumentContent: () => this.#text,
	});

	dispose(): void {
		this.#provider.dispose();
		this.#changed.dispose();
	}

	/** Shows requests beside what is in front, which keeps the focus; each with its style. */
	async show(asked: readonly (readonly [Previewed, ReadStyle | undefined])[]): Promise<void> {
		await this.showText(requestPreviewText(asked.map(([one, style]) => sentOf(one, style))));
	}

	/** Closes it: what it says of what would be sent is over. */
	async close(): Promise<void> {
		const isShown = ({ input }: vscode.Tab) =>
			input instanceof vscode.TabInputText && input.uri.toString() === this.#uri.toString();
		const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isShown));
		await vscode.window.tabGroups.close(tabs, true);
	}

	/** Shows another text in the same place. */
	async showText(text: string): Promise<void> {
		this.#text = text;
		this.#changed.fire(this.#uri);
		const opened = await vscode.workspace.openTextDocument(this.#uri);
		const document = await vscode.languages.setTextDocumentLanguage(opened, sentLanguage);
		await vscode.window.showTextDocument(document, {
			viewColumn: columnBeside(),
			preview: true,
			preserveFocus: true,
		});
	}
}

/** @param style undefined where none is applied */
function sentOf(asked: Previewed, style: ReadStyle | undefined): PreviewedRequest {
	const { prompt, references, marks = [], size, quality, background } = asked;
	const { count = 1, withoutStyle = false } = asked;
	const ofStyle = style?.references ?? [];
	const named = (one: vscode.Uri, part: PreviewedRequest['references'][number]['part']) => ({
		path: vscode.workspace.asRelativePath(one),
		part,
	});
	const own = urisOf(references).map((one) => named(one, 'own'));
	const all = [...own, ...ofStyle.map((one) => named(one.uri, 'style'))];
	const [marked, ...others] = all;
	const manner =
		marks.length === 0 || marked === undefined ? undefined : marksMannerOf(readService());
	const styled = style === undefined ? prompt : effectivePrompt(prompt, style.text, ofStyle.length);
	const copies =
		manner === 'copy' ? [marked!, { ...marked!, part: 'marked' as const }, ...others] : all;
	const sentReferences = copies.length;
	const sent = sentQuality(quality, sentReferences);
	return {
		prompt: manner === undefined ? styled : promptWithMarks(styled, marks, manner, others.length),
		references: copies,
		...(manner !== undefined && manner !== 'copy' && { overlay: manner }),
		size,
		quality: sent,
		isTransparent: background !== undefined && takesTransparency(readService()),
		isQualityIgnored: sentReferences > 0 && !readService().editsTakeQuality,
		count,
		money: moneyFor({ size, quality: sent }, count),
		style: style?.path ?? (withoutStyle ? preview.styleLeftOut : preview.noStyle),
	};
}
