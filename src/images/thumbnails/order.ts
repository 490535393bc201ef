import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Thumbnail } from './stored.js';

/** Message to a worker. */
export type WorkerOrder =
	| { readonly make: MakeOrder }
	| { readonly sweep: { readonly folder: string; readonly bounds: Bounds } };

/** `swept` is the answer even where sweeping failed: the next sweep tries again. */
export type WorkerAnswer = MakeAnswer | { readonly swept: true };

/**
 * The most memory that a decoder may take, in bytes: enough for `maxPixels` and the coefficients of a
 * progressive JPEG.
 */
export const decoderMemory = 640 * 1024 * 1024;

/** Order for a thumbnail. */
export interface MakeOrder {
	/** Absolute path of the image. */
	readonly path: string;
	/** Absolute path of the thumbnail, with the ending of its format. */
	readonly file: string;
	/** Longest side of the thumbnail, in pixels. */
	readonly maxSide: number;
	/** Quality of the file, 0 to 100. */
	readonly quality: number;
	/** The most memory that a decoder may take, in bytes. */
	readonly memoryLimit: number;
}

/**
 * - `unreadable`: the file is gone, or may not be read;
 * - `tooLarge`: it has more bytes or pixels than are decoded, or takes more memory than it may;
 * - `undecodable`: its pixels are damaged, cut off, or of a kind that is not understood;
 * - `cmyk`: it is a JPEG in the colors of print, which the decoder does not convert;
 * - `unwritable`: the thumbnail could not be stored.
 */
export type MakeProblem = 'unreadable' | 'tooLarge' | 'undecodable' | 'cmyk' | 'unwritable';

export type MakeAnswer = { readonly made: Thumbnail } | Problem;

interface Problem {
	readonly problem: MakeProblem;
	readonly detail: string;
}

/** The most pixels that are decoded, a little more than a photo of 50 megapixels has. */
export const maxPixels = 50 * 1024 * 1024;
/**
 * In pixels, of a picture. Of each column some 40 bytes are held: two lines as they are stored, one
 * as it is drawn, and where it goes. A panorama of a kilometer has less.
 */
export const maxPictureSide = 128 * 1024;
/** The largest file that is read, in bytes, into memory as a whole; the service makes none above 24 MiB. */
export const maxFileBytes = 40 * 1024 * 1024;

/** Returns whether a picture with these dimensions, in pixels, is too large to be decoded. */
export function isTooLarge({ width, height }: { width: number; height: number }): boolean {
	return Math.max(width, height) > maxPictureSide || width * height > maxPixels;
}

/** Ending of a thumbnail's name. A JPEG has no transparency, and is read by more programs. */
export type ThumbnailEnding = '.webp' | '.jpg';

/** Absolute path of the thumbnail of one version of an image, `maxSide` in pixels. */
export function thumbnailFile(
	folder: string,
	version: string,
	maxSide: number,
	ending: ThumbnailEnding,
): string {
	const sha256 = createHash('sha256').update(version).digest('hex');
	return path.join(folder, `${sha256}-${String(maxSide)}${ending}`);
}

/** Ending of the name of a thumbnail that is being written. */
export const partEnding = '.part';

/** Limits of the folder of thumbnails. */
export interface Bounds {
	readonly bytes: number;
	readonly files: number;
}
