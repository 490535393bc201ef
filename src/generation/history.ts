import * as vscode from 'vscode';
import type { Gallery, GalleryImage } from '../jobs/gallery.js';
import type { FoundImages } from './foundImages.js';
import { belongsHere } from './madeImages.js';

/**
 * All images that are known: those of the gallery, and those of this workspace that are known by their
 * own words alone, because somebody else has made them, or on another machine.
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
			FoundImages,
			'follow' | 'forget' | 'images' | 'isLooking' | 'onDidChange'
		>,
	) {}

	/** Called when other images are found, and when all are known. */
	get onDidChange(): vscode.Event<void> {
		return this.found.onDidChange;
	}

	/** Whether images are being looked for now. */
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
			await new Promise<void>((resolve) => {
				const listening = this.onDidChange(() => {
					listening.dispose();
					resolve();
				});
			});
		}
		following.dispose();
	}

	/** Leaves out an image whose file has just been removed. */
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
			this.#last = { seen, images: together(images, found) };
		}
		return this.#last.images;
	}
}

/**
 * What the gallery knows of an image of this workspace counts: more is noted there, and the place
 * that a person knows. Of several copies of another one, the first by its path counts.
 */
function together(
	images: readonly GalleryImage[],
	found: readonly GalleryImage[],
): readonly GalleryImage[] {
	if (found.length === 0) {
		return images;
	}
	const known = new Set(images.filter(belongsHere).map(({ id }) => id));
	const others = new Map<string, GalleryImage>();
	for (const image of found) {
		const before = others.get(image.id);
		if (!known.has(image.id) && (before === undefined || image.target < before.target)) {
			others.set(image.id, image);
		}
	}
	return [...images, ...others.values()].sort((a, b) =>
		a.savedAt < b.savedAt ? 1 : a.savedAt > b.savedAt ? -1 : 0,
	);
}
