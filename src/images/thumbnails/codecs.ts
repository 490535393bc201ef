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
 * The most memory that a decoder may take, in bytes: what 50 million pixels need, and the tables of
 * a progressive JPEG. The dimensions of a file's header do not bound it: behind it may stand others.
 */
export const mostMemory = 640 * 1024 * 1024;

/**
 * Turned as its EXIF orientation says.
 *
 * @throws {RangeError} where it is damaged or cut off
 * @throws {OutOfMemory}
 */
export async function decodeJpeg(bytes: Uint8Array): Promise<Picture> {
	const complaints: string[] = [];
	const picture = await once(openJpegDecoder, jpegDecoderPath, complaints, (decoder) =>
		decoder.decode(bytes, true),
	);
	// The decoder fills what is missing with gray.
	if (complaints.some((complaint) => complaint.includes('Premature end'))) {
		throw new RangeError('The pixels are incomplete.');
	}
	return picture;
}

/**
 * A still image.
 *
 * @throws {RangeError} where it is damaged, cut off or animated
 * @throws {OutOfMemory}
 */
export async function decodeWebp(bytes: Uint8Array): Promise<Picture> {
	return once(openWebpDecoder, webpDecoderPath, [], (decoder) => decoder.decode(bytes));
}

/** Returns a WebP file: lossy, with its transparency. */
export async function encodeWebp({ data, width, height }: Picture): Promise<Uint8Array> {
	encoder ??= open(openWebpEncoder, webpEncoderPath, []);
	// Level 4 of effort, the default, takes three times as long for files 5 to 10 % smaller.
	const options = { ...defaultOptions, quality: 80, method: 2 };
	const file = (await encoder).encode(data, width, height, options);
	if (file === null) {
		throw new Error('A thumbnail could not be encoded.');
	}
	return file;
}

/** A picture needs more than `mostMemory`. */
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

let encoder: ReturnType<typeof openWebpEncoder> | undefined;

/** It is compiled once; that is most of the time it takes to open it. */
const compiled = new Map<string, WebAssembly.Module>();

/** With a decoder of its own: one that has failed is in no state to go on, and memory never shrinks. */
async function once<Decoder>(
	codec: Codec<Decoder>,
	file: string,
	complaints: string[],
	decode: (decoder: Decoder) => Picture | null,
): Promise<Picture> {
	const decoder = await open(codec, file, complaints);
	let picture: Picture | null;
	try {
		picture = decode(decoder);
	} catch (error) {
		throw error instanceof OutOfMemory ? error : new RangeError(complaints.join(' '));
	}
	if (picture === null) {
		throw new RangeError('It cannot be decoded.');
	}
	return picture;
}

async function open<Functions>(
	codec: Codec<Functions>,
	file: string,
	complaints: string[],
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
					bound(each);
				}
			}
			done(instance);
			return instance.exports;
		},
		// It would write to the error output of the editor.
		printErr: (complaint) => complaints.push(complaint),
	});
}

/** Codecs take more memory by this one method of theirs. */
function bound(memory: WebAssembly.Memory): void {
	const grow = memory.grow.bind(memory);
	memory.grow = (pages) => {
		if (memory.buffer.byteLength + pages * 64 * 1024 > mostMemory) {
			throw new OutOfMemory();
		}
		return grow(pages);
	};
}
