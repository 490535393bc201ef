import type * as vscode from 'vscode';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { inBackground } from '../../editor/messages.js';
import type { Gallery } from '../../jobs/gallery.js';

/** Lets the gallery know where its images are when they, or folders above them, are renamed. */
export function followRenames(gallery: Gallery): vscode.Disposable {
	return registerHandler('renames', ({ files }: vscode.FileRenameEvent) => {
		inBackground(follow(gallery, files));
	});
}

async function follow(gallery: Gallery, files: vscode.FileRenameEvent['files']): Promise<void> {
	for (const { oldUri, newUri } of files) {
		await rename(gallery, oldUri.toString(), newUri.toString());
	}
}

async function rename(gallery: Gallery, from: string, to: string): Promise<void> {
	for (const image of await gallery.list()) {
		if (image.target === from || image.target.startsWith(`${from}/`)) {
			await gallery.restore({ ...image, target: to + image.target.slice(from.length) });
		}
	}
}
