import { readFileSync } from 'node:fs';
import path from 'node:path';
import openJpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import jpegDecoderPath from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm';
import openJpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import jpegEncoderPath from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm';
import { defaultOptions as jpegOptions } from '@jsquash/jpeg/meta.js';
import * as oxipng from '@jsquash/oxipng/codec/pkg/squoosh_oxipng.js';
import oxipngPath from '@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm';
import * as resizer from '@jsquash/resize/lib/resize/pkg/squoosh_resize.js';
import resizerPath from '@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm';
import openWebpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import webpDecoderPath from '@jsquash/webp/codec/dec/webp_dec.wasm';
import openWebpEncoder from '@jsquash/webp/codec/enc/webp_enc.js';
import webpEncoderPath from '@jsquash/webp/codec/enc/webp_enc.wasm';
import { defaultOptions as webpOptions } from '@jsquash/webp/meta.js';
import { isTransparent, type Pixels } from './shrink.js';

/**
 * Decodes a JPEG, turned as its EXIF orientation says.
 *
 * @param memoryLimit in bytes. Checking the dimensions in the header is not enough: the file may
 *   state others later.
 * @throws {RangeError} where it is damaged or cut off
 * @throws {OutOfMemory} where it needs more than `memoryLimit`
 */
export async function decodeJpeg(bytes: Uint8Array, memoryLimit: number): Promise<Pixels> {
	const { picture, complaints } = await decode(
		openJpegDecoder,
		jpegDecoderPath,
		memoryLimit,
		(decoder) => decoder.decode(bytes, true),
	);
	// The decoder fills what is missing with gray.
	if (complaints.some((complaint) => complaint.includes('Premature end'))) {
		throw new RangeError('the pixels are incomplete');
	}
	return picture;
}

/**
 * Decodes a WebP.
 *
 * @param memoryLimit in bytes
 * @throws {RangeError} where it is damaged, cut off or animated
 * @throws {OutOfMemory} where it needs more than `memoryLimit`
 */
export async function decodeWebp(bytes: Uint8Array, memoryLimit: number): Promise<Pixels> {
	const { picture } = await decode(openWebpDecoder, webpDecoderPath, memoryLimit, (decoder) =>
		decoder.decode(bytes),
	);
	return picture;
}

/**
 * Returns a WebP file: lossy, with transparency.
 *
 * @param quality 0 to 100
 * @param more options of the encoder
 * @throws {Error} where the encoder refuses
 */
export async function encodeWebp(
	picture: Pixels,
	quality: number,
	more: EncoderOptions = {},
): Promise<Buffer> {
	// Level 4 of effort, the default, takes three times as long for files 5 to 10 % smaller.
	const options = { ...webpOptions, quality, method: 2, ...more };
	return encode(openWebpEncoder, webpEncoderPath, picture, options);
}

/**
 * Returns a JPEG file; what is transparent lies on white.
 *
 * @param quality 0 to 100
 * @param more options of the encoder
 * @throws {Error} where the encoder refuses
 */
export async function encodeJpeg(
	picture: Pixels,
	quality: number,
	more: EncoderOptions = {},
): Promise<Buffer> {
	const data = isTransparent(picture) ? onWhite(picture) : picture.data;
	// A progressive file, the default, takes two to three times as long and is about a tenth smaller.
	const options = { ...jpegOptions, quality, progressive: false, ...more };
	return encode(openJpegEncoder, jpegEncoderPath, { ...picture, data }, options);
}

/** Returns a PNG without loss, in the fewest bits for each pixel that its colors need. */
export function optimisePng({ data, width, height }: Pixels): Uint8Array {
	oxipng.initSync(compile(oxipngPath));
	// Level 2 of 6: the next ones take several times as long for 1 to 2 %.
	return oxipng.optimise_raw(data, width, height, 2, false, true);
}

/** Returns the data of a picture in other dimensions, by the filter Lanczos 3. */
export function resample(picture: Pixels, width: number, height: number): Uint8ClampedArray {
	resizer.initSync(compile(resizerPath));
	const { data } = picture;
	const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	const lanczos3 = 3;
	// Premultiplying takes longer than the filter.
	const hasAlpha = isTransparent(picture);
	return resizer.resize(
		...([bytes, picture.width, picture.height, width, height] as const),
		...([lanczos3, hasAlpha, false] as const),
	);
}

