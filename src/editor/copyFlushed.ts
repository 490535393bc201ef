import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { openRegular, UnfitFileError } from '../files/regularFile.js';
import { largestImage } from '../images/inspect.js';

/**
 * Writes a new file and returns the SHA-256, hexadecimal, of what was written. When it returns, the
 * bytes are on the disk, whatever happens to the machine. Of a link, what it leads to is copied.
 *
 * @param source an absolute file name, or the bytes
 * @param mode of the file; the process's own mask is taken from it
 * @throws {UnfitFileError} where the source is no regular file, or larger than an image can be
 * @throws the system's error, also where there is a file of that name; a half file may be left
 */
export async function copyFlushed(
	source: string | Uint8Array,
	target: string,
	mode: number,
): Promise<string> {
	const hash = createHash('sha256');
	const file = await open(target, 'wx', mode);
	try {
		// Opened only now and here: a stream that fails before anybody reads it ends the process.
		for await (const piece of typeof source === 'string' ? piecesOf(source) : [source]) {
			hash.update(piece);
			// Not `write`, which may write a part of the piece.
			await file.writeFile(piece);
		}
		await file.sync();
	} finally {
		await file.close();
	}
	return hash.digest('hex');
}

async function* piecesOf(file: string): AsyncGenerator<Uint8Array> {
	let bytes = 0;
	const handle = await openRegular(file, { largest: largestImage });
	for await (const piece of handle.createReadStream({ end: largestImage })) {
		bytes += (piece as Uint8Array).length;
		yield piece as Uint8Array;
	}
	if (bytes > largestImage) {
		throw new UnfitFileError('TooLarge', file);
	}
}
