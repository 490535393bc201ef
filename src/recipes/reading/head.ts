import { closeSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { openKnownRegularSync } from '../../files/boundedRead.js';
import { maxImageBytes } from '../../images/inspect.js';
import { frameBytes } from '../chunks.js';
import { recipeKeyword } from '../ours.js';
import { parseRecipe, type Recipe } from '../recipe.js';
import { maxTextBytes } from '../textChunks.js';

/** Findings at the beginning of a PNG. */
export interface PngHead {
	/** In pixels. */
	readonly width: number;
	readonly height: number;
	/**
	 * `otherwise` where it stands there in another way than Easel writes it, because another program
	 * has written the file anew: then the whole file has to be looked through.
	 */
	readonly recipe: Recipe | 'newer' | 'otherwise' | undefined;
}

/**
 * Reads what Easel has written before the picture, and little else: thousands of files are read so,
 * one after the other, in a worker. It does not pause.
 *
 * @param file absolute; known to be a regular file a moment ago
 * @returns `undefined` for what is no PNG
 * @throws {UnfitFileError} where it is no regular file, or too large; the system's error
 */
export function readPngHead(file: string): PngHead | undefined {
	const limits = { maxBytes: maxImageBytes, followLinks: false };
	const { descriptor, size } = openKnownRegularSync(file, limits);
	try {
		const bytesAt = reader(descriptor, size);
		const header = bytesAt(0, headerBytes);
		const [width, height] = [header.readUInt32BE(16), header.readUInt32BE(20)];
		const isPng = header.subarray(0, headerStart.length).equals(headerStart);
		if (!isPng || !isSide(width) || !isSide(height)) {
			return undefined;
		}
		return { width, height, recipe: recipeIn(bytesAt, size) };
	} finally {
		closeSync(descriptor);
	}
}

/** The signature, and the beginning of the chunk that every PNG begins with (PNG 3, part 5). */
const headerStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
/** With width and height. */
const headerBytes = 24;

function isSide(pixels: number): boolean {
	return pixels > 0 && pixels < 2 ** 31;
}

/** Reads so many bytes from there on; zeros where the file ends before. */
type BytesAt = (start: number, length: number) => Buffer;

/** In bytes. Easel's own chunks are mostly a few thousand. */
const headBytes = 16 * 1024;

function reader(descriptor: number, size: number): BytesAt {
	const readAt: BytesAt = (start, length) => {
		const bytes = Buffer.alloc(length);
		for (let filled = 0; filled < length;) {
			const count = readSync(descriptor, bytes, filled, length - filled, start + filled);
			if (count === 0) {
				break;
			}
			filled += count;
		}
		return bytes;
	};
	const head = readAt(0, Math.max(Math.min(size, headBytes), headerBytes));
	return (start, length) =>
		start + length <= head.length ? head.subarray(start, start + length) : readAt(start, length);
}

/** Chunks before the picture; more is no picture of anybody's. */
const maxChunksBefore = 500;
/**
 * Chunks from where the picture begins: programs that put a recipe behind it write few and large
 * ones.
 */
const maxChunksBehind = 64;

function recipeIn(bytesAt: BytesAt, size: number): PngHead['recipe'] {
	let found: PngHead['recipe'];
	let left = maxChunksBefore;
	let isBehind = false;
	for (let at = 8; at + frameBytes <= size && left > 0; left -= 1) {
		const start = bytesAt(at, 8 + keyword.length);
		const length = start.readUInt32BE(0);
		const type = start.toString('latin1', 4, 8);
		if (type === 'IEND' || at + frameBytes + length > size) {
			break;
		}
		if (type === 'IDAT' && !isBehind) {
			isBehind = true;
			left = maxChunksBehind;
		}
		if (isText.test(type) && start.subarray(8).equals(keyword)) {
			// The last one counts, as everywhere.
			found = recipeAt(bytesAt, at, length);
		}
		at += frameBytes + length;
	}
	return found;
}

const isText = /^(?:tEXt|zTXt|iTXt)$/;
const keyword = Buffer.from(`${recipeKeyword}\0`, 'latin1');
/** As `textChunk` writes it: in no language, not packed. */
const ourStart = Buffer.from(`iTXt${recipeKeyword}\0\0\0\0\0`, 'latin1');

function recipeAt(bytesAt: BytesAt, at: number, length: number): PngHead['recipe'] {
	if (length > maxTextBytes + ourStart.length) {
		return undefined;
	}
	const bytes = bytesAt(at + 4, length + frameBytes - 4);
	if (!bytes.subarray(0, ourStart.length).equals(ourStart)) {
		return 'otherwise';
	}
	const isSound = crc32(bytes.subarray(0, -4)) === bytes.readUInt32BE(bytes.length - 4);
	return isSound
		? parseRecipe(bytes.toString('utf8', ourStart.length, bytes.length - 4))
		: undefined;
}
