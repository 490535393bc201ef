import type * as vscode from 'vscode';
import { notify, runDetached } from '../editor/messages.js';
import { safeName } from '../editor/untrustedText.js';
import type { DeletedImages } from '../library/deletedImages.js';
import { galleryImageAt, type KnownImages } from '../library/galleryLookup.js';
import { labels, messages } from '../messages.js';

/**
 * Deletes an image that the user has decided against, and offers Undo; returns whether it is gone. A
 * file that is not the saved one any more is left alone.
 */
export async function discardDraft(
	made: vscode.Uri,
	{
		history,
		deletedImages,
	}: { readonly history: KnownImages; readonly deletedImages: DeletedImages },
): Promise<boolean> {
	const known = await galleryImageAt(made, history);
	if (known === undefined) {
		runDetached(notify('warning', messages.changedNotDeleted(safeName(made))));
		return false;
	}
	// It may lie elsewhere than it was saved.
	await deletedImages.remove({ ...known, target: made.toString() });
	const undo = async () => {
		const note = await deletedImages.restore(known.id);
		if (note !== undefined) {
			runDetached(notify('warning', note));
		}
	};
	const words = messages.discarded(safeName(made));
	runDetached(notify('info', words, [{ label: labels.undo, run: undo }]));
	return true;
}
