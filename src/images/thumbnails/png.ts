import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { isIntact } from '../inspect.js';
import { exifOrientation, type Orientation } from '../orientation.js';

/** Header of a PNG (PNG 3, part 11.2.1). */
export interface PngHeader {
	readonly width: number;
	readonly height: number;
	/** Bits of one sample, or of one index into the palette. */
	readonly bitDepth: number;
	/** PNG 3, table 11.1. */
	readonly colorType: number;
	readonly interlaced: boolean;
	/** Turn that the whole still needs: the pixels come as they are stored. */
	readonly orientation: Orientation;
}

/**
 * Reads the pixels of a PNG line by line, so that memory does not grow with its dimensions. Node's
 * own zlib inflates them in another thread meanwhile. All color types and bit depths are
 * understood. Of samples of 16 bits only the upper 8 are used, color profiles and gamma are
 * ignored, and of an animation the default image is read.
 *
 * @param bytes the whole file
 * @param begin called once before the first pixel; the function that it returns is called for each
 *   line `y` with `count` pixels as eight-bit RGBA, the first at column `x` and the others every
 *   `step` columns. They are valid during the call only.
 * @throws {RangeError} where a chunk or a line is damaged or missing
 * @throws {Error} of zlib where the compressed pixels are damaged or cut off
 * @throws {unknown} what `begin` throws
 */
export async function readPng(
	bytes: Buffer,
	begin: (
		header: PngHeader,
	) => (y: number, rgba: Uint8Array, count: number, x: number, step: number) => void,
): Promise<void> {
	const { header, palette, transparency, data } = readChunks(bytes);
	const draw = begin(header);
	const samples = samplesOf(header.colorType);
	const bitsPerPixel = samples * header.bitDepth;
	const toRgba = converter(header, palette, transparency);
	const rgba = new Uint8Array(header.width * 4);
	const lines = linesOf(header);
	let next = lines.next();
	let line = new Uint8Array(0);
	let above = new Uint8Array(0);
	let filled = 0;
	let pass: Pass | undefined;

	/** Makes room for the line that comes next. */
	const prepare = () => {
		if (next.done === true) {
			return;
		}
		if (pass !== next.value.pass) {
			pass = next.value.pass;
			// The filter's type, and the pixels.
			const length = 1 + Math.ceil((pass.width * bitsPerPixel) / 8);
			line = new Uint8Array(length);
			above = new Uint8Array(length);
		}
		filled = 0;
	};

	prepare();
	await pipeline(Readable.from(data), createInflate({ chunkSize: 64 * 1024 }), async (source) => {
		for await (const piece of source as AsyncIterable<Uint8Array>) {
			let at = 0;
			// Bytes after the last line mean nothing, but zlib compares its checksum only behind them.
			while (at < piece.length && next.done !== true) {
				const length = Math.min(line.length - filled, piece.length - at);
				line.set(piece.subarray(at, at + length), filled);
				filled += length;
				at += length;
				if (filled === line.length) {
					const { pass: of, y } = next.value;
					unfilter(line, above, Math.ceil(bitsPerPixel / 8));
					toRgba(line, of.width, rgba);
					draw(y, rgba, of.width, of.x, of.stepX);
					[line, above] = [above, line];
					next = lines.next();
					prepare();
				}
			}
		}
	});
	if (next.done !== true) {
		throw new RangeError('the pixels are incomplete');
	}
}

interface Pass {
	readonly x: number;
	readonly y: number;
	readonly stepX: number;
	readonly stepY: number;
	/** Width of its lines, in pixels. */
	readonly width: number;
}

/** The seven passes of Adam7 (PNG 3, part 8.1). */
const adam7 = [
	{ x: 0, y: 0, stepX: 8, stepY: 8 },
	{ x: 4, y: 0, stepX: 8, stepY: 8 },
	{ x: 0, y: 4, stepX: 4, stepY: 8 },
	{ x: 2, y: 0, stepX: 4, stepY: 4 },
	{ x: 0, y: 2, stepX: 2, stepY: 4 },
	{ x: 1, y: 0, stepX: 2, stepY: 2 },
	{ x: 0, y: 1, stepX: 1, stepY: 2 },
];

