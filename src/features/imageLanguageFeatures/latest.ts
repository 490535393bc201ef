import * as vscode from 'vscode';
import { mayExist } from '../../editor/files.js';
import type { KnownImages } from '../../generation/galleryLookup.js';
import type { GalleryImage } from '../../jobs/gallery.js';

interface LatestImage extends GalleryImage {
	readonly uri: vscode.Uri;
}

/** The latest images of this workspace whose files are still there, newest first. */
export async function latestImages(known: KnownImages, max: number): Promise<LatestImage[]> {
	const found = new Map<string, LatestImage>();
	for (const image of await known.list()) {
		if (found.size === max) {
			break;
		}
		const uri = vscode.Uri.parse(image.target, true);
		const isHere = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
		if (!found.has(image.target) && isHere && (await mayExist(uri))) {
			found.set(image.target, { ...image, uri });
		}
	}
	return [...found.values()];
}
