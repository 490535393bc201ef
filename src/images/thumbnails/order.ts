import path from 'node:path';

export type WorkerOrder =
	| { readonly make: MakeOrder }
	| { readonly sweep: { readonly folder: string; readonly bounds: Bounds } };

/** `swept` also where the folder could not be read: it is tried again another time. */
export type WorkerAnswer = MakeAnswer | { readonly swept: true };

/** What a worker is told to make. */
export interface MakeOrder {
	/** Absolute path of the image. */
	readonly path: string;
	/** Where thumbnails are kept. */
	readonly folder: string;
	/** Of the thumbnail, in pixels. */
	readonly longestSide: number;
	/** Of a decoder, in bytes. */
	readonly memoryLimit: number;
}

export interface MadeThumbnail {
	/** SHA-256 of the bytes that were read, hexadecimal. */
	readonly sha256: string;
	/** Absolute path of the thumbnail. */
	readonly file: string;
	/** Of the thumbnail, in pixels. */
	readonly width: number;
	readonly height: number;
}

/**
 * - `unreadable`: the file is gone, or may not be read;
 * - `tooLarge`: it has more bytes or pixels than are decoded, or takes more memory than it may;
 * - `undecodable`: its pixels are damaged, cut off, or of a kind that is not understood;
 * - `unwritable`: the thumbnail could not be stored.
 */
export type MakeProblem = 'unreadable' | 'tooLarge' | 'undecodable' | 'unwritable';

export type MakeAnswer =
	{ readonly made: MadeThumbnail } | { readonly problem: MakeProblem; readonly detail: string };

/** A photo of 50 megapixels has just less. */
export const mostPixels = 50 * 1024 * 1024;
/**
 * In pixels, of a picture. Of each column some 40 bytes are held: two lines as they are stored, one
 * as it is drawn, and where it goes. A panorama of a kilometer has less.
 */
export const longestPictureSide = 128 * 1024;
/** In bytes, of a file. It is read at once; the service makes none above 24 MiB. */
export const largestFile = 40 * 1024 * 1024;

/** Whether a picture is larger than what is decoded, by its dimensions in pixels. */
export function isTooLarge({ width, height }: { width: number; height: number }): boolean {
	return Math.max(width, height) > longestPictureSide || width * height > mostPixels;
}

/** The name says what it shows and how large it is. */
export function thumbnailFile(folder: string, sha256: string, longestSide: number): string {
	return path.join(folder, `${sha256}-${String(longestSide)}.webp`);
}

/** Of what is being written. */
export const partEnding = '.part';

/** What the folder of thumbnails may hold. */
export interface Bounds {
	readonly bytes: number;
	readonly files: number;
}