/** The lines in the order in which they are stored. */
function* linesOf(header: PngHeader): Generator<{ readonly pass: Pass; readonly y: number }> {
	const { width, height, interlaced } = header;
	for (const place of interlaced ? adam7 : [{ x: 0, y: 0, stepX: 1, stepY: 1 }]) {
		const pass = { ...place, width: Math.ceil((width - place.x) / place.stepX) };
		// A pass without columns has no lines either.
		for (let y = pass.y; pass.width > 0 && y < height; y += pass.stepY) {
			yield { pass, y };
		}
	}
}

interface Chunks {
	readonly header: PngHeader;
	readonly palette: Uint8Array | undefined;
	/** Content of the chunk tRNS. */
	readonly transparency: Uint8Array | undefined;
	readonly data: readonly Uint8Array[];
}

interface Chunk {
	readonly type: string;
	readonly content: Buffer;
	/** Returns whether its checksum is right. */
	readonly isIntact: () => boolean;
}

/** The chunks of a PNG before its end (PNG 3, part 5.3). */
export function* pngChunks(bytes: Buffer): Generator<Chunk, void, undefined> {
	for (let at = 8; at + 12 <= bytes.length;) {
		const end = at + 8 + bytes.readUInt32BE(at);
		const type = bytes.toString('latin1', at + 4, at + 8);
		if (type === 'IEND') {
			return;
		}
		const whole = bytes.subarray(at + 4, end + 4);
		yield { type, content: bytes.subarray(at + 8, end), isIntact: () => isIntact(whole) };
		at = end + 4;
	}
}

function readChunks(bytes: Buffer): Chunks {
	let header: ReturnType<typeof readHeader> | undefined;
	let palette: Uint8Array | undefined;
	let transparency: Uint8Array | undefined;
	let orientation: Orientation | undefined;
	const data: Uint8Array[] = [];
	for (const { type, content, isIntact } of pngChunks(bytes)) {
		switch (type) {
			case 'IHDR':
				header = readHeader(content);
				break;
			case 'PLTE':
				palette = content;
				break;
			case 'tRNS':
				transparency = content;
				break;
			case 'eXIf':
				// Viewers leave it alone behind the pixels, and where it is damaged.
				orientation ??= data.length === 0 && isIntact() ? exifOrientation(content) : 1;
				break;
			case 'IDAT':
				data.push(content);
		}
	}
	if (header === undefined || (header.colorType === indexed && palette === undefined)) {
		throw new RangeError('a chunk is missing');
	}
	return { header: { ...header, orientation: orientation ?? 1 }, palette, transparency, data };
}

function readHeader(content: Buffer): Omit<PngHeader, 'orientation'> {
	if (content.length !== 13) {
		throw new RangeError('the header is damaged');
	}
	const width = content.readUInt32BE(0);
	const height = content.readUInt32BE(4);
	const bitDepth = content[8]!;
	const colorType = content[9]!;
	const [compression, filter, interlace] = [content[10]!, content[11]!, content[12]!];
	if (
		width === 0 ||
		height === 0 ||
		!(bitDepths[colorType]?.includes(bitDepth) ?? false) ||
		compression !== 0 ||
		filter !== 0 ||
		interlace > 1
	) {
		throw new RangeError('the header is damaged');
	}
	return { width, height, bitDepth, colorType, interlaced: interlace === 1 };
}

const gray = 0;
const color = 2;
const indexed = 3;
const grayAlpha = 4;
const colorAlpha = 6;

/** PNG 3, table 11.1. */
const bitDepths: Readonly<Record<number, readonly number[]>> = {
	[gray]: [1, 2, 4, 8, 16],
	[color]: [8, 16],
	[indexed]: [1, 2, 4, 8],
	[grayAlpha]: [8, 16],
	[colorAlpha]: [8, 16],
};

function samplesOf(colorType: number): number {
	return { [color]: 3, [grayAlpha]: 2, [colorAlpha]: 4 }[colorType] ?? 1;
}

/**
 * Takes back the filter of a line (PNG 3, part 9), whose type is the first byte.
 *
 * @param pixel bytes of one pixel, at least 1
 * @throws {RangeError} where the type is unknown
 */
