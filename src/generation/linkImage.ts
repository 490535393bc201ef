import type * as vscode from 'vscode';
import { runCommand } from '../editor/commands.js';
import { editable } from '../editor/imageMeant.js';
import type { Button } from '../editor/messages.js';
import { copyImageLink, insertAtCursor, insertLater } from './insertAtCursor.js';
import type { Insertions } from './insertions.js';
import { ownReferences, type ImageRequest } from '../jobs/request.js';
import { contextOf, parseUri, type CommandContext } from './draft.js';
import { openImage, revealImage, type SavedImage } from './savedImage.js';

/** What the message about a saved image adds to it. */
export interface FollowUp {
	/** Whether the image link stands in the document. */
	readonly isInserted?: boolean;
	readonly note?: string;
	/** Writes the image link, where that was wanted and could not be done. */
	readonly insert?: Button;
	readonly buttons: readonly Button[];
}

/**
 * Writes the image link where the command was given; where that is impossible, or nobody has asked
 * for it, offers to do it.
 */
export async function linkImage(
	saved: SavedImage,
	request: ImageRequest,
	insertions: Insertions,
): Promise<FollowUp> {
	// What was pasted has no name, and nothing to take the place of.
	const { operation, anotherTryOf } = request;
	const original = editable(parseUri(anotherTryOf ?? ownReferences(request)[0]?.source));
	const context = contextOf(request);
	return operation === 'edit' || anotherTryOf !== undefined
		? { buttons: stepsBesideOriginal(saved, original, context) }
		: stepsAfterInsertion(saved, context, insertions);
}

async function stepsAfterInsertion(
	saved: SavedImage,
	context: CommandContext,
	insertions: Insertions,
): Promise<FollowUp> {
	// The document may get another name before a button is pressed.
	const now = () => ({ ...context, document: insertions.documentOf(context) });
	const open = { label: 'Open', run: () => openImage(saved.uri) };
	const copy = { label: 'Copy Image Link', run: () => copyImageLink(saved, now()) };
	const reveal = { label: 'Reveal', run: () => revealImage(saved.uri) };
	if (context.insertion === undefined) {
		return { buttons: [open, copy, reveal] };
	}
	switch (await insertions.insert(saved, context)) {
		case 'inserted':
			return {
				isInserted: true,
				buttons: [
					{ label: 'Preview', run: () => openImage(saved.uri) },
					{
						label: 'Edit…',
						run: async () => {
							await runCommand('easel.editWithPrompt', saved.uri);
						},
					},
					{ label: 'Regenerate…', run: () => runCommand('easel.regenerateImage', saved.uri) },
				],
			};
		case 'deleted':
			return {
				note: 'The place where it belonged was deleted.',
				insert: { label: 'Insert at Cursor', run: () => insertAtCursor(saved, now()) },
				buttons: [copy, open],
			};
		case 'away':
			return {
				insert: { label: 'Insert', run: () => insertLater(saved, now()) },
				buttons: [copy, open],
			};
	}
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
					{ label: 'Compare', run: () => runCommand('easel.compareImages', original, saved.uri) },
					{
						label: 'Replace Original',
						run: () => runCommand('easel.replaceImage', saved.uri),
					},
				];
	return [
		...ofOriginal,
		{ label: 'Open', run: () => openImage(saved.uri) },
		{ label: 'Insert', run: () => insertAtCursor(saved, context) },
	];
}
