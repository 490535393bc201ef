import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { openRegular } from '../files/boundedRead.js';
import { flushNames, ignoreUnsupported } from '../files/writeWhole.js';
import { maxImageBytes } from '../images/inspect.js';
import { frameBytes, isSigned, PngError, readAt, readChunks, type Chunk } from './chunks.js';
import { ourTexts, recipeChunks } from './ours.js';
import type { Recipe } from './recipe.js';
import {
	piecesWithoutRecipe,
	piecesWithRecipe,
	readPacketFile,
	type PacketFile,
	type Range,
} from './packets.js';
import { readTexts } from './textChunks.js';
import { xmpKeyword } from './xmp.js';

/**
 * Makes a copy of an image with its recipe: in chunks of a PNG before the picture, in the XMP of a JPEG
 * or WebP. An earlier recipe of ours goes; all else, the picture first of all, is copied as it is, byte
 * for byte. The copy has its name when it is whole and flushed.
 *
 * @param source absolute; stays as it is
 * @param target absolute; replaced where it exists
 * @returns `signed` where a credential covers the file, `noRoom` where the recipe finds no place in it;
 *   no copy is made then
 * @throws {PngError} where the source is no sound image; {@link UnfitFileError} where it is no regular
 *   file or too large; the system's error
 */
export function writeWithRecipe(
	source: string,
	target: string,
	recipe: Recipe,
): Promise<'written' | 'signed' | 'noRoom'> {
	return withImage(source, async (file) => {
		const { handle, signed } = file;
		if (signed) {
			return 'signed';
		}
		if ('packets' in file) {
			return writePieces(handle, target, piecesWithRecipe(file.packets, recipe));
		}
		const { picture, removed, hasXmp, size } = file;
		const chunks = recipeChunks(recipe, !hasXmp);
		const kept = [...rangesWithout(removed, 0, picture), chunks];
		await writeRanges(handle, target, [...kept, ...rangesWithout(removed, picture, size)]);
		return 'written';
	});
}

/**
 * Makes a copy of an image without what {@link writeWithRecipe} has added, as there.
 *
 * @returns `none` where there is nothing to remove, and no copy is made
 * @throws as {@link writeWithRecipe}
 */
export function writeWithoutRecipe(
	source: string,
	target: string,
): Promise<'written' | 'signed' | 'none'> {
	return withImage(source, async (file) => {
		const { handle, signed } = file;
		if (signed) {
			return 'signed';
		}
		if ('packets' in file) {
			return writePieces(handle, target, piecesWithoutRecipe(file.packets));
		}
		const { removed, size } = file;
		if (removed.length === 0) {
			return 'none';
		}
		await writeRanges(handle, target, rangesWithout(removed, 0, size));
		return 'written';
	});
}

interface Source {
	readonly handle: FileHandle;
	readonly signed: boolean;
}

interface Png extends Source {
	/** Offset of the picture, in bytes. */
	readonly picture: number;
	/** The chunks of an earlier recipe, in their order. */
	readonly removed: readonly Chunk[];
	/** True if others have written XMP. */
	readonly hasXmp: boolean;
	/** In bytes. */
	readonly size: number;
}

interface WithPackets extends Source {
	readonly packets: PacketFile;
}

async function withImage<T>(
	source: string,
	use: (image: Png | WithPackets) => Promise<T>,
): Promise<T> {
	const handle = await openRegular(source, { maxBytes: maxImageBytes });
	try {
		const packets = await readPacketFile(handle);
		if (packets !== undefined) {
			return await use({ handle, packets, signed: packets.isSigned });
		}
		const chunks = await readChunks(handle);
		const first = chunks.all.find(({ type }) => type === 'IDAT');
		if (!chunks.isWhole || first === undefined) {
			throw new PngError('damaged');
		}
		const texts = await readTexts(handle, chunks);
		const ours = new Set(ourTexts(texts));
		return await use({
			handle,
			picture: first.start,
			removed: [...ours].map(({ chunk }) => chunk),
			hasXmp: texts.some((text) => text.keyword === xmpKeyword && !ours.has(text)),
			size: chunks.size,
			signed: isSigned(chunks),
		});
	} finally {
		await handle.close();
	}
}

function rangesWithout(removed: readonly Chunk[], start: number, end: number): Range[] {
	const ranges: Range[] = [];
	let at = start;
	for (const chunk of removed.filter((one) => one.start >= start && one.start < end)) {
		ranges.push({ start: at, end: chunk.start });
		at = chunk.start + frameBytes + chunk.length;
	}
	return [...ranges, { start: at, end }];
}

async function writePieces<Refusal extends string>(
	source: FileHandle,
	target: string,
	pieces: readonly (Range | Buffer)[] | Refusal,
): Promise<'written' | Refusal> {
	if (typeof pieces === 'string') {
		return pieces;
	}
	await writeRanges(source, target, pieces);
	return 'written';
}

async function writeRanges(
	source: FileHandle,
	target: string,
	pieces: readonly (Range | Buffer)[],
): Promise<void> {
	const part = `${target}.part`;
	try {
		// As the image itself was made: its file may become the one in the workspace.
		const file = await open(part, 'w');
		try {
			for (const piece of pieces) {
				await (Buffer.isBuffer(piece) ? file.writeFile(piece) : copyRange(source, file, piece));
			}
			await file.sync().catch(ignoreUnsupported);
		} finally {
			await file.close();
		}
		await rename(part, target);
	} catch (error) {
		await rm(part, { force: true }).catch(() => undefined);
		throw error;
	}
	await flushNames(path.dirname(target));
}

async function copyRange(from: FileHandle, to: FileHandle, { start, end }: Range): Promise<void> {
	for (let at = start; at < end; at += pieceBytes) {
		const piece = await readAt(from, at, Math.min(pieceBytes, end - at));
		if (piece.length < Math.min(pieceBytes, end - at)) {
			// Another program has cut the file off meanwhile.
			throw new PngError('damaged');
		}
		// Not `write`, which may write a part of the piece.
		await to.writeFile(piece);
	}
}

const pieceBytes = 256 * 1024;
