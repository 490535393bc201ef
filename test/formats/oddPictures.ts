import { deflateSync } from 'node:zlib';
import { pngChunk, pngOf, webpChunk } from '../unit/images/thumbnails/pictures.js';
import type { PngKind } from '../unit/images/thumbnails/pictures.js';

export const width = 96;
export const height = 64;

/** Red, green, blue and alpha of a picture that each way to turn it changes, with few sharp edges. */
export function colorAt(x: number, y: number): readonly [number, number, number, number] {
	return [40 + x * 2, 30 + y * 3, x < 32 ? 200 : 60, 55 + x * 2];
}

/** The picture without its alpha. */
export function opaque(): { width: number; height: number; data: Uint8ClampedArray } {
	const pixels = Array.from({ length: width * height }, (_, at) => {
		const [red, green, blue] = colorAt(at % width, Math.floor(at / width));
		return [red, green, blue, 255];
	});
	return { width, height, data: Uint8ClampedArray.from(pixels.flat()) };
}

export function numbers(...values: readonly number[]): Buffer {
	const all = Buffer.alloc(values.length * 4);
	values.forEach((value, at) => all.writeInt32BE(value, at * 4));
	return all;
}

/** A TIFF with an orientation alone, as EXIF has it. */
export function exif(orientation: number, littleEndian = false): Buffer {
	const hex = littleEndian
		? '49492a0008000000010012010300010000000000000000000000'
		: '4d4d002a00000008000101120003000000010000000000000000';
	const tiff = Buffer.from(hex, 'hex');
	tiff[littleEndian ? 18 : 19] = orientation;
	return tiff;
}

/** A PNG with chunks before its pixels, and behind them. */
export function withChunks(
	png: Buffer,
	before: readonly Buffer[],
	behind: readonly Buffer[] = [],
): Buffer {
	const pixels = png.indexOf('IDAT') - 4;
	const end = png.length - 12;
	return Buffer.concat([
		...[png.subarray(0, 33), ...before],
		...[png.subarray(pixels, end), ...behind, png.subarray(end)],
	]);
}

