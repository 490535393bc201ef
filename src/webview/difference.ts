import type { Extent, Rectangle } from './geometry.js';

/** A picture, and where it lies in a box. */
interface Laid {
	readonly source: string;
	readonly place: Rectangle;
}

/** Longer side of the box in which pictures are compared, in pixels. */
const maxSide = 2048;

/**
 * Returns the part of a box, 0 to 1, in which two pictures that lie over each other differ.
 *
 * @param box in pixels
 * @param placesIn where the two lie in a box of the same shape
 * @param threshold least difference of a color channel that counts, in percent of the largest
 * @throws what the browser throws where a picture cannot be loaded
 */
export async function differentPart(
	box: Extent,
	placesIn: (box: Rectangle) => readonly Laid[],
	threshold: number,
): Promise<number> {
	const scale = Math.min(1, maxSide / Math.max(box.width, box.height));
	const width = Math.max(1, Math.round(box.width * scale));
	const height = Math.max(1, Math.round(box.height * scale));
	const context = new OffscreenCanvas(width, height).getContext('2d')!;
	// What neither of them covers is alike.
	context.fillRect(0, 0, width, height);
	for (const { source, place } of placesIn({ x: 0, y: 0, width, height })) {
		const image = new Image();
		image.src = source;
		await image.decode();
		context.globalCompositeOperation = 'difference';
		context.drawImage(image, place.x, place.y, place.width, place.height);
	}
	const { data } = context.getImageData(0, 0, width, height);
	const least = (threshold / 100) * 255;
	let count = 0;
	for (let at = 0; at < data.length; at += 4) {
		count += Math.max(data[at]!, data[at + 1]!, data[at + 2]!) >= least ? 1 : 0;
	}
	return count / (width * height);
}
