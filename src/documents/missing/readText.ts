import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

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
 * @throws where it cannot be read; `code` is one of the operating system, or `TooLarge`
 */
export function readBytes(file: string): Buffer {
	const descriptor = openSync(file, 'r');
	try {
		let length = readSync(descriptor, buffer, 0, buffer.length, null);
		if (length === buffer.length) {
			const { size } = fstatSync(descriptor);
			if (size > largestDocument) {
				throw Object.assign(new Error('The document is too large.'), { code: 'TooLarge' });
			}
			const larger = Buffer.allocUnsafeSlow(size + 1);
			buffer.copy(larger);
			for (let count = 1; count > 0 && length < larger.length; length += count) {
				count = readSync(descriptor, larger, length, larger.length - length, null);
			}
			return larger.subarray(0, length);
		}
		return buffer.subarray(0, length);
	} finally {
		closeSync(descriptor);
	}
}
