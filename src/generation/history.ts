import * as vscode from 'vscode';
import { occurs } from '../editor/events.js';
import { uriExists } from '../editor/files.js';
import type { Gallery, GalleryImage } from '../jobs/gallery.js';
import type { WorkspaceImages } from './workspaceImages.js';
import { belongsHere } from './galleryLookup.js';

/**
 * All images that are known: those of the gallery, and those of this workspace that are known by their
 * own words alone, because they were made by another user or on another machine.
 */
export class History {
	#last:
		| {
				readonly seen: readonly unknown[];
				readonly images: readonly GalleryImage[];
		  }
		| undefined;

	constructor(
		private readonly gallery: Pick<Gallery, 'list'>,
		private readonly found: Pick<
			WorkspaceImages,
			'follow' | 'forget' | 'images' | 'isLooking' | 'onDidChange'
		>,
	) {}

	/** Called when other images are found, and when all are known. */
	get onDidChange(): vscode.Event<void> {
		return this.found.onDidChange;
	}

	get isLooking(): boolean {
		return this.found.isLooking;
	}

	/** Has images looked for until what is returned is disposed of; they come little by little. */
	follow(): vscode.Disposable {
		return this.found.follow();
	}

	/** Resolves when all that the files say now has been read. */
	async untilKnown(): Promise<void> {
		const following = this.follow();
		while (this.isLooking) {
			await occurs(this.onDidChange);
		}
		following.dispose();
	}

	forget(image: GalleryImage): void {
		this.found.forget(image);
	}

	/**
	 * All of them, newest first, as far as they have been looked for; the same array as long as they
	 * are the same.
	 *
	 * @throws the system's error where the gallery cannot be read
	 */
	async list(): Promise<readonly GalleryImage[]> {
		const images = await this.gallery.list();
		const { images: found } = this.found;
		const folders = vscode.workspace.workspaceFolders ?? [];
		const seen = [images, found, folders.map(({ uri }) => uri).join()];
		if (this.#last?.seen.every((one, index) => one === seen[index]) !== true) {
			this.#last = { seen, images: together(await whereTheyAre(images, found), found) };
		}
		return this.#last.images;
	}
}

/**
 * An image of the gallery that was moved by another program, such as git, says itself where it is now.
 * As long as there is a file where the gallery has it, that counts: others are copies.
 */
async function whereTheyAre(
	images: readonly GalleryImage[],
	found: readonly GalleryImage[],
): Promise<readonly GalleryImage[]> {
	const files = new Set(found.map(({ target }) => target));
	const places = firstOfEach(found);
	return Promise.all(
		images.map(async (image) => {
			const place = places.get(image.id);
			if (place === undefined || files.has(image.target) || !belongsHere(image)) {
				return image;
			}
			// What cannot be looked at now may well be there.
			const isStill = await uriExists(vscode.Uri.parse(image.target, true)).catch(() => true);
			return isStill ? image : { ...image, target: place.target };
		}),
	);
}

/**
 * What the gallery knows of an image of this workspace counts: more is noted there, and the place
 * that the user knows. Of several copies of another one, the first by its path counts.
 */
function together(
	images: readonly GalleryImage[],
	found: readonly GalleryImage[],
): readonly GalleryImage[] {
	if (found.length === 0) {
		return images;
	}
	const known = new Set(images.filter(belongsHere).map(({ id }) => id));
	const others = firstOfEach(found.filter(({ id }) => !known.has(id)));
	return [...images, ...others.values()].sort((a, b) =>
		a.savedAt < b.savedAt ? 1 : a.savedAt > b.savedAt ? -1 : 0,
	);
}

/** By their identifiers; of several copies, the first by its path. */
function firstOfEach(images: readonly GalleryImage[]): ReadonlyMap<string, GalleryImage> {
	const first = new Map<string, GalleryImage>();
	for (const image of images) {
		const before = first.get(image.id);
		if (before === undefined || image.target < before.target) {
			first.set(image.id, image);
		}
	}
	return first;
}
