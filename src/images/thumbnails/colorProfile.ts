import { inflateSync } from 'node:zlib';
import type { ImageFormat } from '../inspect.js';
import { jpegProfile } from './jpeg.js';
import { pngChunks } from './png.js';
import { chunksOf } from './webp.js';

/** Larger ones are those of printers, in bytes. */
const maxProfileBytes = 64 * 1024;

/**
 * Returns the ICC profile of an image with red, green and blue, for its thumbnail: the browser shows
 * their colors by it. Screenshots of macOS have one.
 *
 * @param bytes the whole file
 */
export function colorProfile(bytes: Buffer, format: ImageFormat): Buffer | undefined {
	const profile = readProfile(bytes, format);
	return profile !== undefined &&
		profile.length <= maxProfileBytes &&
		profile.toString('latin1', 16, 20) === 'RGB ' &&
		profile.toString('latin1', 36, 40) === 'acsp'
		? profile
		: undefined;
}

function readProfile(bytes: Buffer, format: ImageFormat): Buffer | undefined {
	switch (format) {
		case 'jpeg':
			return jpegProfile(bytes);
		case 'webp':
			return [...chunksOf(bytes, 12)].find(({ name }) => name === 'ICCP')?.content;
		case 'png':
			for (const { type, content } of pngChunks(bytes)) {
				if (type === 'iCCP') {
					return unpacked(content.subarray(content.indexOf(0) + 2));
				}
			}
			return undefined;
	}
}

function unpacked(content: Buffer): Buffer | undefined {
	try {
		return inflateSync(content, { maxOutputLength: maxProfileBytes });
	} catch {
		return undefined;
	}
}
