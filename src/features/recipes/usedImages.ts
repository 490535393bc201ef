import * as vscode from 'vscode';
import { assertInside, uriExists } from '../../editor/files.js';
import type { KnownImages } from '../../generation/galleryLookup.js';
import type { UsedImage } from '../../recipes/recipe.js';

/** An image that a recipe names, and where it lies now; `undefined` where that is unknown. */
interface FoundImage {
	readonly used: UsedImage;
	readonly uri: vscode.Uri | undefined;
}

/**
 * Looks for images that the recipe of another one names: where it says, within the same workspace
 * folder, symbolic links included, and else where the gallery has seen those bytes.
 *
 * @param image that has the recipe
 */
export async function findUsed(
	image: vscode.Uri,
	all: readonly UsedImage[],
	gallery: KnownImages,
): Promise<FoundImage[]> {
	const known = await gallery.list().catch(() => []);
	return Promise.all(
		all.map(async (used): Promise<FoundImage> => {
			const saved = known
				.filter(({ sha256 }) => sha256 === used.sha256)
				.map(({ target }) => vscode.Uri.parse(target, true));
			for (const uri of [...(await placeOf(image, used)), ...saved]) {
				// What cannot be looked at now cannot be used either.
				if (await uriExists(uri).catch(() => false)) {
					return { used, uri };
				}
			}
			return { used, uri: undefined };
		}),
	);
}

/** The file may come from anybody, with any path in it and any link there. */
async function placeOf(image: vscode.Uri, { path }: UsedImage): Promise<vscode.Uri[]> {
	const folder = vscode.workspace.getWorkspaceFolder(image)?.uri;
	if (path === undefined || folder === undefined) {
		return [];
	}
	const uri = vscode.Uri.joinPath(image, '..', path);
	try {
		await assertInside(folder, uri);
		return [uri];
	} catch {
		return [];
	}
}
