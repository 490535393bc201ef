import { type FileHandle, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { crc32 } from 'node:zlib';
import { EaselError } from '../easelError.js';
import { retryTransient } from '../files/retryTransient.js';
import { isNotFound } from '../files/fsErrors.js';
import { openRegular, UnfitFileError } from '../files/boundedRead.js';
import { detectForeignFormat, type ForeignFormat } from './foreignFormats.js';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';

export type ImageFormat = 'png' | 'jpeg' | 'webp';

/** Facts from the header of an image file. The pixels behind it are not read. */
export interface ImageFacts {
	readonly format: ImageFormat;
	readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp';
	/** With its dot, in the usual spelling, whatever the file itself is called. */
	readonly extension: '.png' | '.jpg' | '.webp';
	/** In pixels, as a viewer shows the image; at least 1. */
	readonly width: number;
	/** In pixels, as a viewer shows the image; at least 1. */
	readonly height: number;
	/** Size of the file in bytes. */
	readonly bytes: number;
}

/**
 * - `missing`: there is no such file;
 * - `folder`: it is a folder;
 * - `empty`: the file has no bytes;
 * - `notAnImage`: the first bytes are not those of a PNG, JPEG or WebP image that can be decoded;
 * - `damaged`: they are, but the header behind them is broken or cut off;
 * - `tooLarge`: the file has more bytes than {@link maxImageBytes};
 * - `unreadable`: the system refuses to read it, or it is no regular file.
 */
export type ImageProblem =
	'missing' | 'folder' | 'empty' | 'notAnImage' | 'damaged' | 'tooLarge' | 'unreadable';

/**
 * In bytes. No service takes such a file for a reference, and none makes one, so what is larger is
 * something else by the name of an image: it is neither read nor copied.
 */
export const maxImageBytes = 256 * 1024 * 1024;

/** A file that cannot be used as an image. */
export class ImageError extends EaselError {
	override readonly name = 'ImageError';

	/** @param foreign what a file is that is `notAnImage`, where that is known */
	constructor(
		readonly kind: ImageProblem,
		readonly path: string,
		cause?: unknown,
		readonly foreign?: ForeignFormat,
	) {
		super({ code: `image.${foreign ?? kind}`, name: basename(path) }, { cause });
	}
}

/**
 * Reads format and dimensions from the bytes of a file; its name does not matter. Reads little,
 * however large the file is: 64 KiB, and for a JPEG whose frame header comes later also the first
 * bytes of each segment before it, the EXIF segment and the frame header, 64 KiB each at most.
 *
 * Width and height are those a viewer shows ("A client uses the real decoded image dimensions",
 * specification, "Size table", rule 2). So a JPEG whose EXIF orientation is 5 to 8, which turns the
 * image by a quarter, has them swapped: browsers, and with them the editor, apply it by default
 * (CSS Images 3, `image-orientation: from-image`). They leave the EXIF of a WebP alone, and so does
 * this.
 * @throws {ImageError} for whatever is wrong with the file
 */
export async function inspectImage(path: string): Promise<ImageFacts> {
	let found: { readonly bytes: number; readonly header: Header };
	try {
		found = await retryTransient(() => look(path), { maxMs: maxRefusalMs });
	} catch (error) {
		throw error instanceof ImageError ? error : new ImageError(problemOf(error), path, error);
	}
	const { bytes, header } = found;
	const { width, height } = measure(path, header.format, header.bytes);
	return { format: header.format, ...formats[header.format], width, height, bytes };
}

/** Returns whether the ending of a file's name says the format that its bytes have. */
export function isNamedByFormat(
	name: string,
	{ extension }: Pick<ImageFacts, 'extension'>,
): boolean {
	return extname(name).toLowerCase().replace('.jpeg', '.jpg') === extension;
}

/** Time for which a refusal is waited out: one that lasts is mostly a missing permission. */
const maxRefusalMs = 500;

interface Header {
	readonly format: ImageFormat;
	/** The bytes that state the dimensions; `undefined` where the header is broken. */
	readonly bytes: Uint8Array | undefined;
}

async function look(path: string): Promise<{ readonly bytes: number; readonly header: Header }> {
	const found = await stat(path);
	if (found.isDirectory()) {
		throw new ImageError('folder', path);
	}
	return { bytes: found.size, header: await readHeader(path) };
}

/**
 * Returns the format that the first bytes of a file belong to, or `undefined` if it is none of
 * ours. 12 bytes decide. Sources: PNG 3, part 5.2; JPEG (ITU-T T.81), part B.1.1; WebP (RFC 9649),
 * part 2.4.
 */
export function detectFormat(head: Uint8Array): ImageFormat | undefined {
	if (startsWith(head, 0, pngSignature)) {
		return 'png';
	}
	if (startsWith(head, 0, jpegStart)) {
		return 'jpeg';
	}
	return startsWith(head, 0, riff) && startsWith(head, 8, webp) ? 'webp' : undefined;
}

const formats = {
	png: { contentType: 'image/png', extension: '.png' },
	jpeg: { contentType: 'image/jpeg', extension: '.jpg' },
	webp: { contentType: 'image/webp', extension: '.webp' },
} as const;

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const jpegStart = Uint8Array.of(0xff, 0xd8, 0xff);
const riff = Buffer.from('RIFF');
const webp = Buffer.from('WEBP');

const headLength = 64 * 1024;

function problemOf(error: unknown): ImageProblem {
	if (error instanceof UnfitFileError && error.code === 'TooLarge') {
		return 'tooLarge';
	}
	return isNotFound(error) ? 'missing' : 'unreadable';
}

async function readHeader(path: string): Promise<Header> {
	const file = await openRegular(path, { maxBytes: maxImageBytes });
	try {
		const head = await readAt(file, 0, headLength);
		if (head.length === 0) {
			throw new ImageError('empty', path);
		}
		const foreign = detectForeignFormat(head);
		const format = foreign === undefined ? detectFormat(head) : undefined;
		switch (format) {
			case undefined:
				throw new ImageError('notAnImage', path, undefined, foreign);
			case 'png':
				return { format, bytes: hasPngHeader(head) ? head : undefined };
			case 'webp':
				return { format, bytes: hasWebpHeader(head) ? head : undefined };
			case 'jpeg':
				return { format, bytes: await readJpegHeader(file, head) };
		}
	} finally {
		await file.close();
	}
}

function measure(
	path: string,
	format: ImageFormat,
	header: Uint8Array | undefined,
): { readonly width: number; readonly height: number } {
	if (header === undefined) {
		throw new ImageError('damaged', path);
	}
	let size;
	try {
		size = { png: PNG, jpeg: JPG, webp: WEBP }[format].calculate(header);
	} catch (error) {
		throw new ImageError('damaged', path, error);
	}
	if (!(size.width > 0 && size.height > 0)) {
		throw new ImageError('damaged', path);
	}
	const { orientation = 1 } = size;
	return orientation >= 5 && orientation <= 8
		? { width: size.height, height: size.width }
		: { width: size.width, height: size.height };
}

/**
 * The first chunk has to be a whole IHDR with a correct checksum (PNG 3, parts 5.3 and 11.2.1);
 * decoders refuse the file otherwise.
 */
function hasPngHeader(head: Uint8Array): boolean {
	const start = pngSignature.length;
	return (
		head.length >= start + 25 &&
		startsWith(head, start, Buffer.from('\0\0\0\x0dIHDR')) &&
		crc32(head.subarray(start + 4, start + 21)) === view(head).getUint32(start + 21) &&
		view(head).getUint32(start + 8) < 2 ** 31 &&
		view(head).getUint32(start + 12) < 2 ** 31
	);
}

/**
 * The first chunk has to have the signature of its kind (RFC 9649, part 2). The third kind, VP8X,
 * has none, and unknown kinds are refused by the library.
 */
function hasWebpHeader(head: Uint8Array): boolean {
	switch (Buffer.from(head.subarray(12, 16)).toString('latin1')) {
		case 'VP8 ':
			// A key frame, then its start code (RFC 6386, part 9.1).
			return (head[20]! & 1) === 0 && startsWith(head, 23, Uint8Array.of(0x9d, 0x01, 0x2a));
		case 'VP8L':
			// The library would read a size even where the header is cut off.
			return head.length >= 25 && head[20] === 0x2f;
		default:
			return true;
	}
}

/**
 * Returns what matters of a JPEG's header: the EXIF segment, if there is one, and the frame header;
 * `undefined` where it is broken. It goes from segment to segment by their lengths (ITU-T T.81,
 * part B.1.1), because the library would search segments that are cut off for anything that looks
 * like a frame header, and would find the one of the preview picture inside EXIF.
 */
async function readJpegHeader(file: FileHandle, head: Uint8Array): Promise<Uint8Array | undefined> {
	const bytesAt = (position: number, length: number) =>
		position + length <= head.length
			? head.subarray(position, position + length)
			: readAt(file, position, length);

	let exif: Uint8Array | undefined;
	let position = 2;
	for (let step = 0; step < maxSteps; step++) {
		const start = await bytesAt(position, 10);
		if (start.length < 4 || start[0] !== 0xff) {
			return undefined;
		}
		const marker = start[1]!;
		if (marker === 0xff) {
			// A fill byte.
			position += 1;
			continue;
		}
		const length = view(start).getUint16(2);
		if (marker < firstFrame || (marker >= firstRestart && marker <= startOfScan)) {
			return undefined;
		}
		if (frames.includes(marker)) {
			const frame = await bytesAt(position, 2 + length);
			return isFrame(frame, length) ? jpegOf(exif, frame) : undefined;
		}
		if (marker === app1 && exif === undefined && startsWith(start, 4, exifName)) {
			exif = await bytesAt(position, 2 + length);
		}
		position += 2 + length;
	}
	return undefined;
}

/** More segments than real files have: 1,000 full ones are 64 MiB. */
const maxSteps = 1000;
const firstFrame = 0xc0;
/** Frame headers of baseline, extended and progressive images, the ones that browsers decode. */
const frames = [0xc0, 0xc1, 0xc2];
const firstRestart = 0xd0;
/** The scan ends the header. The markers before it, from `firstRestart` on, have no length. */
const startOfScan = 0xda;
const app1 = 0xe1;
const exifName = Buffer.from('Exif\0\0');
/** The library does not look at the first segment, so it gets an empty one. */
const emptySegment = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 2);

/** ITU-T T.81, part B.2.2: length, precision, height, width, number of components, components. */
function isFrame(frame: Uint8Array, length: number): boolean {
	const components = frame[9] ?? 0;
	return frame.length === 2 + length && components > 0 && length === 8 + 3 * components;
}

function jpegOf(exif: Uint8Array | undefined, frame: Uint8Array): Uint8Array {
	if (exif !== undefined) {
		const whole = joined(emptySegment, exif, frame);
		try {
			JPG.calculate(whole);
			return whole;
		} catch {
			// The EXIF is broken. Viewers show such an image as if it had none.
		}
	}
	return joined(emptySegment, frame);
}

/** In a buffer of its own, because the library would read past the end of a view into a pool. */
function joined(...parts: readonly Uint8Array[]): Uint8Array {
	return new Uint8Array(Buffer.concat(parts));
}

/** Returns fewer bytes where the file ends. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
	const buffer = new Uint8Array(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
		if (bytesRead === 0) {
			break;
		}
		filled += bytesRead;
	}
	return buffer.slice(0, filled);
}

function startsWith(bytes: Uint8Array, offset: number, expected: Uint8Array): boolean {
	return expected.every((byte, index) => bytes[offset + index] === byte);
}

function view(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
