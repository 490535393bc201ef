import type { Image } from '../../protocol/studio.js';

/** More than anybody looks at; what is needed again is asked for again. */
const mostKnown = 2000;

/** Returns what is known of the images, with what has just been learned. */
export function withImages(
	known: ReadonlyMap<string, Image>,
	images: readonly Image[],
): ReadonlyMap<string, Image> {
	const now = new Map(known);
	for (const image of images) {
		const before = now.get(image.id);
		// To the end: the first ones are forgotten first.
		now.delete(image.id);
		now.set(image.id, withThumbnail(image, before));
	}
	for (const id of [...now.keys()].slice(0, Math.max(now.size - mostKnown, 0))) {
		now.delete(id);
	}
	return now;
}

/** A thumbnail comes later than what the image is. Until then that of the same file stays. */
function withThumbnail(image: Image, before: Image | undefined): Image {
	const { thumbnail = before?.thumbnail, source } = image;
	return thumbnail === undefined || source === undefined || source !== before?.source
		? image
		: { ...image, thumbnail };
}
