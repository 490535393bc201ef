import { readBoundedSync } from '../files/boundedRead.js';
import { detectFormat, type ImageFormat } from './inspect.js';
import type { Orientation } from './orientation.js';
import { decodeJpeg, decodeWebp } from './thumbnails/codecs.js';
import { colorProfile } from './thumbnails/colorProfile.js';
import { isCmyk } from './thumbnails/jpeg.js';
import { checkSize, saysTooLarge, shrink } from './thumbnails/make.js';
import { maxFileBytes, type MakeProblem } from './thumbnails/order.js';
import { readPng } from './thumbnails/png.js';
import { turn, type Pixels } from './thumbnails/shrink.js';
import { firstFrame } from './thumbnails/webp.js';

/** Decodes all pixels of an image, turned as it is shown. Run it in a worker: it blocks its thread. */
export async function decodeWhole(
	bytes: Buffer,
	format: ImageFormat,
	memoryLimit: number,
): Promise<Pixels> {
	switch (format) {
		case 'png':
			return decodePng(bytes);
		case 'jpeg':
			return checkSize(await decodeJpeg(bytes, memoryLimit));
		case 'webp': {
			const frame = firstFrame(bytes);
			return frame === undefined
				? checkSize(await decodeWebp(bytes, memoryLimit))
				: shrink(bytes, format, { maxSide: Math.max(frame.width, frame.height), memoryLimit });
		}
	}
}

async function decodePng(bytes: Buffer): Promise<Pixels> {
	let picture: Pixels | undefined;
	let orientation: Orientation = 1;
	await readPng(bytes, (header) => {
		const { width, height } = checkSize(header);
		({ orientation } = header);
		picture = { width, height, data: new Uint8ClampedArray(width * height * 4) };
		const to = new Uint32Array(picture.data.buffer);
		return (y, rgba, count, x, step) => {
			const from = new Uint32Array(rgba.buffer, rgba.byteOffset, count);
			for (let index = 0, at = y * width + x; index < count; index++, at += step) {
				to[at] = from[index]!;
			}
		};
	});
	return turn(picture!, orientation);
}

/** A picture as its file has it. */
export interface DecodedFile {
	readonly picture: Pixels;
	/** The ICC profile of its colors. */
	readonly profile: Buffer | undefined;
	/** True where its file has 16 bits for each color; the picture has the upper 8. */
	readonly isDeep: boolean;
}

/** An image that cannot be decoded. */
export interface DecodeProblem {
	readonly problem: MakeProblem;
	readonly detail: string;
}

/** Decodes a file. It does not throw. */
export async function decodeFile(
	path: string,
	memoryLimit: number,
): Promise<DecodedFile | DecodeProblem> {
	let problem: MakeProblem = 'unreadable';
	try {
		const bytes = readBoundedSync(path, { maxBytes: maxFileBytes });
		const format = detectFormat(bytes);
		if (format === undefined) {
			return { problem: 'undecodable', detail: 'it is no image' };
		}
		problem = format === 'jpeg' && isCmyk(bytes) ? 'cmyk' : 'undecodable';
		const picture = await decodeWhole(bytes, format, memoryLimit);
		// The bit depth of a PNG stands in its first chunk (PNG 3, part 11.2.1).
		const isDeep = format === 'png' && bytes[24] === 16;
		return { picture, profile: colorProfile(bytes, format), isDeep };
	} catch (error) {
		return decodeProblem(error, problem);
	}
}

/** Returns what an error says of an image. */
export function decodeProblem(error: unknown, problem: MakeProblem): DecodeProblem {
	return {
		problem: saysTooLarge(error) ? 'tooLarge' : problem,
		detail: error instanceof Error ? error.message : String(error),
	};
}
