import type * as vscode from 'vscode';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { runDetached } from '../../editor/messages.js';
import { runRequestCommand } from '../../generation/requestCommands.js';
import type { Gallery } from '../../jobs/gallery.js';

/**
 * Lets the gallery know where its images are when they, or folders above them, are renamed. Links to
 * an image that was renamed itself can be updated.
 */
export function followRenames(gallery: Gallery): vscode.Disposable {
	return registerHandler('renames', ({ files }: vscode.FileRenameEvent) => {
		runDetached(follow(gallery, files));
	});
}

async function follow(gallery: Gallery, files: vscode.FileRenameEvent['files']): Promise<void> {
	for (const { oldUri, newUri } of files) {
		const [from, to] = [oldUri.toString(), newUri.toString()];
		for (const image of await gallery.list()) {
			if (image.target === from || image.target.startsWith(`${from}/`)) {
				await gallery.restore({ ...image, target: to + image.target.slice(from.length) });
			}
			if (image.target === from) {
				runDetached(runRequestCommand('offerLinks', 'edit', oldUri, newUri));
			}
		}
	}
}
