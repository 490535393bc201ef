import * as vscode from 'vscode';
import type { MadeImage, MadeImages } from '../../editor/generation/madeImages.js';

/** The latest images of this workspace whose files are still there, newest first. */
export async function latestImages(made: MadeImages, most: number): Promise<MadeImage[]> {
	const found: MadeImage[] = [];
	const seen = new Set<string>();
	for (const image of await made.list()) {
		const uri = image.uri.toString();
		if (
			found.length < most &&
			!seen.has(uri) &&
			vscode.workspace.getWorkspaceFolder(image.uri) !== undefined &&
			(await isThere(image.uri))
		) {
			seen.add(uri);
			found.push(image);
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
