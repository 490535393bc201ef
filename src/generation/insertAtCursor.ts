import * as vscode from 'vscode';
import { linkText } from '../documents/imageLink.js';
import { languageOf } from '../editor/nearImage.js';
import { showStatus, notify } from '../editor/messages.js';
import { hashOf } from './closedDocumentAnchors.js';
import type { CommandContext } from './draft.js';
import type { SavedImage } from './savedImage.js';
import {
	documentAt,
	imageLinkIn,
	insideFolder,
	inTurn,
	isWritable,
	openDocument,
	spanOf,
	writeLink,
} from './writing.js';
import { labels, messages, phrases } from './messages.js';

/**
 * Inserts the image link where the command was given, if the document is as it was, else at the
 * cursor of the document. Where it is not in front, it is opened first and the user is asked for
 * the place. For images whose anchors are not followed.
 */
export async function insertLater(saved: SavedImage, context: CommandContext): Promise<void> {
	const { insertion, document: uri } = context;
	if (uri === undefined) {
		await insertAtCursor(saved, context);
		return;
	}
	const document = await documentAt(uri);
	if (document === undefined) {
		await copyInstead(saved, context, messages.documentGone);
		return;
	}
	const before = vscode.window.visibleTextEditors.find((one) => one.document === document);
	const editor = await vscode.window.showTextDocument(document, before?.viewColumn);
	const isAsItWas = () => hashOf(document.getText()) === insertion?.sha256;
	const written =
		insertion !== undefined &&
		(await inTurn(document, () =>
			writeLink(document, saved, {
				anchors: () => (isAsItWas() ? insertion.places : []),
				block: insertion.block,
				editor: () => editor,
			}),
		));
	if (written) {
		return;
	}
	if (before !== undefined) {
		await insertAtCursor(saved, context);
	} else {
		await notify('info', messages.placeUnknown, [
			{ label: labels.insertHere, run: () => insertAtCursor(saved, context) },
		]);
	}
}

/**
 * Inserts the image link at the cursors of the document in front, in one undo step that takes back
 * the link alone. Where no document is open, the image link is copied instead.
 */
export async function insertAtCursor(saved: SavedImage, context: CommandContext): Promise<void> {
	const editors = vscode.window.visibleTextEditors.filter(({ document }) => isWritable(document));
	const editor =
		editors.find((one) => one === vscode.window.activeTextEditor) ??
		editors.find(({ document }) => document.uri.toString() === context.document?.toString()) ??
		editors[0];
	if (editor === undefined) {
		await copyInstead(saved, context, messages.noDocument);
		return;
	}
	const { document, viewColumn } = editor;
	const written = await inTurn(document, async () => {
		const shown = await vscode.window.showTextDocument(document, viewColumn);
		const anchors = () => shown.selections.map((selection) => spanOf(document, selection));
		return writeLink(document, saved, { anchors, block: false, editor: () => shown });
	});
	if (!written) {
		await copyInstead(saved, context, messages.readOnlyDocument);
	}
}

/** Copies the image link as the document needs it from which the command came. */
export async function copyImageLink(saved: SavedImage, context: CommandContext): Promise<void> {
	await copyInstead(saved, context, phrases.linkCopied, 'check');
}

async function copyInstead(
	saved: SavedImage,
	context: CommandContext,
	words: string,
	icon?: string,
): Promise<void> {
	const open = openDocument(context.document);
	const link = await imageLinkIn(saved, {
		uri: context.document ?? insideFolder(context.workspaceFolder) ?? saved.uri,
		languageId: open === undefined ? 'markdown' : languageOf(open),
		text: open?.getText() ?? '',
		at: open?.getText().length ?? 0,
	});
	await vscode.env.clipboard.writeText(linkText(link));
	showStatus(words, icon);
}
