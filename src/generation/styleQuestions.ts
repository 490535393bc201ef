import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wordsOf } from '../editor/errorTexts.js';
import type { EaselError } from '../easelError.js';
import { occurs } from '../editor/events.js';
import { columnFor } from '../editor/column.js';
import { safeText } from '../editor/untrustedText.js';
import { choose } from '../editor/messages.js';
import { askPick } from '../editor/quickInput.js';
import type { ImageRequest } from '../jobs/request.js';
import { draftOf } from './draft.js';
import type { RequestPreview } from './requestPreview.js';
import { UnusableStyleError, type ReadStyle } from './styleFile.js';
import { labels, messages, money } from './messages.js';

export type ReasonToShow = 'untrusted' | 'first' | 'changed';

/** Of the guide's text in the question, in UTF-16 code units. */
const maxQuotedLength = 600;

/** What a dialog leaves out or does not show; an editor marks it. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

const {
	showWhatIsSent: show,
	useStyleGuide: use,
	withoutStyle: leaveOut,
	generateWithoutStyle: without,
} = labels;

/**
 * Asks whether a style guide may be used that this user has not used as it is now.
 *
 * @returns `undefined` where nothing is to be sent
 */
export async function askConsent(
	style: ReadStyle,
	reason: ReasonToShow,
	requests: readonly ImageRequest[],
	preview: RequestPreview,
): Promise<'use' | 'leftOut' | undefined> {
	// The user can only agree to what was shown in full.
	const isWhole = style.text.length <= maxQuotedLength && !unseen.test(style.text);
	const answer = await choose(
		messages.styleQuestion(safeText(style.path, 100)),
		detailOf(style, reason),
		...(isWhole ? [use] : []),
		show,
		leaveOut,
	);
	if (answer !== show) {
		return answer === use ? 'use' : answer === leaveOut ? 'leftOut' : undefined;
	}
	await openStyleGuide(style.uri);
	await preview.show(requests.map((request) => [draftOf(request).choices, style]));
	// Not in a dialog: one reads both meanwhile.
	const picked = await askPick({
		title: labels.styleGuide(safeText(style.path, 100)),
		placeholder: messages.readStyle,
		items: [
			{ icon: 'check', label: use, value: 'use' as const },
			{ icon: 'circle-slash', label: leaveOut, value: 'leftOut' as const },
		],
	});
	return picked?.type === 'value' ? picked.value.value : undefined;
}

/** Shows why a style guide cannot be used; returns whether images are to be made without it. */
export async function askWithoutUnusable(error: EaselError): Promise<boolean> {
	const open = error.setting === undefined ? labels.openStyleGuide : labels.openSettings;
	const answer = await choose(
		messages.unusableStyle,
		[wordsOf(error), money.notSent],
		open,
		without,
	);
	if (answer === open && error instanceof UnusableStyleError) {
		await openStyleGuide(error.uri, error.line);
	} else if (answer === open) {
		await vscode.commands.executeCommand('workbench.action.openSettings', error.setting);
	}
	return answer === without;
}

/** @param line from 1 */
export async function openStyleGuide(uri: vscode.Uri, line = 1): Promise<void> {
	const document = await vscode.workspace.openTextDocument(uri);
	const at = () => document.validateRange(new vscode.Range(line - 1, 0, line - 1, 0));
	const isUpToDate = document.lineCount >= line;
	const editor = await vscode.window.showTextDocument(document, {
		viewColumn: columnFor(uri),
		selection: at(),
		preview: false,
	});
	if (!isUpToDate) {
		// VS Code has kept the text of an earlier time, and reads the file anew now that it is shown.
		const hasLine = () => document.lineCount >= line;
		if (!hasLine()) {
			const { onDidChangeTextDocument } = vscode.workspace;
			await occurs(onDidChangeTextDocument, rereadTimeoutMs, hasLine);
		}
		const { start } = at();
		editor.selection = new vscode.Selection(start, start);
		editor.revealRange(at(), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}
}

const rereadTimeoutMs = 2000;

function detailOf({ text, references }: ReadStyle, reason: ReasonToShow): string[] {
	const names = references.map(({ uri }) => safeText(posix.basename(uri.path), 60));
	return [
		reasons[reason],
		...(text === '' ? [] : ['', messages.styleText(safeText(text, maxQuotedLength))]),
		...(names.length === 0 ? [] : ['', messages.styleReferences(names)]),
	];
}

const reasons: Record<ReasonToShow, string> = {
	untrusted: messages.styleFromUntrusted,
	first: messages.styleFirst,
	changed: messages.styleChanged,
};
