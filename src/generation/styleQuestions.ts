import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wordsOf } from '../editor/errorTexts.js';
import type { EaselError } from '../easelError.js';
import { columnFor } from '../editor/column.js';
import { foreignText } from '../editor/untrustedText.js';
import { choose } from '../editor/messages.js';
import { askPick } from '../editor/quickInput.js';
import type { ImageRequest } from '../jobs/request.js';
import { draftOf } from './draft.js';
import type { SentPreview } from './sentPreview.js';
import { UnusableStyleError, type ReadStyle } from './styleFile.js';
import { labels, messages, money } from './messages.js';

/** Why a guide is shown before it is used. */
export type ReasonToShow = 'untrusted' | 'first' | 'changed';

/** Of the guide's text in the question, in UTF-16 code units. */
const longestQuoted = 600;

/** What a dialog leaves out or does not show; an editor marks it. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

const {
	showWhatIsSent: show,
	useStyleGuide: use,
	withoutStyle: leaveOut,
	generateWithoutStyle: without,
} = labels;

/**
 * Asks whether a style guide may be used that this person has not used as it is now.
 *
 * @returns `undefined` where nothing is to be sent
 */
export async function askConsent(
	style: ReadStyle,
	reason: ReasonToShow,
	requests: readonly ImageRequest[],
	preview: SentPreview,
): Promise<'use' | 'leftOut' | undefined> {
	// Whoever has not seen all of it cannot agree to it.
	const isWhole = style.text.length <= longestQuoted && !unseen.test(style.text);
	const answer = await choose(
		messages.styleQuestion(foreignText(style.path, 100)),
		detailOf(style, reason),
		...(isWhole ? [use] : []),
		show,
		leaveOut,
	);
	if (answer !== show) {
		return answer === use ? 'use' : answer === leaveOut ? 'leftOut' : undefined;
	}
	await openGuide(style.uri);
	await preview.show(requests.map((request) => [draftOf(request).choices, style]));
	// Not in a dialog: one reads both meanwhile.
	const picked = await askPick({
		title: labels.styleGuide(foreignText(style.path, 100)),
		placeholder: messages.readStyle,
		items: [
			{ icon: 'check', label: use, value: 'use' as const },
			{ icon: 'circle-slash', label: leaveOut, value: 'leftOut' as const },
		],
	});
	return picked?.type === 'value' ? picked.value.value : undefined;
}

/** Tells why a style guide cannot be used; whether images are to be made without it. */
export async function askWithoutUnusable(error: EaselError): Promise<boolean> {
	const open = error.setting === undefined ? labels.openStyleGuide : labels.openSettings;
	const answer = await choose(
		messages.unusableStyle,
		[wordsOf(error), money.notSent],
		open,
		without,
	);
	if (answer === open && error instanceof UnusableStyleError) {
		await openGuide(error.uri, error.line);
	} else if (answer === open) {
		await vscode.commands.executeCommand('workbench.action.openSettings', error.setting);
	}
	return answer === without;
}

/** @param line from 1 */
export async function openGuide(uri: vscode.Uri, line = 1): Promise<void> {
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
		await reread(document, line);
		const { start } = at();
		editor.selection = new vscode.Selection(start, start);
		editor.revealRange(at(), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}
}

/** Resolves when the document has the line, or does not get it in time. */
async function reread(document: vscode.TextDocument, line: number): Promise<void> {
	if (document.lineCount >= line) {
		return;
	}
	const { promise, resolve } = Promise.withResolvers<void>();
	const listener = vscode.workspace.onDidChangeTextDocument(() => {
		if (document.lineCount >= line) {
			resolve();
		}
	});
	const timer = setTimeout(resolve, longestRereadMs);
	await promise;
	clearTimeout(timer);
	listener.dispose();
}

const longestRereadMs = 2000;

function detailOf({ text, references }: ReadStyle, reason: ReasonToShow): string[] {
	const names = references.map(({ uri }) => foreignText(posix.basename(uri.path), 60));
	return [
		reasons[reason],
		...(text === '' ? [] : ['', messages.styleText(foreignText(text, longestQuoted))]),
		...(names.length === 0 ? [] : ['', messages.styleReferences(names)]),
	];
}

const reasons: Record<ReasonToShow, string> = {
	untrusted: messages.styleFromUntrusted,
	first: messages.styleFirst,
	changed: messages.styleChanged,
};
