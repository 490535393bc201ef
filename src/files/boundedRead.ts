import fs, { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { lstat, open, stat, type FileHandle } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

// What a workspace brings along can be anything of a name that we look for: a link to a device that
// never ends, a pipe that never answers, a folder, a file of ten gigabytes.

/** A file is not read because it is no regular one, or too large. `code` is that of no system. */
export class UnfitFileError extends Error {
	override readonly name = 'UnfitFileError';

	constructor(
		readonly code: 'NotRegular' | 'TooLarge',
		readonly path: string,
	) {
		super(`${path}: ${code === 'NotRegular' ? 'not a regular file' : 'too large'}`);
	}
}

export interface ReadLimits {
	/** In bytes; more is an error. */
	readonly maxBytes: number;
	/** True where a symbolic link counts as what it leads to; it does by default. */
	readonly followLinks?: boolean;
}

/**
 * Opens a regular file, for the caller to close, and nothing else: not even for a moment, because
 * opening a device can do something, and opening a pipe waits for its writer.
 *
 * @throws {UnfitFileError} where it is something else, or larger; the system's error
 */
export async function openRegular(
	file: string,
	{ maxBytes, followLinks = true }: ReadLimits,
): Promise<FileHandle> {
	assertFit(file, await (followLinks ? stat(file) : lstat(file)), maxBytes);
	const handle = await open(file, flags(followLinks));
	try {
		// It may have been exchanged meanwhile.
		assertFit(file, await handle.stat(), maxBytes);
		return handle;
	} catch (error) {
		await handle.close();
		throw error;
	}
}

/** Opens what was a regular file a moment ago, for the caller to close. @throws as {@link openRegular} */
export function openKnownRegularSync(
	file: string,
	{ maxBytes, followLinks = true }: ReadLimits,
): { readonly descriptor: number; readonly size: number } {
	const descriptor = openSync(file, flags(followLinks));
	try {
		const found = fstatSync(descriptor);
		assertFit(file, found, maxBytes);
		return { descriptor, size: found.size };
	} catch (error) {
		closeSync(descriptor);
		throw error;
	}
}

/**
 * Reads a regular file piece by piece, and nothing else. It is opened only when it is read.
 *
 * @throws as {@link openRegular}; {@link UnfitFileError} also where it grows beyond the limit meanwhile
 */
export async function* readPieces(file: string, limits: ReadLimits): AsyncGenerator<Buffer, void> {
	const { maxBytes } = limits;
	const handle = await openRegular(file, limits);
	let bytes = 0;
	for await (const piece of handle.createReadStream({ end: maxBytes }) as AsyncIterable<Buffer>) {
		bytes += piece.length;
		yield piece;
	}
	if (bytes > maxBytes) {
		throw new UnfitFileError('TooLarge', file);
	}
}

/** Reads a regular file whole. @throws as {@link readPieces} */
export async function readBounded(file: string, limits: ReadLimits): Promise<Buffer> {
	return buffer(readPieces(file, limits));
}

/** Reads a regular file whole, for a worker: it does not pause. @throws as {@link readPieces} */
export function readBoundedSync(file: string, limits: ReadLimits): Buffer {
	const { maxBytes, followLinks = true } = limits;
	assertFit(file, followLinks ? fs.statSync(file) : fs.lstatSync(file), maxBytes);
	const { descriptor, size } = openKnownRegularSync(file, limits);
	try {
		return readRest(file, descriptor, Buffer.allocUnsafe(size + 1), maxBytes);
	} finally {
		closeSync(descriptor);
	}
}

/**
 * Reads on from where a descriptor stands to the end of its file, perhaps into another buffer.
 *
 * @param into the file's length and one more is the best size
 * @throws {UnfitFileError} where there is more than `maxBytes` bytes; the system's error
 */
export function readRest(file: string, descriptor: number, into: Buffer, maxBytes: number): Buffer {
	let buffer = into;
	for (let length = 0; ;) {
		if (length > maxBytes) {
			throw new UnfitFileError('TooLarge', file);
		}
		if (length === buffer.length) {
			// It has grown, or is of a kind that says it has no length.
			const larger = Buffer.allocUnsafe(Math.min(2 * length + minGrowthBytes, maxBytes + 1));
			buffer.copy(larger, 0, 0, length);
			buffer = larger;
		}
		const count = readSync(descriptor, buffer, length, buffer.length - length, null);
		if (count === 0) {
			return buffer.subarray(0, length);
		}
		length += count;
	}
}

const minGrowthBytes = 4096;

/** Without `O_NONBLOCK` a pipe would be waited for. Windows knows neither of the two. */
function flags(followLinks: boolean): number {
	const { O_RDONLY = 0, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
	return O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW);
}

function assertFit(file: string, found: Stats, maxBytes: number): void {
	if (!found.isFile()) {
		throw new UnfitFileError('NotRegular', file);
	}
	if (found.size > maxBytes) {
		throw new UnfitFileError('TooLarge', file);
	}
}
