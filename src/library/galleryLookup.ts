import { posix } from 'node:path';
import * as vscode from 'vscode';
import { isUnknownImage, mayExist, uriExists } from '../editor/files.js';
import { placeOf } from '../editor/filePlaces.js';
import { editable } from '../editor/targetImage.js';
import type { KeptRest } from '../images/marks.js';
import { askedReferences, type Gallery, type GalleryImage } from '../jobs/gallery.js';
import { phrases } from '../messages.js';

/** Returns whether an image was made in this workspace, or lies in it. */
export function belongsHere({ workspaceFolder, target }: GalleryImage): boolean {
	const folders = vscode.workspace.workspaceFolders ?? [];
	return (
		(workspaceFolder === undefined && folders.length === 0) ||
		folders.some(
			({ uri }) => uri.toString() === workspaceFolder || target.startsWith(`${uri.toString()}/`),
		)
	);
}

/**
 * Store that knows images: the gallery of this machine, or the history, which also reads their
 * files.
 */
export type KnownImages = Pick<Gallery, 'list'>;

/**
 * The image of the gallery that this file is; `undefined` where there is none. What was put in the
 * place of another one is known by its bytes, and what was changed since by its place.
 */
export async function galleryImageAt(
	uri: vscode.Uri,
	gallery: KnownImages,
): Promise<GalleryImage | undefined> {
	const images = await gallery.list();
	const size = await sizeOf(uri);
	const sameBytes = images.filter((image) => image.bytes === size && image.sha256 !== undefined);
	// What cannot be read now is known by its place.
	const sha256 = sameBytes.length === 0 ? undefined : await hashOf(uri);
	const target = uri.toString();
	return (
		sameBytes.find((image) => image.sha256 === sha256 && image.target === target) ??
		sameBytes.find((image) => image.sha256 === sha256) ??
		images.find((image) => image.target === target) ??
		images.find((image) => image.published === target)
	);
}

/** Returns the image of which this file is shown by documents; the file itself where it is none such. */
export async function masterOf(uri: vscode.Uri, gallery: KnownImages): Promise<vscode.Uri> {
	const file = uri.toString();
	const images = await gallery.list().catch(() => []);
	const image = images.find(({ published }) => published === file);
	const master = image && vscode.Uri.parse(image.target, true);
	return master !== undefined && (await mayExist(master)) ? master : uri;
}

/**
 * Returns whether the file still has the saved bytes. What cannot be compared counts as changed.
 */
export async function isAsSaved(uri: vscode.Uri, image: GalleryImage): Promise<boolean> {
	return (
		image.sha256 !== undefined &&
		image.bytes === (await sizeOf(uri)) &&
		image.sha256 === (await hashOf(uri))
	);
}

/** Returns the hash of the file that is there now; `undefined` where it cannot be read. */
async function hashOf(uri: vscode.Uri): Promise<string | undefined> {
	const place = placeOf(uri);
	return place.sha256().catch(() => undefined);
}

/**
 * The image that this one was made or regenerated from; `undefined` where there is none, or
 * none that could give way: what was pasted lies in our own storage, without a name.
 */
export function originalOf(image: GalleryImage): vscode.Uri | undefined {
	const { operation, regeneratedFrom, darkOf } = image;
	// A picture for dark pages stands beside the other one.
	const isChange = operation === 'edit' && darkOf === undefined;
	const original = regeneratedFrom ?? (isChange ? askedReferences(image)[0] : undefined);
	const uri = original === undefined ? undefined : vscode.Uri.parse(original, true);
	return uri !== undefined && isUnknownImage(uri) ? undefined : editable(uri);
}

/** An image that has the rest of its original outside of marks. */
export type Restored = GalleryImage & { readonly keptRest: KeptRest };

/** Finds what an answer to marks became with the rest of its original, as long as that is there. */
export async function restoredOf(
	{ target }: GalleryImage,
	images: readonly GalleryImage[],
): Promise<Restored | undefined> {
	for (const image of images) {
		const isOfAnswer = image.references[0] === target && image.keptRest !== undefined;
		if (isOfAnswer && (await uriExists(vscode.Uri.parse(image.target, true)).catch(() => false))) {
			return image as Restored;
		}
	}
	return undefined;
}

/** Returns whether the rest of the original can be kept for an image: an answer to marks alone. */
export async function lacksRest(
	image: GalleryImage,
	images: readonly GalleryImage[],
): Promise<boolean> {
	const { marks = [], keptRest } = image;
	return (
		marks.length > 0 && keptRest === undefined && (await restoredOf(image, images)) === undefined
	);
}

/** Returns the name of an image that others were made from; what was pasted has none of its own. */
export function nameOfOriginal(uri: vscode.Uri): string {
	if (isUnknownImage(uri)) {
		return posix.basename(uri.path) || phrases.unknownOriginal;
	}
	return editable(uri) === undefined ? phrases.pastedImage : posix.basename(uri.path);
}

/** Returns the image that this one may replace; `undefined` where it has replaced it. */
export async function originalBeside(
	uri: vscode.Uri,
	gallery: KnownImages,
): Promise<vscode.Uri | undefined> {
	const image = await galleryImageAt(uri, gallery);
	const original = image && originalOf(image);
	return original?.toString() === uri.toString() ? undefined : original;
}

async function sizeOf(uri: vscode.Uri): Promise<number | undefined> {
	return vscode.workspace.fs.stat(uri).then(
		({ size }) => size,
		() => undefined,
	);
}
