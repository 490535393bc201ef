import * as vscode from 'vscode';
import { runCommand } from '../editor/commands.js';
import { editable } from '../editor/targetImage.js';
import type { Button } from '../editor/messages.js';
import { copyImageLink, insertAtCursor, insertLater } from './insertAtCursor.js';
import type { Anchors } from './anchors.js';
import { ownReferences, type ImageRequest } from '../jobs/request.js';
import { contextOf, parseUri, type CommandContext } from './draft.js';
import { openImage, revealImage, type SavedImage } from './savedImage.js';
import { labels, messages } from './messages.js';
import { commandTitles } from '../editor/commandTable.js';

export interface InsertedAt {
	readonly document: vscode.Uri;
	readonly line: number;
}

export interface FollowUp {
	readonly inserted?: InsertedAt;
	readonly note?: string;
	/** Writes the image link, where that was wanted and could not be done. */
	readonly insert?: Button;
	readonly buttons: readonly Button[];
}

/**
 * Writes the image link where the command was given; where that is impossible, or was not asked
 * for, offers to do it.
 */
export async function linkImage(
	saved: SavedImage,
	request: ImageRequest,
	anchors: Anchors,
): Promise<FollowUp> {
	// What was pasted has no name, and nothing to take the place of.
	const { operation, regeneratedFrom } = request;
	const original = editable(parseUri(regeneratedFrom ?? ownReferences(request)[0]?.source));
	const context = contextOf(request);
	return operation === 'edit' || regeneratedFrom !== undefined
		? { buttons: stepsBesideOriginal(saved, original, context) }
		: stepsAfterInsertion(saved, context, anchors);
}

async function stepsAfterInsertion(
	saved: SavedImage,
	context: CommandContext,
	anchors: Anchors,
): Promise<FollowUp> {
	// The document may get another name before a button is pressed.
	const now = () => ({ ...context, document: anchors.documentOf(context) });
	const open = { label: labels.openFile, run: () => openImage(saved.uri) };
	const copy = { label: labels.copyImageLink, run: () => copyImageLink(saved, now()) };
	const reveal = { label: labels.revealInExplorer, run: () => revealImage(saved.uri) };
	if (context.insertion === undefined) {
		return { buttons: [open, copy, reveal] };
	}
	switch (await anchors.insert(saved, context)) {
		case 'inserted': {
			const inserted = insertedAt(context, anchors);
			return {
				inserted,
				buttons: [
					...(inserted ? [{ label: labels.show, run: () => showLine(inserted) }] : []),
					{ label: labels.preview, run: () => openImage(saved.uri) },
					{
						label: labels.edit,
						run: async () => {
							await runCommand('easel.editWithPrompt', saved.uri);
						},
					},
					{
						label: commandTitles['easel.regenerateImage'],
						run: () => runCommand('easel.regenerateImage', saved.uri),
					},
				],
			};
		}
		case 'deleted':
			return {
				note: messages.placeDeleted,
				insert: { label: labels.insertAtCursor, run: () => insertAtCursor(saved, now()) },
				buttons: [copy, open],
			};
		case 'away':
			return {
				insert: { label: labels.insert, run: () => insertLater(saved, now()) },
				buttons: [copy, open],
			};
	}
}

/** The last link of those that were written: a place that is followed moves behind its link. */
function insertedAt({ insertion }: CommandContext, anchors: Anchors): InsertedAt | undefined {
	const followed = insertion && anchors.find(insertion);
	const end = followed?.anchors.at(-1)?.start;
	if (followed === undefined || end === undefined) {
		return undefined;
	}
	const { document } = followed;
	const { length } = document.getText().slice(0, end).trimEnd();
	return { document: document.uri, line: document.positionAt(length).line + 1 };
}

async function showLine({ document, line }: InsertedAt): Promise<void> {
	const position = new vscode.Position(line - 1, 0);
	await vscode.window.showTextDocument(document, {
		selection: new vscode.Range(position, position),
	});
}

function stepsBesideOriginal(
	saved: SavedImage,
	original: vscode.Uri | undefined,
	context: CommandContext,
): Button[] {
	const ofOriginal: Button[] =
		original === undefined
			? []
			: [
					{
						label: labels.compare,
						run: () => runCommand('easel.compareImages', original, saved.uri),
					},
					{
						label: commandTitles['easel.replaceImage'],
						run: () => runCommand('easel.replaceImage', saved.uri),
					},
				];
	return [
		...ofOriginal,
		{ label: labels.openFile, run: () => openImage(saved.uri) },
		{ label: labels.insert, run: () => insertAtCursor(saved, context) },
	];
}
