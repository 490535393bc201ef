import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { isNotFound } from '../files/fsErrors.js';
import { detectFormat, ImageError, inspectImage, type ImageFacts } from './inspect.js';

/**
 * Returns whether a file is an image from its first byte to its last, by its own structure: a PNG whose
 * chunks all have their checksums and end with `IEND` (PNG 3, part 5), a WebP of the length that it
 * says (RFC 9649, part 2.4), a JPEG that ends with its end marker (ITU-T T.81, part B.1.1).
 * `false` also where there is no such file.
 *
 * @throws the system's error where it cannot be found out
 */
export async function isWholeImage(file: string): Promise<boolean> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(file, 'r');
		const { size } = await handle.stat();
		const head = await read(handle, 0, 12);
		const format = detectFormat(head);
		if (format === 'png') {
			return await isWholePng(handle, size);
		}
		if (format === 'jpeg') {
			const end = await read(handle, size - 2, 2);
			return end[0] === 0xff && end[1] === 0xd9;
		}
		return format === 'webp' && head.readUInt32LE(4) + 8 === size;
	} catch (error) {
		if (error instanceof TooShortError || isNotFound(error)) {
			return false;
		}
		throw error;
	} finally {
		await handle?.close();
	}
}

/**
 * Returns what a file is: an image that is whole, one that may not be, or something else.
 *
 * @param images gets what is known of an image
 * @throws the system's error where that cannot be found out now
 */
export async function inspectContent(
	file: string,
	images: ImageFacts[] = [],
): Promise<'complete' | 'image' | 'other'> {
	const image = await inspectIfImage(file);
	if (image === undefined) {
		return 'other';
	}
	images.push(image);
	return (await isWholeImage(file)) ? 'complete' : 'image';
}

/**
 * Returns what is known of an image; `undefined` where there is none.
 *
 * @throws the system's error where that cannot be found out now
 */
export async function inspectIfImage(file: string): Promise<ImageFacts | undefined> {
	try {
		return await inspectImage(file);
	} catch (error) {
		if (error instanceof ImageError && error.kind !== 'unreadable') {
			return undefined;
		}
		throw error instanceof ImageError ? error.cause : error;
	}
}

/** The file ends before what should be there. */
class TooShortError extends Error {}

async function isWholePng(handle: FileHandle, size: number): Promise<boolean> {
	// A file that ends before `IEND` makes `read` throw.
	for (let at = 8; ;) {
		const head = await read(handle, at, 8);
		const length = head.readUInt32BE(0);
		const end = at + 8 + length;
		// The checksum covers the type and the data.
		let sum = crc32(head.subarray(4));
		for (let from = at + 8; from < end; from += pieceBytes) {
			sum = crc32(await read(handle, from, Math.min(pieceBytes, end - from)), sum);
		}
		if ((await read(handle, end, 4)).readUInt32BE(0) !== sum) {
			return false;
		}
		if (head.toString('latin1', 4) === 'IEND') {
			return end + 4 === size;
		}
		at = end + 4;
	}
}

const pieceBytes = 256 * 1024;

async function read(handle: FileHandle, position: number, length: number): Promise<Buffer> {
	const buffer = Buffer.allocUnsafe(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
		if (bytesRead === 0) {
			throw new TooShortError();
		}
		filled += bytesRead;
	}
	return buffer;
}
