import { readFileSync } from 'node:fs';
import path from 'node:path';
import openJpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import jpegDecoderPath from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm';
import openWebpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import webpDecoderPath from '@jsquash/webp/codec/dec/webp_dec.wasm';
import openWebpEncoder from '@jsquash/webp/codec/enc/webp_enc.js';
import webpEncoderPath from '@jsquash/webp/codec/enc/webp_enc.wasm';
import { defaultOptions } from '@jsquash/webp/meta.js';
import type { Picture } from './shrink.js';

/**
 * Decodes a JPEG, turned as its EXIF orientation says.
 *
 * @param memoryLimit in bytes. The dimensions in a header do not bound what its decoder takes:
 *   others may stand behind them.
 * @throws {RangeError} where it is damaged or cut off
 * @throws {OutOfMemory}
 */
export async function decodeJpeg(bytes: Uint8Array, memoryLimit: number): Promise<Picture> {
	const complaints: string[] = [];
	const surroundings = { memoryLimit, complaints };
	const picture = await once(openJpegDecoder, jpegDecoderPath, surroundings, (decoder) =>
		decoder.decode(bytes, true),
	);
	// The decoder fills what is missing with gray.
	if (complaints.some((complaint) => complaint.includes('Premature end'))) {
		throw new RangeError('The pixels are incomplete.');
	}
	return picture;
}

/**
 * Decodes a WebP.
 *
 * @param memoryLimit in bytes
 * @throws {RangeError} where it is damaged, cut off or animated
 * @throws {OutOfMemory}
 */
export async function decodeWebp(bytes: Uint8Array, memoryLimit: number): Promise<Picture> {
	return once(openWebpDecoder, webpDecoderPath, { memoryLimit, complaints: [] }, (decoder) =>
		decoder.decode(bytes),
	);
}

/** Returns a WebP file: lossy, with its transparency. */
export async function encodeWebp({ data, width, height }: Picture): Promise<Uint8Array> {
	encoder ??= open(openWebpEncoder, webpEncoderPath, { memoryLimit: Infinity, complaints: [] });
	// Level 4 of effort, the default, takes three times as long for files 5 to 10 % smaller.
	const options = { ...defaultOptions, quality: 80, method: 2 };
	const file = (await encoder).encode(data, width, height, options);
	if (file === null) {
		throw new Error('A thumbnail could not be encoded.');
	}
	return file;
}

/** An image takes more memory than it may. */
export class OutOfMemory extends Error {
	override readonly name = 'OutOfMemory';
}

/** How a codec's glue code is started. */
export type Codec<Functions> = (options: {
	readonly noInitialRun: true;
	readonly instantiateWasm: (
		imports: object,
		done: (instance: WebAssembly.Instance) => void,
	) => object;
	readonly printErr: (complaint: string) => void;
}) => Promise<Functions>;

interface Surroundings {
	/** In bytes. */
	readonly memoryLimit: number;
	/** Gets what the codec would print. */
	readonly complaints: string[];
}

let encoder: ReturnType<typeof openWebpEncoder> | undefined;

/** It is compiled once; that is most of the time it takes to open it. */
const compiled = new Map<string, WebAssembly.Module>();

/** With a decoder of its own: one that has failed is in no state to go on, and memory never shrinks. */
async function once<Decoder>(
	codec: Codec<Decoder>,
	file: string,
	surroundings: Surroundings,
	decode: (decoder: Decoder) => Picture | null,
): Promise<Picture> {
	const decoder = await open(codec, file, surroundings);
	let picture: Picture | null;
	try {
		picture = decode(decoder);
	} catch (error) {
		throw error instanceof OutOfMemory ? error : new RangeError(surroundings.complaints.join(' '));
	}
	if (picture === null) {
		throw new RangeError('It cannot be decoded.');
	}
	return picture;
}

async function open<Functions>(
	codec: Codec<Functions>,
	file: string,
	{ memoryLimit, complaints }: Surroundings,
): Promise<Functions> {
	const code =
		compiled.get(file) ?? new WebAssembly.Module(readFileSync(path.join(__dirname, file)));
	compiled.set(file, code);
	return codec({
		noInitialRun: true,
		instantiateWasm: (imports, done) => {
			const instance = new WebAssembly.Instance(code, imports);
			for (const each of Object.values(instance.exports)) {
				if (each instanceof WebAssembly.Memory) {
					bound(each, memoryLimit);
				}
			}
			done(instance);
			return instance.exports;
		},
		printErr: (complaint) => complaints.push(complaint),
	});
}

/** Codecs take more memory by this one method of theirs. */
function bound(memory: WebAssembly.Memory, limit: number): void {
	const grow = memory.grow.bind(memory);
	memory.grow = (pages) => {
		if (memory.buffer.byteLength + pages * 64 * 1024 > limit) {
			throw new OutOfMemory();
		}
		return grow(pages);
	};
}
