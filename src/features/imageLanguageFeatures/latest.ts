import * as vscode from 'vscode';
import { uriExists } from '../../editor/files.js';
import type { Gallery, GalleryImage } from '../../jobs/gallery.js';

export interface LatestImage extends GalleryImage {
	readonly uri: vscode.Uri;
}

/** The latest images of this workspace whose files are still there, newest first. */
export async function latestImages(gallery: Gallery, max: number): Promise<LatestImage[]> {
	const found: LatestImage[] = [];
	const seen = new Set<string>();
	for (const image of await gallery.list()) {
		if (found.length === max) {
			break;
		}
		const uri = vscode.Uri.parse(image.target, true);
		if (
			!seen.has(image.target) &&
			vscode.workspace.getWorkspaceFolder(uri) !== undefined &&
			// What cannot be looked at now may well be there.
			(await uriExists(uri).catch(() => true))
		) {
			seen.add(image.target);
			found.push({ ...image, uri });
		}
	}
	return found;
}
