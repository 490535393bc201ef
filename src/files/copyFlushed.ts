import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { retryTransient, type RetryOptions } from './retryTransient.js';
import { readPieces } from './boundedRead.js';
import { flushNames, makeFolder, replaceOnce, writeFlushed } from './writeWhole.js';

export interface CopyOptions {
	/** Permissions of the new file; the process's own mask is taken from it. */
	readonly mode: number;
	/** In bytes; a larger source is an error. No limit by default. */
	readonly maxBytes?: number;
}

/**
 * Writes a new file, as {@link writeFlushed} does, and returns the SHA-256, hexadecimal, of what was
 * written. Its name is not flushed, see {@link flushNames}. Of a link, what it leads to is copied.
 *
 * @param source an absolute file name, or the bytes
 * @throws an `UnfitFileError` where the source is no regular file, or too large; the system's error
 */
export async function copyFlushed(
	source: string | Uint8Array,
	target: string,
	{ mode, maxBytes = Infinity }: CopyOptions,
): Promise<string> {
	const hash = createHash('sha256');
	const hashed = async function* () {
		const pieces = typeof source === 'string' ? readPieces(source, { maxBytes }) : [source];
		for await (const piece of pieces) {
			hash.update(piece);
			yield piece;
		}
	};
	await writeFlushed(target, hashed(), mode);
	return hash.digest('hex');
}

/**
 * Puts a copy of a file, or bytes, to exactly this place, and makes its folder. What was there is
 * replaced in one step, once the copy is whole and flushed. Resolves when the name is flushed too.
 *
 * @throws the system's error; the old file is there then, or the new one with a name not flushed
 */
export async function replaceFile(
	source: string | Uint8Array,
	target: string,
	retry?: RetryOptions,
): Promise<void> {
	const folder = path.dirname(target);
	const part = path.join(folder, `.easel-${randomUUID()}.part`);
	await retryTransient(async () => {
		await makeFolder(folder);
		const content =
			typeof source === 'string' ? readPieces(source, { maxBytes: Infinity }) : source;
		await replaceOnce(target, content, part, 0o666);
		await flushNames(folder);
	}, retry);
}
