import { createHash } from 'node:crypto';
import { retryTransient } from '../files/retryTransient.js';
import { openRegular } from '../files/boundedRead.js';

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
		const handle = await openRegular(file, { maxBytes: largest });
		try {
			const buffer = Buffer.allocUnsafe(pieceBytes);
			for (;;) {
				const { bytesRead } = await handle.read(buffer, 0, pieceBytes, null);
				if (bytesRead === 0) {
					return hash.digest('hex');
				}
				hash.update(buffer.subarray(0, bytesRead));
			}
		} finally {
			await handle.close();
		}
	});
}

const pieceBytes = 256 * 1024;
