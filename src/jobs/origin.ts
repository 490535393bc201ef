import type { GalleryImage } from './gallery.js';

/** What an edit has begun with: it shows that still, in another way. */
export interface Origin {
	/** The images from which each of its edits was made, as URIs, the nearest first. */
	readonly files: readonly string[];
	/** That of the first of them, where it was made of a prompt here. */
	readonly prompt: string | undefined;
}

/**
 * Follows an edit back by way of what it was made from.
 *
 * @param images those that are known, newest first
 * @returns `undefined` for what is no edit
 */
export function originOf(
	{ operation, references }: Pick<GalleryImage, 'operation' | 'references'>,
	images: readonly GalleryImage[],
): Origin | undefined {
	const [original] = references;
	if (operation !== 'edit' || original === undefined) {
		return undefined;
	}
	const files: string[] = [];
	let file: string | undefined = original;
	while (file !== undefined && !files.includes(file)) {
		const from: string = file;
		const made: GalleryImage | undefined = images.find(({ target }) => target === from);
		files.push(from);
		if (made?.operation === 'generate') {
			return { files, prompt: made.prompt };
		}
		file = made?.references[0];
	}
	return { files, prompt: undefined };
}
