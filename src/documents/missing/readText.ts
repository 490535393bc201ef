import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { mayHaveImage } from '../mayHaveImage.js';

/** Documents above that many bytes are not read: nobody wrote them, and a parser holds them whole. */
export const largestDocument = 8 * 1024 * 1024;

/**
 * Reads a document; `undefined` where there is nothing in it that might be an image.
 *
 * @throws where it cannot be read; `code` is one of the operating system, or `TooLarge`
 */
export function readText(file: string): string | undefined {
	const bytes = readBytes(file);
	const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
	if (!isUtf16 && !bytes.includes('![') && !bytes.includes('<i') && !bytes.includes('<I')) {
		return undefined;
	}
	// As positions in the editor, those of the references do not count a byte order mark.
	const text = bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
	return mayHaveImage(text) ? text : undefined;
}

// One buffer for all documents: they are read one after the other.
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

function readBytes(file: string): Buffer {
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
