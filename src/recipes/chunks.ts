import type { FileHandle } from 'node:fs/promises';
import { EaselError } from '../easelError.js';

/** Place of a chunk of a PNG in its file. */
export interface Chunk {
	/** Four letters, as `IDAT`. */
	readonly type: string;
	/** Offset of its length, which is its first part; in bytes. */
	readonly start: number;
	/** Length of its data, in bytes. */
	readonly length: number;
}

export interface Chunks {
	readonly all: readonly Chunk[];
	/** True if they follow each other from the signature to `IEND`, all of them within the file. */
	readonly isWhole: boolean;
	/** Length of the file, in bytes. */
	readonly size: number;
}

/**
 * - `notPng`: the file does not begin as a PNG does;
 * - `damaged`: its chunks do not follow each other to its end;
 * - `tooMuch`: it has more chunks than any picture, or more text than anybody writes.
 */
export type PngProblem = 'notPng' | 'damaged' | 'tooMuch';

/** A file that cannot be read, or written anew, as a PNG. */
export class PngError extends EaselError {
	override readonly name = 'PngError';

	/** @param file its name, fit to be shown; without it, the message names none */
	constructor(
		readonly kind: PngProblem,
		file?: string,
	) {
		super({ code: `png.${kind}`, file });
	}
}

/** With pieces of 8 kB, as encoders write them, this is a picture of 160 MB. */
const maxChunks = 20_000;
/** Size of the length, type and checksum around the data of a chunk, in bytes. */
export const frameBytes = 12;

/**
 * Finds the chunks of a PNG (PNG 3, part 5). Only their heads are read, eight bytes each, or a few
 * blocks where these stand close together, however large the picture is. What is damaged ends the list.
 *
 * @throws {PngError} `notPng`, `tooMuch`; the system's error
 */
export async function readChunks(handle: FileHandle): Promise<Chunks> {
	const { size } = await handle.stat();
	if (!(await readAt(handle, 0, signature.length)).equals(signature)) {
		throw new PngError('notPng');
	}
	const all: Chunk[] = [];
	let block: { readonly start: number; readonly bytes: Buffer } = {
		start: 0,
		bytes: Buffer.alloc(0),
	};
	for (let at = signature.length; at + frameBytes <= size;) {
		if (at + headBytes > block.start + block.bytes.length) {
			const length = areClose(all, at) ? blockBytes : headBytes;
			block = { start: at, bytes: await readAt(handle, at, length) };
		}
		const head = block.bytes.subarray(at - block.start, at - block.start + headBytes);
		const length = head.readUInt32BE(0);
		const type = head.toString('latin1', 4);
		if (at + frameBytes + length > size || length > maxDataBytes || !isType.test(type)) {
			break;
		}
		if (all.length === maxChunks) {
			throw new PngError('tooMuch');
		}
		all.push({ type, start: at, length });
		at += frameBytes + length;
		if (type === 'IEND') {
			return { all, isWhole: isPicture(all), size };
		}
	}
	return { all, isWhole: false, size };
}

/**
 * Returns whether chunks stand so close that the next ones will too: a read for each would take
 * long.
 */
function areClose(chunks: readonly Chunk[], at: number): boolean {
	const earlier = chunks.at(-closeChunks);
	return earlier !== undefined && at - earlier.start < blockBytes;
}

const closeChunks = 16;
/** Size of one read of chunks that stand close together, in bytes. */
const blockBytes = 4096;
/** The length of a chunk and its type, in bytes. */
const headBytes = 8;

/** In bytes; "must not exceed 2^31 - 1" (PNG 3, part 5.3). */
const maxDataBytes = 0x7fffffff;
const isType = /^[A-Za-z]{4}$/;
const signature = Buffer.from('89504e470d0a1a0a', 'hex');

function isPicture(chunks: readonly Chunk[]): boolean {
	return chunks[0]?.type === 'IHDR' && chunks.some(({ type }) => type === 'IDAT');
}

/**
 * Returns whether a signed credential stands in the file (C2PA 2.1, part 11.3.3: the chunk `caBX`). It
 * covers all bytes of the file: a change to one of them makes it worthless.
 */
export function isSigned({ all }: Chunks): boolean {
	return all.some(({ type }) => type === 'caBX');
}

/** Reads so many bytes; fewer where the file ends before. */
export async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
	const buffer = Buffer.alloc(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
		if (bytesRead === 0) {
			break;
		}
		filled += bytesRead;
	}
	return buffer.subarray(0, filled);
}
