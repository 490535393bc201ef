import type * as vscode from 'vscode';
import { notify, runDetached } from '../editor/messages.js';
import { safeName } from '../editor/untrustedText.js';
import { galleryImageAt, type KnownImages } from '../library/galleryLookup.js';
import { messages } from '../messages.js';
import type { GeneratorServices } from './generatorServices.js';
import { discardKnown } from './linkImage.js';

/**
 * Deletes an image that the user has decided against, and offers Undo; returns whether it is gone. A
 * file that is not the saved one any more is left alone.
 */
export async function discardDraft(
	made: vscode.Uri,
	services: Pick<GeneratorServices, 'anchors' | 'deletedImages'> & {
		readonly history: KnownImages;
	},
): Promise<boolean> {
	const known = await galleryImageAt(made, services.history);
	if (known === undefined) {
		runDetached(notify('warning', messages.changedNotDeleted(safeName(made))));
		return false;
	}
	// It may lie elsewhere than it was saved.
	return discardKnown({ ...known, target: made.toString() }, services);
}
