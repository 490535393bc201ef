import path from 'node:path';
import type { GalleryImage } from './gallery.js';
import type { ImageMark } from './marks.js';

/** What an image is found by: what was asked for, its name, and what a person has written about it. */
export interface Searched {
	readonly prompt: string;
	/** Missing where there is only the request. */
	readonly image: Pick<GalleryImage, 'target'> | undefined;
	readonly mark: Pick<ImageMark, 'title' | 'note'>;
}

/**
 * Says which images have all of the words, in any order and case; without words all have.
 *
 * @param text as a person has typed it
 */
export function wordFinder(text: string): (searched: Searched) => boolean {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	return ({ prompt, image, mark: { title = '', note = '' } }) => {
		if (words.length === 0) {
			return true;
		}
		const name = image === undefined ? '' : path.posix.basename(image.target);
		const searched = `${prompt} ${name} ${title} ${note}`.toLowerCase();
		return words.every((word) => searched.includes(word));
	};
}
