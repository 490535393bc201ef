/** A picture that covers a part of a canvas, or all of it. */
export interface WebpFrame {
	/** A WebP file with this picture alone. */
	readonly file: Buffer;
	/** Size of the canvas, in pixels. */
	readonly width: number;
	readonly height: number;
	/** Position of the picture's upper left corner on the canvas, in pixels. */
	readonly x: number;
	readonly y: number;
}

/**
 * Takes the first frame out of an animated WebP, as a file that is not animated: decoders of still
 * images refuse the whole. Source: RFC 9649, part 2.7.
 *
 * @param bytes the whole file
 * @returns `undefined` where it is not animated
 * @throws {RangeError} where it has no whole frame
 */
export function firstFrame(bytes: Buffer): WebpFrame | undefined {
	const start = chunksOf(bytes, 12).next();
	if (start.done === true || start.value.name !== 'VP8X') {
		return undefined;
	}
	const header = start.value.content;
	if (header.length < 10 || (header[0]! & animated) === 0) {
		return undefined;
	}
	for (const { name, content } of chunksOf(bytes, 12)) {
		if (name === 'ANMF' && content.length > frameHeader) {
			return {
				file: stillFile(content),
				width: 1 + header.readUIntLE(4, 3),
				height: 1 + header.readUIntLE(7, 3),
				x: 2 * content.readUIntLE(0, 3),
				y: 2 * content.readUIntLE(3, 3),
			};
		}
	}
	throw new RangeError('there is no frame');
}

/**
 * Returns a WebP with a color profile (RFC 9649, part 2.7).
 *
 * @param file a still one without a profile, as the encoder makes it
 * @param size its dimensions, in pixels
 */
export function withProfile(
	file: Buffer,
	{ width, height }: { readonly width: number; readonly height: number },
	profile: Buffer,
): Buffer {
	const chunks = [...chunksOf(file, 12)];
	const header = Buffer.alloc(18);
	header.write('VP8X', 'latin1');
	header.writeUInt32LE(10, 4);
	header[8] = hasProfile | (chunks.some(({ name }) => name === 'ALPH') ? hasAlpha : 0);
	header.writeUIntLE(width - 1, 12, 3);
	header.writeUIntLE(height - 1, 15, 3);
	const start = Buffer.from('ICCP\0\0\0\0', 'latin1');
	start.writeUInt32LE(profile.length, 4);
	const padding = Buffer.alloc(profile.length % 2);
	const pixels = chunks.filter(({ name }) => name !== 'VP8X').map(({ whole }) => whole);
	return riffOf(header, start, profile, padding, ...pixels);
}

const animated = 0x02;
const hasAlpha = 0x10;
const hasProfile = 0x20;
/** Place, size, duration and flags of a frame, before its chunks. */
const frameHeader = 16;

function stillFile(frame: Buffer): Buffer {
	const chunks = [...chunksOf(frame, frameHeader)]
		.filter(({ name }) => name === 'ALPH' || name === 'VP8 ' || name === 'VP8L')
		.map(({ whole }) => whole);
	const header = Buffer.alloc(18);
	header.write('VP8X', 'latin1');
	header.writeUInt32LE(10, 4);
	header[8] = hasAlpha;
	// Width and height less 1, as they are in the frame.
	frame.copy(header, 12, 6, 12);
	return riffOf(header, ...chunks);
}

function riffOf(...parts: readonly Buffer[]): Buffer {
	const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts]);
	const riff = Buffer.from('RIFF\0\0\0\0', 'latin1');
	riff.writeUInt32LE(content.length, 4);
	return Buffer.concat([riff, content]);
}

interface Chunk {
	readonly name: string;
	readonly content: Buffer;
	/** The chunk with its name, length and padding. */
	readonly whole: Buffer;
}

/** The chunks from an offset on; one that is cut off is left out. */
export function* chunksOf(bytes: Buffer, from: number): Generator<Chunk, void, undefined> {
	for (let at = from; at + 8 <= bytes.length;) {
		const length = bytes.readUInt32LE(at + 4);
		const end = at + 8 + length + (length % 2);
		if (end > bytes.length) {
			return;
		}
		yield {
			name: bytes.toString('latin1', at, at + 4),
			content: bytes.subarray(at + 8, at + 8 + length),
			whole: bytes.subarray(at, end),
		};
		at = end;
	}
}
