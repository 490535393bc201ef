import { open, utimes, type FileHandle } from 'node:fs/promises';
import { JPG } from 'image-size/types/jpg';
import { WEBP } from 'image-size/types/webp';
import { detectFormat } from '../inspect.js';

/** A thumbnail on disk. */
export interface Thumbnail {
	/** Absolute path of a WebP or JPEG file. */
	readonly file: string;
	/** In pixels. */
	readonly width: number;
	readonly height: number;
	/** True where what lies behind it shows through. */
	readonly isTransparent?: true;
}

/** Returns the thumbnail in a file; `undefined` where there is none, or it is damaged. */
export async function storedThumbnail(file: string): Promise<Thumbnail | undefined> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(file);
		const { size: bytes, mtimeMs } = await handle.stat();
		const { buffer: head } = await handle.read(Buffer.alloc(headLength), 0, headLength, 0);
		const { buffer: end } = await handle.read(Buffer.alloc(2), 0, 2, Math.max(0, bytes - 2));
		const size = thumbnailSize(head, bytes, end);
		if (size !== undefined && Date.now() - mtimeMs > usedAgainMs) {
			// Marks it as used, so that it is swept late. Where this fails, it may be swept too early.
			await utimes(file, new Date(), new Date()).catch(() => undefined);
		}
		return size === undefined ? undefined : { file, ...size };
	} catch {
		return undefined;
	} finally {
		await handle?.close();
	}
}

/**
 * Returns what the head of a thumbnail says; `undefined` where it is damaged. After a crash
 * files may be short, empty or full of zeros.
 *
 * @param head its first bytes; 30 are enough of a WebP, 1024 of a JPEG of ours
 * @param bytes length of its file
 * @param end its last two bytes, if they are not in `head`
 */
export function thumbnailSize(
	head: Buffer,
	bytes: number,
	end: Buffer = head.subarray(-2),
): Omit<Thumbnail, 'file'> | undefined {
	const format = detectFormat(head);
	// RFC 9649, part 2.4: the length of what follows these 8 bytes. ITU-T T.81, B.1.1.3: End of image.
	const isWhole =
		(format === 'webp' && head.readUInt32LE(4) + 8 === bytes) ||
		(format === 'jpeg' && end.readUInt16BE(0) === 0xffd9);
	if (!isWhole) {
		return undefined;
	}
	const { width, height } = (format === 'webp' ? WEBP : JPG).calculate(head);
	return { width, height, ...(format === 'webp' && hasAlpha(head) && { isTransparent: true }) };
}

/** Reads the flag of an extended file, or of a lossless one (RFC 9649, parts 2.7 and 3.4). */
function hasAlpha(head: Buffer): boolean {
	const kind = head.toString('latin1', 12, 16);
	return (kind === 'VP8X' && (head[20]! & 0x10) > 0) || (kind === 'VP8L' && (head[24]! & 0x10) > 0);
}

const headLength = 1024;
/** Uses are marked at most once an hour: marking each would cost more than it is worth. */
const usedAgainMs = 3_600_000;
