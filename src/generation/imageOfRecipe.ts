import path from 'node:path';
import * as vscode from 'vscode';
import { unknownImage, isUnknownImage } from '../editor/unknownImage.js';
import type { GalleryImage } from '../jobs/gallery.js';
import type { UsedImage } from '../recipes/recipe.js';
import type { FoundRecipe } from '../recipes/reading/recipeReader.js';

/**
 * An image by its own words, as the gallery knows images. What it says it was made from counts as far
 * as that is among the images of the workspace: a stranger has no other file of this machine shown or
 * sent.
 *
 * @param listed the images of the workspace, absolute
 */
export function imageOfRecipe(
	{ file, width, height, bytes, recipe }: FoundRecipe,
	listed: ReadonlySet<string>,
): GalleryImage {
	const { id, createdAt, operation, prompt, size, quality, style, round } = recipe;
	const target = vscode.Uri.file(file);
	const folder = vscode.workspace.getWorkspaceFolder(target)?.uri;
	const { used, ofStyle } = sentWith(recipe);
	return {
		id,
		savedAt: createdAt,
		target: target.toString(),
		operation,
		prompt,
		size,
		quality,
		references: used.map((one) => placeOf(one, file, listed).toString()),
		referenceHashes: used.length === 0 ? undefined : used.map(({ sha256 }) => sha256),
		style: style && { ...style, references: ofStyle.map(({ sha256 }) => sha256) },
		round,
		workspaceFolder: folder?.toString(),
		width,
		height,
		bytes,
	};
}

/** The images that the person has chosen, and those of the style, which are the last ones. */
function sentWith({ parents, references, style }: FoundRecipe['recipe']) {
	const own = references.length - Math.min(style?.references ?? 0, references.length);
	return { used: [...parents, ...references.slice(0, own)], ofStyle: references.slice(own) };
}

function placeOf({ path: way }: UsedImage, file: string, listed: ReadonlySet<string>): vscode.Uri {
	const meant = way === undefined ? undefined : path.resolve(path.dirname(file), way);
	return meant !== undefined && listed.has(meant)
		? vscode.Uri.file(meant)
		: unknownImage(meant === undefined ? '' : path.basename(meant));
}

/** The hash of what an edit was made from, where that lies elsewhere than it says. */
export function lostParent({
	operation,
	references,
	referenceHashes,
}: GalleryImage): string | undefined {
	const [edited] = references;
	const isLost =
		operation === 'edit' && edited !== undefined && isUnknownImage(vscode.Uri.parse(edited, true));
	return isLost ? referenceHashes?.[0] : undefined;
}

/** Whether a file says what it said before, as far as recipes differ where they differ at all. */
export function isAlike(one: GalleryImage | undefined, other: GalleryImage): boolean {
	return (
		one !== undefined &&
		one.id === other.id &&
		one.savedAt === other.savedAt &&
		one.prompt === other.prompt &&
		one.bytes === other.bytes &&
		one.sha256 === other.sha256 &&
		one.references.join() === other.references.join() &&
		one.style?.sha256 === other.style?.sha256 &&
		one.round?.id === other.round?.id &&
		one.round?.place === other.round?.place
	);
}
