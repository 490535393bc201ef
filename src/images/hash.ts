import { createHash } from 'node:crypto';
import { retryTransient } from '../files/retryTransient.js';
import { readPieces } from '../files/boundedRead.js';

/**
 * SHA-256 of a file's bytes, hexadecimal; the file is streamed.
 *
 * @param largest more bytes are an error
 * @throws {UnfitFileError} where it is no regular file, or larger; the system's error, where it
 * does not pass
 */
export async function sha256Of(file: string, largest = Infinity): Promise<string> {
	return retryTransient(async () => {
		const hash = createHash('sha256');
		for await (const piece of readPieces(file, { maxBytes: largest })) {
			hash.update(piece);
		}
		return hash.digest('hex');
	});
}
