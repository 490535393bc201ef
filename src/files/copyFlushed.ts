import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { patiently, type Patience } from './patiently.js';
import { openRegular, UnfitFileError } from './regularFile.js';
import { flushNames, ignoreUnsupported, makeFolder } from './writeWhole.js';

export interface CopyOptions {
	/** Of the new file; the process's own mask is taken from it. */
	readonly mode: number;
	/** In bytes; a larger source is an error. No limit by default. */
	readonly largest?: number;
}

/**
 * Writes a new file and returns the SHA-256, hexadecimal, of what was written. When it returns, the
 * bytes are on the disk, whatever happens to the machine; its name is not, see {@link flushNames}.
 * Of a link, what it leads to is copied. Where anything fails, the flush above all, nothing of the
 * copy counts, and it is removed: another try writes another file.
 *
 * @param source an absolute file name, or the bytes
 * @throws {UnfitFileError} where the source is no regular file, or too large
 * @throws the system's error, also where there is a file of that name, which stays
 */
export async function copyFlushed(
	source: string | Uint8Array,
	target: string,
	{ mode, largest = Infinity }: CopyOptions,
): Promise<string> {
	const hash = createHash('sha256');
	const file = await open(target, 'wx', mode);
	try {
		try {
			// Opened only now and here: a stream that fails before anybody reads it ends the process.
			for await (const piece of typeof source === 'string' ? piecesOf(source, largest) : [source]) {
				hash.update(piece);
				// Not `write`, which may write a part of the piece.
				await file.writeFile(piece);
			}
			await file.sync().catch(ignoreUnsupported);
		} finally {
			await file.close();
		}
	} catch (error) {
		await rm(target, { force: true }).catch(() => undefined);
		throw error;
	}
	return hash.digest('hex');
}

/**
 * Puts a copy of a file, or bytes, to exactly this place, and makes its folder. The file that was
 * there is replaced in one step, once the copy is whole and flushed: it is not removed before.
 * Resolves when the new name is flushed too.
 *
 * @throws the system's error; the old file is there then, or the new one where only its name could
 * not be flushed
 */
export async function replaceFile(
	source: string | Uint8Array,
	target: string,
	patience?: Patience,
): Promise<void> {
	const folder = path.dirname(target);
	const part = path.join(folder, `.easel-${randomUUID()}.part`);
	await patiently(async () => {
		await makeFolder(folder);
		await copyFlushed(source, part, { mode: 0o666 });
		try {
			await rename(part, target);
		} catch (error) {
			await rm(part, { force: true }).catch(() => undefined);
			throw error;
		}
		await flushNames(folder);
	}, patience);
}

async function* piecesOf(file: string, largest: number): AsyncGenerator<Uint8Array> {
	let bytes = 0;
	const handle = await openRegular(file, { largest });
	for await (const piece of handle.createReadStream({ end: largest })) {
		bytes += (piece as Uint8Array).length;
		yield piece as Uint8Array;
	}
	if (bytes > largest) {
		throw new UnfitFileError('TooLarge', file);
	}
}