function onWhite({ data }: Pixels): Uint8ClampedArray {
	const drawn = new Uint8ClampedArray(data);
	for (let at = 0; at < drawn.length; at++) {
		const alpha = data[at | 3]! / 255;
		drawn[at] = data[at]! * alpha + 255 * (1 - alpha);
	}
	return drawn;
}

type EncoderOptions = Readonly<Record<string, unknown>>;

/** Uses an encoder that is opened once. */
async function encode(
	start: Codec<Encoder>,
	file: string,
	{ data, width, height }: Pixels,
	options: EncoderOptions,
): Promise<Buffer> {
	const opening = encoders.get(file) ?? open(start, file, Infinity);
	encoders.set(file, opening);
	// Its file may be readable again the next time.
	opening.catch(() => encoders.delete(file));
	const encoded = (await opening).codec.encode(data, width, height, options);
	if (encoded === null) {
		throw new Error('a thumbnail could not be encoded');
	}
	return Buffer.from(encoded);
}

/** An image takes more memory than it may. */
export class OutOfMemory extends Error {
	override readonly name = 'OutOfMemory';
}

/** The function that starts a codec, as Emscripten generates it. */
export type Codec<Functions> = (options: {
	readonly noInitialRun: true;
	readonly instantiateWasm: (
		imports: object,
		done: (instance: WebAssembly.Instance) => void,
	) => object;
	readonly printErr: (complaint: string) => void;
}) => Promise<Functions>;

interface Opened<Functions> {
	readonly codec: Functions;
	/** The messages that it would print. */
	readonly complaints: readonly string[];
	/** True if it was refused memory. It may have succeeded all the same. */
	readonly wasRefused: () => boolean;
}

/** The functions of an encoder. */
export interface Encoder {
	encode(
		pixels: Uint8ClampedArray,
		width: number,
		height: number,
		options: Readonly<Record<string, unknown>>,
	): Uint8Array | null;
}

const encoders = new Map<string, Promise<Opened<Encoder>>>();

/** Each codec is compiled once: that is most of the time that opening it takes. */
const compiled = new Map<string, WebAssembly.Module>();

/** Uses a new decoder: one that has failed cannot be used again, and its memory never shrinks. */
async function decode<Decoder>(
	start: Codec<Decoder>,
	file: string,
	memoryLimit: number,
	run: (decoder: Decoder) => Pixels | null,
): Promise<{ readonly picture: Pixels; readonly complaints: readonly string[] }> {
	const { codec, complaints, wasRefused } = await open(start, file, memoryLimit);
	let picture: Pixels | null = null;
	try {
		picture = run(codec);
	} catch {
		// The exception says less than the messages of the decoder.
	}
	if (picture === null) {
		throw wasRefused() ? new OutOfMemory() : new RangeError(complaints.join(' '));
	}
	return { picture, complaints };
}

async function open<Functions>(
	start: Codec<Functions>,
	file: string,
	memoryLimit: number,
): Promise<Opened<Functions>> {
	const code = compile(file);
	const complaints: string[] = [];
	let refused = false;
	const codec = await start({
		noInitialRun: true,
		instantiateWasm: (imports, done) => {
			const instance = new WebAssembly.Instance(code, imports);
			for (const each of Object.values(instance.exports)) {
				if (each instanceof WebAssembly.Memory) {
					bound(each, memoryLimit, () => (refused = true));
				}
			}
			done(instance);
			return instance.exports;
		},
		printErr: (complaint) => complaints.push(complaint),
	});
	return { codec, complaints, wasRefused: () => refused };
}

function compile(file: string): WebAssembly.Module {
	const code =
		compiled.get(file) ?? new WebAssembly.Module(readFileSync(path.join(__dirname, file)));
	compiled.set(file, code);
	return code;
}

/** Bounds the memory of a codec, in bytes: it grows by this one method alone. */
function bound(memory: WebAssembly.Memory, limit: number, onRefusal: () => void): void {
	const grow = memory.grow.bind(memory);
	memory.grow = (pages) => {
		if (memory.buffer.byteLength + pages * 64 * 1024 > limit) {
			onRefusal();
			throw new RangeError('the limit of memory is reached');
		}
		return grow(pages);
	};
}
