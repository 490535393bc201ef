import path from 'node:path';
import type { GalleryImage } from '../jobs/gallery.js';
import type { ImageAnnotation } from './annotations.js';
import { phrases } from '../messages.js';

/**
 * Texts by which an image is found: its prompt, its name, and what the user has written about it.
 */
export interface Searched {
	readonly prompt: string;
	/** Missing where there is only the request. */
	readonly image: Pick<GalleryImage, 'target'> | undefined;
	readonly mark: Pick<ImageAnnotation, 'title' | 'note'>;
	readonly style?: { readonly path: string } | undefined;
	/** Returns whether that was another one than it is now. */
	readonly isOlder?: () => boolean;
}

/** Says which images have all of the words, in any order and case; “older style” is one word. */
export function searchMatcher(text: string): (searched: Searched) => boolean {
	const typed = text.toLowerCase().match(/older\s+style|\S+/g) ?? [];
	const words = typed.map((word) => word.replace(/\s+/, ' '));
	return ({ prompt, image, mark: { title = '', note = '' }, style, isOlder }) => {
		if (words.length === 0) {
			return true;
		}
		const [name, guide] = [image?.target, style?.path].map((file) =>
			path.posix.basename(file ?? ''),
		);
		const age = isOlder?.() === true ? phrases.olderStyle : '';
		// Each in a line of its own: no words are found across two of them.
		const searched = [prompt, name, title, note, guide, age].join('\n').toLowerCase();
		return words.every((word) => searched.includes(word));
	};
}