function unfilter(line: Uint8Array, above: Uint8Array, pixel: number): void {
	const { length } = line;
	switch (line[0]!) {
		case 0:
			return;
		case 1:
			for (let at = 1 + pixel; at < length; at++) {
				line[at]! += line[at - pixel]!;
			}
			return;
		case 2:
			for (let at = 1; at < length; at++) {
				line[at]! += above[at]!;
			}
			return;
		case 3:
			for (let at = 1; at < length; at++) {
				const left = at > pixel ? line[at - pixel]! : 0;
				line[at]! += (left + above[at]!) >> 1;
			}
			return;
		case 4:
			for (let at = 1; at < length; at++) {
				const left = at > pixel ? line[at - pixel]! : 0;
				const corner = at > pixel ? above[at - pixel]! : 0;
				line[at]! += paeth(left, above[at]!, corner);
			}
			return;
		default:
			throw new RangeError('a line has an unknown filter');
	}
}

/** PNG 3, part 9.4. */
function paeth(left: number, above: number, corner: number): number {
	const fromLeft = Math.abs(above - corner);
	const fromAbove = Math.abs(left - corner);
	const fromCorner = Math.abs(left + above - 2 * corner);
	if (fromLeft <= fromAbove && fromLeft <= fromCorner) {
		return left;
	}
	return fromAbove <= fromCorner ? above : corner;
}

/** Returns a function that turns `count` pixels of an unfiltered line into eight-bit RGBA. */
function converter(
	{ bitDepth, colorType }: PngHeader,
	palette: Uint8Array | undefined,
	transparency: Uint8Array | undefined,
): (line: Uint8Array, count: number, rgba: Uint8Array) => void {
	if (bitDepth < 8 || colorType === indexed) {
		const colors =
			colorType === indexed ? paletteColors(palette!, transparency) : grays(bitDepth, transparency);
		return (line, count, rgba) => {
			const target = new Uint32Array(rgba.buffer);
			const mask = (1 << bitDepth) - 1;
			for (let index = 0, bit = 0; index < count; index++, bit += bitDepth) {
				const shift = 8 - bitDepth - (bit & 7);
				target[index] = colors[(line[1 + (bit >> 3)]! >> shift) & mask]!;
			}
		};
	}
	const bytes = bitDepth / 8;
	const samples = samplesOf(colorType);
	const isColor = colorType === color || colorType === colorAlpha;
	// Offsets within a pixel, in bytes; red is at 0.
	const green = isColor ? bytes : 0;
	const blue = isColor ? 2 * bytes : 0;
	const alpha = colorType === color || colorType === gray ? undefined : (samples - 1) * bytes;
	const pixel = samples * bytes;
	const hidden = hiddenColor(transparency, samples, bytes);
	return (line, count, rgba) => {
		for (let index = 0, from = 1, to = 0; index < count; index++, from += pixel, to += 4) {
			rgba[to] = line[from]!;
			rgba[to + 1] = line[from + green]!;
			rgba[to + 2] = line[from + blue]!;
			rgba[to + 3] =
				alpha !== undefined
					? line[from + alpha]!
					: hidden?.every((byte, at) => byte === line[from + at]) === true
						? 0
						: 255;
		}
	};
}

/** The one color that stands for transparent (PNG 3, part 11.3.1.1), in the bytes of a line. */
function hiddenColor(
	transparency: Uint8Array | undefined,
	samples: number,
	bytes: number,
): readonly number[] | undefined {
	if (transparency === undefined || transparency.length < samples * 2) {
		return undefined;
	}
	// In the chunk each sample has two bytes, even where it has one in the lines.
	return [...transparency.subarray(0, samples * 2)].filter(
		(_, index) => bytes === 2 || index % 2 === 1,
	);
}

/** 256 colors, whatever the palette has: an index behind its end is black. */
function paletteColors(palette: Uint8Array, transparency: Uint8Array | undefined): Uint32Array {
	const colors = new Uint8Array(256 * 4);
	for (let index = 0; index < 256; index++) {
		colors.set(palette.subarray(index * 3, index * 3 + 3), index * 4);
		colors[index * 4 + 3] = transparency?.[index] ?? 255;
	}
	return new Uint32Array(colors.buffer);
}

function grays(bitDepth: number, transparency: Uint8Array | undefined): Uint32Array {
	const count = 2 ** bitDepth;
	const colors = new Uint8Array(count * 4);
	for (let value = 0; value < count; value++) {
		colors.fill((value * 255) / (count - 1), value * 4, value * 4 + 3);
		colors[value * 4 + 3] = value === transparency?.[1] ? 0 : 255;
	}
	return new Uint32Array(colors.buffer);
}
