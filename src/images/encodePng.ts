import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate, deflateSync } from 'node:zlib';
import { isTransparent, type Pixels } from './thumbnails/shrink.js';

/** Effort of deflate, 1 to 9: the next level takes twice as long for files 2 % smaller. */
const level = 3;
/** Bytes of lines that are filtered at once. */
const sliceBytes = 256 * 1024;

/**
 * Encodes a picture as PNG quickly, in another thread while its lines are filtered here; its file is
 * a tenth larger than it could be.
 *
 * @param profile the ICC profile of its colors
 */
export async function encodePng(picture: Pixels, profile?: Buffer): Promise<Buffer> {
	const { width, height } = picture;
	const samples = isTransparent(picture) ? 4 : 3;
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, samples === 4 ? 6 : 2], 8);
	const chunks = [signature, chunkOf('IHDR', header)];
	if (profile !== undefined) {
		// A name, its end, and the method of compression (PNG 3, part 11.3.2.3).
		chunks.push(chunkOf('iCCP', Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)));
	}
	await pipeline(
		Readable.from(filteredLines(picture, samples), { objectMode: false, highWaterMark: 1 }),
		createDeflate({ level, chunkSize: sliceBytes }),
		async (pieces: AsyncIterable<Buffer>) => {
			for await (const piece of pieces) {
				chunks.push(chunkOf('IDAT', piece));
			}
		},
	);
	return Buffer.concat([...chunks, chunkOf('IEND')]);
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

function chunkOf(type: string, ...parts: readonly Uint8Array[]): Buffer {
	const data = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length - 4);
	const sum = Buffer.alloc(4);
	sum.writeUInt32BE(crc32(data));
	return Buffer.concat([length, data, sum]);
}

/** Yields lines with their filters (PNG 3, part 9): of two that are quick, the one with smaller bytes. */
function* filteredLines(
	{ width, height, data }: Pixels,
	samples: number,
): Generator<Buffer, void, undefined> {
	const length = 1 + width * samples;
	const rows = Math.max(1, Math.floor(sliceBytes / length));
	for (let top = 0; top < height; top += rows) {
		const count = Math.min(rows, height - top);
		const slice = Buffer.allocUnsafe(count * length);
		for (let row = 0; row < count; row++) {
			const from = (top + row) * width * 4;
			const above = top + row === 0 ? -1 : from - width * 4;
			filterLine(data, from, above, width, samples, slice, row * length);
		}
		yield slice;
	}
}

/** @param above where the line above begins; -1 for none */
function filterLine(
	data: Uint8ClampedArray,
	from: number,
	above: number,
	width: number,
	samples: number,
	to: Buffer,
	start: number,
): void {
	const takesAbove = above >= 0 && isNearerAbove(data, from, above, width);
	to[start] = takesAbove ? 2 : 1;
	let at = start + 1;
	// Of the pixel to the left, or of the one above.
	const back = takesAbove ? from - above : 4;
	if (!takesAbove) {
		for (let sample = 0; sample < samples; sample++) {
			to[at++] = data[from + sample]!;
		}
	}
	for (let pixel = from + (takesAbove ? 0 : 4), end = from + width * 4; pixel < end; pixel += 4) {
		to[at++] = data[pixel]! - data[pixel - back]!;
		to[at++] = data[pixel + 1]! - data[pixel + 1 - back]!;
		to[at++] = data[pixel + 2]! - data[pixel + 2 - back]!;
		if (samples === 4) {
			to[at++] = data[pixel + 3]! - data[pixel + 3 - back]!;
		}
	}
}

/** Looks at the green of every eighth pixel. */
function isNearerAbove(
	data: Uint8ClampedArray,
	from: number,
	above: number,
	width: number,
): boolean {
	let [left, up] = [0, 0];
	for (let x = 1; x < width; x += 8) {
		const at = from + x * 4 + 1;
		left += Math.abs(data[at]! - data[at - 4]!);
		up += Math.abs(data[at]! - data[above + x * 4 + 1]!);
	}
	return up < left;
}
