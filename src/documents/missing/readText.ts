import { closeSync, readSync } from 'node:fs';
import { openKnownRegularSync, readRest } from '../../files/regularFile.js';

/** Documents above that many bytes are not read: nobody wrote them, and a parser holds them whole. */
export const largestDocument = 8 * 1024 * 1024;

/**
 * Reads a document as the editor does: in UTF-8, or UTF-16 where it says so by its first bytes.
 *
 * @throws as {@link readBytes}
 */
export function readText(file: string): string {
	const bytes = readBytes(file);
	// As positions in the editor, those of the references do not count a byte order mark.
	return bytes.toString(isUtf16(bytes) ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
}

/** Whether the bytes begin with the byte order mark of UTF-16, the lower byte first. */
export function isUtf16(bytes: Buffer): boolean {
	return bytes[0] === 0xff && bytes[1] === 0xfe;
}

// One buffer for all documents: they are read one after the other.
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Reads a document. The bytes are there until the next one is read.
 *
 * @throws {UnfitFileError} where it is too large, or no regular file
 * @throws the system's error where it cannot be read
 */
export function readBytes(file: string): Buffer {
	const { descriptor, size } = openKnownRegularSync(file, { largest: largestDocument });
	try {
		const length = readSync(descriptor, buffer, 0, buffer.length, null);
		if (length < buffer.length) {
			return buffer.subarray(0, length);
		}
		const larger = Buffer.allocUnsafeSlow(Math.max(size, length) + 1);
		buffer.copy(larger);
		return readRest(file, descriptor, larger, length, largestDocument);
	} finally {
		closeSync(descriptor);
	}
}
