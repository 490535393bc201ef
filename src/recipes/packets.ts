import type { FileHandle } from 'node:fs/promises';
import { detectFormat } from '../images/inspect.js';
import { readAt } from './chunks.js';
import type { Recipe } from './recipe.js';
import { isOurPacket, recipeInXmp, recipePacket, withoutRecipeInXmp } from './xmp.js';

/** A part of a file, in bytes; its end is not part of it. */
export interface Range {
	readonly start: number;
	readonly end: number;
}

/** The XMP of a JPEG or WebP, and what a copy with another one needs. */
export interface PacketFile {
	readonly format: 'jpeg' | 'webp';
	/** The packet, with the segment or chunk around it; the first one where there are several. */
	readonly packet: (Range & { readonly text: string }) | undefined;
	/** Offset for a packet where there is none. */
	readonly place: number;
	/** The header of an extended WebP, which says whether there is XMP. */
	readonly extended: Range | undefined;
	/** The first chunk of a WebP, as far as it says dimensions and transparency. */
	readonly first: Buffer;
	/** True if there is a signed credential (C2PA 2.1, parts A.3.1 and A.3.6). It is not verified. */
	readonly isSigned: boolean;
	/** In bytes. */
	readonly size: number;
}

/** In bytes, of a packet; of a longer one nothing is read. */
const maxPacketBytes = 1024 * 1024;
/** Segments or chunks; animations have one for each frame. */
const maxParts = 5_000;

/**
 * Reads the XMP of a JPEG or WebP and little else, however large it is.
 *
 * @returns `undefined` where it is neither, or its parts do not follow each other to the picture's end
 * @throws the system's error
 */
export async function readPacketFile(handle: FileHandle): Promise<PacketFile | undefined> {
	const { size } = await handle.stat();
	const format = detectFormat(await readAt(handle, 0, 12));
	return format === 'jpeg'
		? readJpeg(handle, size)
		: format === 'webp'
			? readWebp(handle, size)
			: undefined;
}

/** Returns the recipe in such a file, and whether Easel alone has written the packet. */
export function recipeInPacket({ packet }: Pick<PacketFile, 'packet'>): {
	readonly recipe: Recipe | 'newer' | undefined;
	readonly isOurs: boolean;
} {
	const text = packet?.text ?? '';
	return { recipe: recipeInXmp(text), isOurs: isOurPacket(text) };
}

/**
 * Returns the pieces of a copy with a recipe, in their order.
 *
 * @returns `noRoom` where others have written XMP, or the format has no place for so much
 */
export function piecesWithRecipe(
	file: PacketFile,
	recipe: Recipe,
): readonly (Range | Buffer)[] | 'noRoom' {
	if (file.packet !== undefined && !recipeInPacket(file).isOurs) {
		return 'noRoom';
	}
	const packet = Buffer.from(recipePacket(recipe));
	const isTooLong = packet.length > (file.format === 'jpeg' ? maxSegmentBytes : maxPacketBytes);
	return isTooLong ? 'noRoom' : piecesWith(file, packet);
}

/** Returns the pieces of a copy without a recipe; what others have written stays. */
export function piecesWithoutRecipe(file: PacketFile): readonly (Range | Buffer)[] | 'none' {
	const { recipe, isOurs } = recipeInPacket(file);
	if (isOurs) {
		return piecesWith(file, undefined);
	}
	return recipe === undefined
		? 'none'
		: piecesWith(file, Buffer.from(withoutRecipeInXmp(file.packet!.text)));
}

function piecesWith(
	{ format, packet, place, extended, first, size }: PacketFile,
	xmp: Buffer | undefined,
): readonly (Range | Buffer)[] {
	const start = packet?.start ?? place;
	const end = packet?.end ?? place;
	const part = xmp === undefined ? Buffer.alloc(0) : (format === 'jpeg' ? segment : chunk)(xmp);
	if (format === 'jpeg') {
		return [{ start: 0, end: start }, part, { start: end, end: size }];
	}
	const header =
		extended === undefined
			? extendedHeader(first, xmp !== undefined)
			: withXmpFlag(first, xmp !== undefined);
	const head = extended?.end ?? riffBytes;
	const riff = Buffer.alloc(riffBytes);
	riff.write('RIFF', 'latin1');
	riff.writeUInt32LE(4 + header.length + (start - head) + part.length + (size - end), 4);
	riff.write('WEBP', 8, 'latin1');
	return [riff, header, { start: head, end: start }, part, { start: end, end: size }];
}

/** Size of a segment's data of a JPEG behind the name of XMP, in bytes (ITU-T T.81, part B.1.1.4). */
const maxSegmentBytes = 0xffff - 2 - 29;
/** XMP, part 3, 1.1.3. */
const xmpName = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');

