import * as vscode from 'vscode';
import { verdictOn } from '../../documents/missing/decide.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { destinationFor } from '../../documents/writeImageLink.js';
import { runDetached, showStatus, notify } from '../../editor/messages.js';
import { linkContextOf } from '../../generation/writing.js';
import { missingMessages } from '../messages.js';

/** Whether the link of an image means one file that is there. */
export function isFixable(image: MissingImage): boolean {
	return verdictOn(image) === 'fix';
}

/** The path of a file as the user knows it. */
export function relativePath(file: string): string {
	return vscode.workspace.asRelativePath(vscode.Uri.file(file));
}

/**
 * Makes the links of images mean the files that are there, all of them in one step to undo; says how
 * many they were. A link that stands elsewhere by now is left as it is.
 *
 * @param file which of the files, where there are several
 */
export async function fixLinks(images: readonly MissingImage[], file?: string): Promise<void> {
	const edit = new vscode.WorkspaceEdit();
	let fixed = 0;
	for (const image of images) {
		const open = await vscode.workspace.openTextDocument(vscode.Uri.file(image.document));
		const change = await linkChange(open, image, file ?? image.candidates[0] ?? '');
		if (change !== undefined) {
			edit.replace(open.uri, change.range, change.newText);
			fixed++;
		}
	}
	const isDone = fixed > 0 && (await vscode.workspace.applyEdit(edit, { isRefactoring: true }));
	if (isDone && fixed === images.length) {
		showStatus(missingMessages.linksFixed(fixed), 'check');
	} else {
		const words = missingMessages.someLinksFixed(isDone ? fixed : 0, images.length);
		runDetached(notify('warning', words));
	}
}

/** The change of a link; `undefined` where it does not stand there any more. */
export async function linkChange(
	document: vscode.TextDocument,
	{ reference }: MissingImage,
	file: string,
): Promise<vscode.TextEdit | undefined> {
	const { start, end } = reference.destinationSpan;
	const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
	if (document.getText(range) !== reference.raw) {
		return undefined;
	}
	const textBefore = document.getText(range.with(new vscode.Position(0, 0), range.start));
	const context = await linkContextOf(document.uri, textBefore);
	const image = vscode.Uri.file(file);
	return vscode.TextEdit.replace(range, destinationFor(reference, { ...context, image }));
}
