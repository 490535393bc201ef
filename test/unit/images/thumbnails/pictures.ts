import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { createCanvas, loadImage } from '@napi-rs/canvas';

export interface PngKind {
	readonly width: number;
	readonly height: number;
	readonly colorType: 0 | 2 | 3 | 4 | 6;
	readonly bitDepth: 1 | 2 | 4 | 8 | 16;
	readonly interlaced?: boolean;
	/** Colors of the palette, three bytes each. */
	readonly palette?: Buffer;
	/** Content of the chunk tRNS. */
	readonly transparency?: Buffer;
}

/** Bytes of one line of so many pixels, without the type of its filter. */
export function lineLength({ colorType, bitDepth }: PngKind, width: number): number {
	const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colorType];
	return Math.ceil((samples * bitDepth * width) / 8);
}

/** A PNG file with these filtered lines, or whatever else is to stand in its place. */
export function pngOf(kind: PngKind, lines: Buffer, compressed = deflateSync(lines)): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(kind.width, 0);
	header.writeUInt32BE(kind.height, 4);
	header.set([kind.bitDepth, kind.colorType, 0, 0, kind.interlaced === true ? 1 : 0], 8);
	// In two pieces, as encoders write large ones.
	const middle = compressed.length >> 1;
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		pngChunk('IHDR', header),
		...(kind.palette === undefined ? [] : [pngChunk('PLTE', kind.palette)]),
		...(kind.transparency === undefined ? [] : [pngChunk('tRNS', kind.transparency)]),
		pngChunk('IDAT', compressed.subarray(0, middle)),
		pngChunk('IDAT', compressed.subarray(middle)),
		pngChunk('IEND', Buffer.alloc(0)),
	]);
}

/** A chunk with its checksum. */
export function pngChunk(type: string, content: Buffer): Buffer {
	const chunk = Buffer.alloc(12 + content.length);
	chunk.writeUInt32BE(content.length, 0);
	chunk.write(type, 4, 'latin1');
	content.copy(chunk, 8);
	chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
	return chunk;
}

/** The pixels that Skia reads from an image file, eight-bit RGBA. */
export async function pixelsOf(
	file: Buffer,
): Promise<{ width: number; height: number; data: Uint8ClampedArray }> {
	const image = await loadImage(file);
	const context = createCanvas(image.width, image.height).getContext('2d');
	context.drawImage(image, 0, 0);
	return context.getImageData(0, 0, image.width, image.height);
}

/** Four quarters: red and green above, blue and yellow below. */
export function quarters(
	width: number,
	height: number,
): { width: number; height: number; data: Uint8ClampedArray } {
	const context = createCanvas(width, height).getContext('2d');
	for (const [index, color] of ['#f00', '#0f0', '#00f', '#ff0'].entries()) {
		context.fillStyle = color;
		context.fillRect(((index % 2) * width) / 2, ((index >> 1) * height) / 2, width / 2, height / 2);
	}
	return { width, height, data: context.getImageData(0, 0, width, height).data };
}

/** The colors in the middle of the four quarters, as letters; `-` is transparent. */
export async function quartersOf(file: Buffer): Promise<string> {
	const { width, height, data } = await pixelsOf(file);
	return [0.25, 0.75]
		.flatMap((y) => [0.25, 0.75].map((x) => [x, y] as const))
		.map(([x, y]) => {
			const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
			const [red, green, blue, alpha] = [...data.subarray(at, at + 4)].map((each) => each > 127);
			if (alpha !== true) {
				return '-';
			}
			return red === true ? (green === true ? 'y' : 'r') : green === true ? 'g' : blue ? 'b' : 'k';
		})
		.join('');
}

/** A JPEG with an EXIF segment that says how to turn it. */
export function turned(jpeg: Buffer, orientation: number): Buffer {
	const exif = Buffer.from(
		'ffe1002245786966000049492a0008000000010012010300010000000000000000000000',
		'hex',
	);
	exif[28] = orientation;
	return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

/** An encoder of the packages that decode in the extension, opened from their WebAssembly. */
export async function encoder(
	kind: 'jpeg' | 'webp',
): Promise<
	(picture: { width: number; height: number; data: Uint8ClampedArray }, options: object) => Buffer
> {
	// Its own types need those of Emscripten, which are not installed.
	const module: unknown = await (kind === 'jpeg'
		? import('@jsquash/jpeg/codec/enc/mozjpeg_enc.js')
		: import('@jsquash/webp/codec/enc/webp_enc.js'));
	const { default: open } = module as {
		default: (options: object) => Promise<{ encode: (...all: unknown[]) => Uint8Array }>;
	};
	const { defaultOptions } = await (kind === 'jpeg'
		? import('@jsquash/jpeg/meta.js')
		: import('@jsquash/webp/meta.js'));
	const name = kind === 'jpeg' ? 'mozjpeg_enc' : 'webp_enc';
	const wasmBinary = readFileSync(require.resolve(`@jsquash/${kind}/codec/enc/${name}.wasm`));
	const { encode } = await open({ noInitialRun: true, wasmBinary });
	return ({ data, width, height }, options) =>
		Buffer.from(encode(data, width, height, { ...defaultOptions, ...options }));
}

/** An animated WebP of these still ones, each at a place of the canvas. */
export function animation(
	canvas: { width: number; height: number },
	frames: readonly { file: Buffer; x: number; y: number; width: number; height: number }[],
): Buffer {
	const header = Buffer.alloc(10);
	// Animated, with alpha.
	header[0] = 0x12;
	header.writeUIntLE(canvas.width - 1, 4, 3);
	header.writeUIntLE(canvas.height - 1, 7, 3);
	const chunks = frames.map(({ file, x, y, width, height }) => {
		const frame = Buffer.alloc(16);
		frame.writeUIntLE(x / 2, 0, 3);
		frame.writeUIntLE(y / 2, 3, 3);
		frame.writeUIntLE(width - 1, 6, 3);
		frame.writeUIntLE(height - 1, 9, 3);
		frame.writeUIntLE(100, 12, 3);
		// Of a file with alpha, what stands behind its header.
		const start = file.toString('latin1', 12, 16) === 'VP8X' ? 30 : 12;
		return webpChunk('ANMF', Buffer.concat([frame, file.subarray(start)]));
	});
	const content = Buffer.concat([
		Buffer.from('WEBP', 'latin1'),
		webpChunk('VP8X', header),
		webpChunk('ANIM', Buffer.alloc(6)),
		...chunks,
	]);
	return webpChunk('RIFF', content);
}

/** A chunk of a WebP, with the byte that fills up an odd length. */
export function webpChunk(name: string, content: Buffer): Buffer {
	const start = Buffer.alloc(8);
	start.write(name, 'latin1');
	start.writeUInt32LE(content.length, 4);
	return Buffer.concat([start, content, Buffer.alloc(content.length % 2)]);
}