function segment(xmp: Buffer): Buffer {
	const head = Buffer.from([0xff, 0xe1, 0, 0]);
	head.writeUInt16BE(2 + xmpName.length + xmp.length, 2);
	return Buffer.concat([head, xmpName, xmp]);
}

async function readJpeg(handle: FileHandle, size: number): Promise<PacketFile | undefined> {
	let packet: PacketFile['packet'];
	let place = 2;
	let isSigned = false;
	for (let at = 2, parts = 0; parts < maxParts; parts++) {
		const head = await readAt(handle, at, 4 + xmpName.length);
		const [mark, marker = 0] = head;
		if (mark !== 0xff || head.length < 4) {
			return undefined;
		}
		if (marker === 0xff) {
			// A fill byte.
			at += 1;
			continue;
		}
		const end = at + 2 + head.readUInt16BE(2);
		// Application segments come first; from the start of scan on it is the picture.
		if (marker === 0xda) {
			const file = { packet, place, isSigned, size, extended: undefined };
			return { format: 'jpeg', first: Buffer.alloc(0), ...file };
		}
		if (end > size) {
			return undefined;
		}
		if (marker === 0xe1 && head.subarray(4).equals(xmpName)) {
			const bytes = await readAt(handle, at + head.length, end - at - head.length);
			packet ??= { start: at, end, text: bytes.toString('utf8') };
		}
		// JUMBF: an identifier of its own behind the length.
		isSigned ||= marker === 0xeb && head.toString('latin1', 4, 6) === 'JP';
		// JFIF and EXIF want to be first.
		if (marker === 0xe0 || (marker === 0xe1 && head.toString('latin1', 4, 8) === 'Exif')) {
			place = end;
		}
		at = end;
	}
	return undefined;
}

/** Size of the head of a WebP, in bytes (RFC 9649, part 2.4). */
const riffBytes = 12;

function chunk(xmp: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.write('XMP ', 'latin1');
	head.writeUInt32LE(xmp.length, 4);
	return Buffer.concat([head, xmp, Buffer.alloc(xmp.length % 2)]);
}

async function readWebp(handle: FileHandle, size: number): Promise<PacketFile | undefined> {
	let packet: PacketFile['packet'];
	let isSigned = false;
	const first = Buffer.concat([await readAt(handle, riffBytes, 18), Buffer.alloc(18)], 18);
	const isExtended = first.toString('latin1', 0, 4) === 'VP8X';
	const end = 8 + (await readAt(handle, 4, 4)).readUInt32LE();
	for (let at = riffBytes, parts = 0; end === size && parts < maxParts; parts++) {
		if (at === end) {
			const extended = isExtended ? { start: riffBytes, end: riffBytes + 18 } : undefined;
			return { format: 'webp', packet, place: end, extended, first, isSigned, size };
		}
		const head = await readAt(handle, at, 8);
		if (head.length < 8) {
			return undefined;
		}
		const length = head.readUInt32LE(4);
		const next = at + 8 + length + (length % 2);
		if (next > end) {
			return undefined;
		}
		const type = head.toString('latin1', 0, 4);
		if (type === 'XMP ' && length <= maxPacketBytes) {
			const bytes = await readAt(handle, at + 8, length);
			packet ??= { start: at, end: next, text: bytes.toString('utf8') };
		}
		isSigned ||= type === 'C2PA';
		at = next;
	}
	return undefined;
}

/** Flags of the extended header (RFC 9649, part 2.7). */
const xmpFlag = 0x04;
const alphaFlag = 0x10;

function withXmpFlag(header: Buffer, hasXmp: boolean): Buffer {
	const changed = Buffer.from(header);
	changed[8] = hasXmp ? changed[8]! | xmpFlag : changed[8]! & ~xmpFlag;
	return changed;
}

/**
 * Makes the header of an extended WebP for a simple one, from its only chunk: the frame header of
 * VP8 (RFC 6386, part 9.1), or that of VP8L (RFC 9649, part 3.4).
 */
function extendedHeader(first: Buffer, hasXmp: boolean): Buffer {
	const isLossless = first.toString('latin1', 0, 4) === 'VP8L';
	const bits = first.readUInt32LE(isLossless ? 9 : 14);
	const [width, height] = isLossless
		? [bits & 0x3fff, (bits >>> 14) & 0x3fff]
		: [(bits & 0x3fff) - 1, ((bits >>> 16) & 0x3fff) - 1];
	const hasAlpha = isLossless && (bits & 0x1000_0000) !== 0;
	const header = Buffer.alloc(18);
	header.write('VP8X', 'latin1');
	header.writeUInt32LE(10, 4);
	header[8] = (hasXmp ? xmpFlag : 0) | (hasAlpha ? alphaFlag : 0);
	header.writeUIntLE(width, 12, 3);
	header.writeUIntLE(height, 15, 3);
	return header;
}
