import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { patiently } from '../files/patiently.js';

/**
 * SHA-256 of a file's bytes, hexadecimal; the file is streamed.
 *
 * @throws the system's error, where it does not pass
 */
export async function sha256Of(file: string): Promise<string> {
	return patiently(async () => {
		const hash = createHash('sha256');
		const handle = await open(file, 'r');
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
