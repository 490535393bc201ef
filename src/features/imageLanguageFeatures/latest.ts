import * as vscode from 'vscode';
import type { Gallery, GalleryImage } from '../../jobs/gallery.js';

export interface LatestImage extends GalleryImage {
	readonly uri: vscode.Uri;
}

/** The latest images of this workspace whose files are still there, newest first. */
export async function latestImages(gallery: Gallery, most: number): Promise<LatestImage[]> {
	const found: LatestImage[] = [];
	const seen = new Set<string>();
	for (const image of await gallery.list()) {
		if (found.length === most) {
			break;
		}
		const uri = vscode.Uri.parse(image.target, true);
		if (
			!seen.has(image.target) &&
			vscode.workspace.getWorkspaceFolder(uri) !== undefined &&
			(await isThere(uri))
		) {
			seen.add(image.target);
			found.push({ ...image, uri });
		}
	}
	return found;
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}