/** A WebP in the extended form (RFC 9649, part 2.7) of one in the simple form. */
export function extended(
	webp: Buffer,
	flags: number,
	before: readonly Buffer[],
	behind: readonly Buffer[] = [],
): Buffer {
	const header = Buffer.alloc(10);
	header[0] = flags;
	header.writeUIntLE(width - 1, 4, 3);
	header.writeUIntLE(height - 1, 7, 3);
	const chunks = [webpChunk('VP8X', header), ...before, webp.subarray(12), ...behind];
	return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

/** The picture as a PNG of 8 or 16 bits. */
export function drawnPng(kind: Pick<PngKind, 'colorType' | 'bitDepth' | 'interlaced'>): Buffer {
	const whole = { ...kind, width, height };
	const lines: Buffer[] = [];
	for (const [left, top, stepX, stepY] of kind.interlaced === true ? adam7 : [[0, 0, 1, 1]]) {
		for (let y = top!; y < height; y += stepY!) {
			const bytes = [0];
			for (let x = left!; x < width; x += stepX!) {
				const [red, green, blue, alpha] = colorAt(x, y);
				const color = kind.colorType & 2 ? [red, green, blue] : [red];
				for (const sample of kind.colorType & 4 ? [...color, alpha] : color) {
					bytes.push(...Array<number>(kind.bitDepth / 8).fill(sample));
				}
			}
			lines.push(Buffer.from(bytes));
		}
	}
	return pngOf(whole, Buffer.concat(lines));
}

/** First column and line, and steps between columns and lines, of each pass (PNG 3, part 8.1). */
const adam7 = [
	[0, 0, 8, 8],
	[4, 0, 8, 8],
	[0, 4, 4, 8],
	[2, 0, 4, 4],
	[0, 2, 2, 4],
	[1, 0, 2, 2],
	[0, 1, 1, 2],
];

/** A PNG that moves: its own pixels and a gray frame, or the gray frame alone behind them. */
export function apng(png: Buffer): Buffer {
	const frame = (at: number) =>
		pngChunk(
			'fcTL',
			Buffer.concat([numbers(at, width, height, 0, 0), Buffer.from('000100010000', 'hex')]),
		);
	const gray = Buffer.concat(
		Array.from({ length: height }, () =>
			Buffer.concat([Buffer.of(0), Buffer.alloc(width * 4, 128)]),
		),
	);
	const second = pngChunk('fdAT', Buffer.concat([numbers(2), deflateSync(gray)]));
	return withChunks(png, [pngChunk('acTL', numbers(2, 1)), frame(0)], [frame(1), second]);
}

/** Colorants of sRGB and of Display P3, as XYZ for D50. */
export const primaries = {
	srgb: [
		[0.4361, 0.2225, 0.0139],
		[0.3851, 0.7169, 0.0971],
		[0.1431, 0.0606, 0.7141],
	],
	p3: [
		[0.5151, 0.2412, -0.0011],
		[0.292, 0.6922, 0.0419],
		[0.1571, 0.0666, 0.7841],
	],
};

/** An ICC profile of the three colorants of red, green and blue, with a gamma of 2.2 (ICC.1:2001-04). */
export function iccProfile(colorants: readonly (readonly number[])[]): Buffer {
	const fixed = (values: readonly number[]) =>
		numbers(...values.map((one) => Math.round(one * 65536)));
	const xyz = (values: readonly number[]) =>
		Buffer.concat([Buffer.from('XYZ \0\0\0\0'), fixed(values)]);
	const white = [0.9642, 1, 0.8249];
	const gamma = Buffer.from('curv\0\0\0\0\0\0\0\x01\x02\x33\0\0', 'latin1');
	const tags: (readonly [string, Buffer])[] = [
		['wtpt', xyz(white)],
		...['rXYZ', 'gXYZ', 'bXYZ'].map((name, at) => [name, xyz(colorants[at]!)] as const),
		...['rTRC', 'gTRC', 'bTRC'].map((name) => [name, gamma] as const),
	];
	let at = 132 + tags.length * 12;
	const table = tags.map(([name, tag]) => {
		const entry = Buffer.concat([Buffer.from(name), numbers(at, tag.length)]);
		at += tag.length;
		return entry;
	});
	const header = Buffer.alloc(128);
	header.writeUInt32BE(at);
	header.writeUInt32BE(0x02400000, 8);
	header.write('mntrRGB XYZ ', 12);
	header.write('acsp', 36);
	fixed(white).copy(header, 68);
	const content = tags.map(([, tag]) => tag);
	return Buffer.concat([header, numbers(tags.length), ...table, ...content]);
}

/** A JPEG with a profile in parts, the last one first (ICC.1:2022, annex B.4). */
export function withProfileParts(jpeg: Buffer, ...parts: readonly Buffer[]): Buffer {
	const segments = parts.map((part, at) => {
		const place = Buffer.of(at + 1, parts.length);
		return segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0'), place, part]));
	});
	return Buffer.concat([jpeg.subarray(0, 2), ...segments.reverse(), jpeg.subarray(2)]);
}

function segment(marker: number, content: Buffer): Buffer {
	const head = Buffer.of(0xff, marker, 0, 0);
	head.writeUInt16BE(content.length + 2, 2);
	return Buffer.concat([head, content]);
}

/**
 * A JPEG of four components, in blocks of one color each (ITU-T T.81, part F.1.2).
 *
 * @param transform of Adobe's marker: 0 is CMYK, 2 is YCCK; without one there is no marker
 */
export function fourColorJpeg(transform?: number): Buffer {
	const ids = [1, 2, 3, 4];
	const codes = Array.from({ length: 12 }, (_, code) => code);
	const adobe = Buffer.from(`Adobe\0d\0\0\0\0${String.fromCharCode(transform ?? 0)}`, 'latin1');
	return Buffer.concat([
		Buffer.of(0xff, 0xd8),
		...(transform === undefined ? [] : [segment(0xee, adobe)]),
		segment(0xdb, Buffer.concat([Buffer.of(0), Buffer.alloc(64, 1)])),
		segment(0xc0, Buffer.of(8, 0, height, 0, width, 4, ...ids.flatMap((id) => [id, 0x11, 0]))),
		// Twelve codes of four bits for the differences, and one of one bit for the end of a block.
		segment(0xc4, Buffer.concat([Buffer.of(0, 0, 0, 0, 12), Buffer.alloc(12), Buffer.from(codes)])),
		segment(0xc4, Buffer.concat([Buffer.of(0x10, 1), Buffer.alloc(16)])),
		segment(0xda, Buffer.of(4, ...ids.flatMap((id) => [id, 0]), 0, 63, 0)),
		blocks(),
		Buffer.of(0xff, 0xd9),
	]);
}

function blocks(): Buffer {
	let bits = '';
	const before = [0, 0, 0, 0];
	for (let at = 0; at < (width / 8) * (height / 8); at++) {
		const color = colorAt((at % (width / 8)) * 8, Math.floor(at / (width / 8)) * 8);
		color.forEach((value, component) => {
			const difference = 8 * (value - 128) - before[component]!;
			before[component]! += difference;
			const size = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference));
			const rest = difference > 0 ? difference : difference + 2 ** size - 1;
			bits += size.toString(2).padStart(4, '0');
			bits += size === 0 ? '0' : `${rest.toString(2).padStart(size, '0')}0`;
		});
	}
	const bytes = bits.match(/.{1,8}/g)!.map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2));
	return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}
