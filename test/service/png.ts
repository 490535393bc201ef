import { createCipheriv } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createDeflate } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const headerEnd = 8 + 25;
const frameSize = 12;
// One large chunk takes some decoders seconds, since they look for its end from its beginning
// again and again; many small ones do not.
const maxChunkBytes = 32 * 1024;
const maxDataBytes = maxChunkBytes - frameSize;
const sliceSize = 256 * 1024;
const huffmanOnly = { strategy: constants.Z_HUFFMAN_ONLY } as const;

/** Parts of a PNG file. */
export interface Pixels {
	readonly width: number;
	readonly height: number;
	/** The opaque RGBA pixels of a row; asked for from the top down, once each. */
	readonly rowAt: (y: number) => Uint8ClampedArray;
	/** Noise holds no repetitions that are worth a search; without one, deflate is twice as quick. */
	readonly noisy: boolean;
}

/**
 * Encodes a PNG file of 8 bits for red, green and blue each. Deflate works in another thread while
 * the next rows are prepared here, so nothing blocks for longer than a few milliseconds.
 */
export async function encodePng(pixels: Pixels): Promise<Buffer> {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(pixels.width, 0);
	header.writeUInt32BE(pixels.height, 4);
	header.set([8, 2], 8);
	const chunks = [signature, chunkOf('IHDR', header), chunkOf('sRGB', Buffer.of(0))];
	await pipeline(
		// One slice at a time: the event loop turns between two of them.
		Readable.from(filteredRows(pixels), { objectMode: false, highWaterMark: 1 }),
		createDeflate({ ...(pixels.noisy ? huffmanOnly : { level: 4 }), chunkSize: sliceSize }),
		async (parts: AsyncIterable<Buffer>) => {
			for await (const part of parts) {
				for (let at = 0; at < part.length; at += maxDataBytes) {
					chunks.push(chunkOf('IDAT', part.subarray(at, at + maxDataBytes)));
				}
			}
		},
	);
	return Buffer.concat([...chunks, chunkOf('IEND', Buffer.alloc(0))]);
}

/** Slices of whole rows with the filter "Sub": each byte less the one of the pixel to its left. */
function* filteredRows({ width, height, rowAt }: Pixels): Generator<Buffer> {
	const length = 1 + width * 3;
	const most = Math.max(1, Math.floor(sliceSize / length));
	for (let top = 0; top < height; top += most) {
		const rows = Math.min(most, height - top);
		const slice = Buffer.allocUnsafe(rows * length);
		for (let row = 0; row < rows; row++) {
			filterRow(rowAt(top + row), slice, row * length);
		}
		yield slice;
	}
}

function filterRow(row: Uint8ClampedArray, to: Buffer, start: number): void {
	let [red, green, blue] = [0, 0, 0];
	let at = start;
	to[at++] = 1;
	for (let pixel = 0; pixel < row.length; pixel += 4) {
		to[at++] = row[pixel]! - red;
		to[at++] = row[pixel + 1]! - green;
		to[at++] = row[pixel + 2]! - blue;
		red = row[pixel]!;
		green = row[pixel + 1]!;
		blue = row[pixel + 2]!;
	}
}

/**
 * Makes a PNG file exactly `size` bytes long with chunks of noise that decoders skip; a file that
 * is as long already, or has no room for a chunk, stays as it is.
 */
export function padPng(png: Buffer, size: number): Buffer {
	const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16));
	const chunks: Buffer[] = [];
	let missing = size - png.length;
	while (missing >= frameSize) {
		// What is left after a chunk is nothing, or room for one more.
		const whole = missing <= maxChunkBytes ? missing : maxChunkBytes - frameSize;
		// The case of the letters says: ancillary, private, safe to copy.
		chunks.push(chunkOf('paDd', noise.update(Buffer.alloc(whole - frameSize))));
		missing -= whole;
	}
	if (chunks.length === 0) {
		return png;
	}
	// Right after the header, where every reader has to pass them.
	return Buffer.concat([png.subarray(0, headerEnd), ...chunks, png.subarray(headerEnd)]);
}

/** Puts a chunk `caBX` right behind the header, where a signed credential stands. */
export function signPng(png: Buffer): Buffer {
	const credential = chunkOf('caBX', Buffer.from('a manifest without a signature'));
	return Buffer.concat([png.subarray(0, headerEnd), credential, png.subarray(headerEnd)]);
}

function chunkOf(type: string, data: Buffer): Buffer {
	const chunk = Buffer.alloc(data.length + frameSize);
	chunk.writeUInt32BE(data.length, 0);
	chunk.write(type, 4, 'latin1');
	data.copy(chunk, 8);
	chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
	return chunk;
}
