import type { PaletteColor } from './palette.js';
import type { MeasureAnswer } from './thumbnails/order.js';
import { Thread } from './thumbnails/thread.js';
import { orderFrom } from './thumbnails/thumbnailError.js';

/** Of the copy that is measured, in pixels: an accent of a few pixels of the picture still counts. */
const maxSide = 1024;
const timeLimitMs = 20_000;
/** Of a decoder, in bytes. */
const memoryLimit = 640 * 1024 * 1024;

/**
 * Measures the main colors of a PNG, JPEG or WebP image, in a worker thread of its own: see
 * `paletteOf`.
 *
 * @param file absolute
 * @param script the bundle of the workers that make thumbnails, absolute
 * @throws {ImageError} where the file is missing or cannot be read
 * @throws {ThumbnailError} where its pixels cannot be decoded
 */
export async function paletteOfFile(
	file: string,
	script: string,
): Promise<readonly PaletteColor[]> {
	const thread = new Thread(script);
	try {
		const measure = { path: file, maxSide, memoryLimit };
		return (await orderFrom<MeasureAnswer>(thread, { measure }, file, timeLimitMs)).colors;
	} finally {
		await thread.end();
	}
}
