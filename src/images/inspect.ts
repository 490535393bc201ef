import { type FileHandle, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { crc32 } from 'node:zlib';
import { EaselError } from '../easelError.js';
import { retryTransient } from '../files/retryTransient.js';
import { isNotFound } from '../files/fsErrors.js';
import { openRegular, UnfitFileError } from '../files/boundedRead.js';
import { detectForeignFormat, type ForeignFormat } from './foreignFormats.js';
import { exifOrientation, turnedSize, type Orientation } from './orientation.js';
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
	/** True for a JPEG in the four colors of print, CMYK or YCCK. */
	readonly isCmyk?: true;
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
 * however large the file is: 64 KiB, and where what matters comes later also the first bytes of each
 * part before it, the EXIF and the frame header of a JPEG, 64 KiB each at most.
 *
 * Width and height are those a viewer shows ("A client uses the real decoded image dimensions",
 * specification, "Size table", rule 2). So a JPEG or PNG whose EXIF orientation is 5 to 8, which turns
 * the image by a quarter, has them swapped: browsers, and with them the editor, apply it by default
 * (CSS Images 3, `image-orientation: from-image`). They leave the EXIF of a WebP alone, and that of a
 * PNG behind its pixels, and so does this.
 * @throws {ImageError} for whatever is wrong with the file
 */
export async function inspectImage(path: string): Promise<ImageFacts> {
	try {
		const { bytes, format, size, isCmyk } = await retryTransient(() => look(path), {
			maxMs: maxRefusalMs,
		});
		if (size === undefined || !(size.width > 0 && size.height > 0)) {
			throw new ImageError('damaged', path);
		}
		return { format, ...formats[format], ...size, bytes, ...(isCmyk && { isCmyk }) };
	} catch (error) {
		throw error instanceof ImageError ? error : new ImageError(problemOf(error), path, error);
	}
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
	/** In pixels, as a viewer shows the image; `undefined` where the header is broken. */
	readonly size: Pick<ImageFacts, 'width' | 'height'> | undefined;
	readonly isCmyk?: true | undefined;
}

async function look(path: string): Promise<Header & { readonly bytes: number }> {
	const found = await stat(path);
	if (found.isDirectory()) {
		throw new ImageError('folder', path);
	}
	return { bytes: found.size, ...(await readHeader(path)) };
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
		const bytesAt: BytesAt = (position, length) =>
			position + length <= head.length
				? head.subarray(position, position + length)
				: readAt(file, position, length);
		switch (format) {
			case undefined:
				throw new ImageError('notAnImage', path, undefined, foreign);
			case 'png':
				return { format, size: await pngSize(head, bytesAt) };
			case 'webp':
				return { format, size: webpSize(head) };
			case 'jpeg':
				return { format, ...(await jpegHeader(bytesAt)) };
		}
	} finally {
		await file.close();
	}
}

/** Reads so many bytes of a file, fewer where it ends. */
type BytesAt = (position: number, length: number) => Uint8Array | Promise<Uint8Array>;

async function pngSize(head: Uint8Array, bytesAt: BytesAt): Promise<Header['size']> {
	if (!hasPngHeader(head)) {
		return undefined;
	}
	const at = pngSignature.length + 8;
	const size = { width: view(head).getUint32(at), height: view(head).getUint32(at + 4) };
	return turnedSize(size, await pngOrientation(bytesAt));
}

/** Reads the chunk `eXIf` where it stands before the pixels (PNG 3, part 11.3.4.5). */
async function pngOrientation(bytesAt: BytesAt): Promise<Orientation> {
	let position = pngSignature.length + 25;
	for (let step = 0; step < maxSteps; step++) {
		const start = await bytesAt(position, 8);
		const type = Buffer.from(start.subarray(4)).toString('latin1');
		if (!/^[A-Za-z]{4}$/.test(type) || type === 'IDAT') {
			break;
		}
		const length = view(start).getUint32(0);
		if (type === 'eXIf' && length <= headLength) {
			const chunk = await bytesAt(position + 4, length + 8);
			return isIntact(chunk) ? exifOrientation(chunk.subarray(4, -4)) : 1;
		}
		position += 12 + length;
	}
	return 1;
}

/** @param chunk its type, its content and its checksum (PNG 3, part 5.3) */
export function isIntact(chunk: Uint8Array): boolean {
	const end = chunk.length - 4;
	return end >= 4 && crc32(chunk.subarray(0, end)) === view(chunk).getUint32(end);
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
		isIntact(head.subarray(start + 4, start + 25)) &&
		view(head).getUint32(start + 8) < 2 ** 31 &&
		view(head).getUint32(start + 12) < 2 ** 31
	);
}

function webpSize(head: Uint8Array): Header['size'] {
	try {
		const { width, height } = WEBP.calculate(head);
		return hasWebpHeader(head) ? { width, height } : undefined;
	} catch {
		return undefined;
	}
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
 * Reads the frame header of a JPEG and the EXIF segment before it, if there is one. It goes from
 * segment to segment by their lengths (ITU-T T.81, part B.1.1): what looks like a frame header may be
 * that of the preview picture inside EXIF.
 */
async function jpegHeader(bytesAt: BytesAt): Promise<Pick<Header, 'size' | 'isCmyk'>> {
	const broken = { size: undefined };
	let orientation: Orientation | undefined;
	let position = 2;
	for (let step = 0; step < maxSteps; step++) {
		const start = await bytesAt(position, 10);
		if (start.length < 4 || start[0] !== 0xff) {
			return broken;
		}
		const marker = start[1]!;
		if (marker === 0xff) {
			// A fill byte.
			position += 1;
			continue;
		}
		const length = view(start).getUint16(2);
		if (marker < firstFrame || (marker >= firstRestart && marker <= startOfScan)) {
			return broken;
		}
		if (frames.includes(marker)) {
			const frame = await bytesAt(position, 2 + length);
			if (!isFrame(frame, length)) {
				return broken;
			}
			const size = { width: view(frame).getUint16(7), height: view(frame).getUint16(5) };
			return {
				size: turnedSize(size, orientation ?? 1),
				isCmyk: frame[9] === 4 ? true : undefined,
			};
		}
		if (marker === app1 && orientation === undefined && startsWith(start, 4, exifName)) {
			orientation = exifOrientation((await bytesAt(position, 2 + length)).subarray(10));
		}
		position += 2 + length;
	}
	return broken;
}

/** More segments or chunks than real files have: 1,000 full segments are 64 MiB. */
const maxSteps = 1000;
const firstFrame = 0xc0;
/** Frame headers of baseline, extended and progressive images, the ones that browsers decode. */
const frames = [0xc0, 0xc1, 0xc2];
const firstRestart = 0xd0;
/** The scan ends the header. The markers before it, from `firstRestart` on, have no length. */
const startOfScan = 0xda;
const app1 = 0xe1;
const exifName = Buffer.from('Exif\0\0');

/** ITU-T T.81, part B.2.2: length, precision, height, width, number of components, components. */
function isFrame(frame: Uint8Array, length: number): boolean {
	const components = frame[9] ?? 0;
	return frame.length === 2 + length && components > 0 && length === 8 + 3 * components;
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
