import { open, rename, rm } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { Assembler } from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { Base64Decoder } from './base64.js';
import { imageResponseSchema, type ImageResponse } from './contract.js';
import { AnswerError, StorageError, type AnswerProblem } from './errors.js';

/** An answer whose image is whole on disk; `response` is the rest of it, without the image. */
export interface ReceivedImage {
	readonly response: ImageResponse;
	/** Bytes of the image file. */
	readonly bytes: number;
}

/** The largest answer that is read, in bytes of the body. */
export const defaultAnswerLimit = 256 * 1024 * 1024;

/**
 * Reads the image response while it arrives: `data[0].b64_json` goes decoded to `file`, piece by
 * piece, so that memory does not grow with the image; the rest is kept and validated. The file
 * appears only when it is whole and flushed; after an error there is none.
 *
 * @param body the response body's pieces; an error from it is passed on as it is
 * @param limit largest size of the body in bytes
 * @throws {AnswerError} where the answer makes no sense
 * @throws {StorageError} where the file cannot be written
 */
export async function receiveImage(
	body: AsyncIterable<Uint8Array>,
	file: string,
	limit = defaultAnswerLimit,
): Promise<ReceivedImage> {
	const part = `${file}.part`;
	const handle = await onDisk(() => open(part, 'w'));
	let bytes = 0;
	try {
		const answer = new AnswerParser();
		for await (const piece of limited(body, limit)) {
			bytes += await append(answer.write(piece));
		}
		bytes += await append(answer.end());
		const response = validate(answer.value);
		if (bytes === 0) {
			throw problem('missingImage', 'The answer of the service contains an empty image.');
		}
		await onDisk(() => handle.sync());
		await handle.close();
		await onDisk(() => rename(part, file));
		return { response, bytes };
	} catch (error) {
		await handle.close().catch(() => undefined);
		await rm(part, { force: true }).catch(() => undefined);
		throw error;
	}

	async function append(data: readonly Buffer[]): Promise<number> {
		let written = 0;
		for (const buffer of data) {
			if (buffer.length > 0) {
				await onDisk(() => handle.appendFile(buffer));
				written += buffer.length;
			}
		}
		return written;
	}
}

/** Turns pieces of the body into pieces of the image, keeping the rest of the JSON. */
class AnswerParser {
	readonly #decoder = new StringDecoder('utf8');
	readonly #parse = jsonParser({ packStrings: false, streamKeys: false, streamNumbers: false });
	readonly #rest = new Assembler();
	#image: 'awaited' | 'arriving' | 'complete' = 'awaited';
	#base64 = new Base64Decoder();
	/** The start of the body, to tell what it is when it is no JSON. */
	#start = '';
	#text = '';

	write(piece: Uint8Array): Buffer[] {
		const text = this.#decoder.write(piece);
		if (this.#start.length < 512) {
			this.#start += text.slice(0, 512);
		}
		return this.#consume(text);
	}

	end(): Buffer[] {
		if (this.#start.trim() === '') {
			throw problem('empty', 'The service answered without any content.');
		}
		const images = this.#consume(this.#decoder.end());
		if (this.#rest.depth > 0) {
			throw this.#truncated();
		}
		try {
			images.push(...this.#tokens(none));
		} catch {
			throw this.#truncated();
		}
		return images;
	}

	/** The answer, with the empty string where the image was. */
	get value(): unknown {
		return this.#rest.current;
	}

	#consume(text: string): Buffer[] {
		if (text === '') {
			return [];
		}
		try {
			return this.#tokens(text);
		} catch (error) {
			if (error instanceof AnswerError) {
				throw error;
			}
			throw this.#notJson(error);
		}
	}

	#tokens(input: string | typeof none): Buffer[] {
		const images: Buffer[] = [];
		const output = (this.#parse as (input: unknown) => unknown)(input);
		if (isMany(output)) {
			// The parser hands out a few hundred characters at a time; decoding and writing them
			// together is what keeps a large image quick.
			let base64 = '';
			for (const token of getManyValues(output) as Token[]) {
				if (token.name === 'stringChunk' && this.#image === 'arriving') {
					base64 += token.value;
				} else if (token.name === 'endString' && this.#image === 'arriving') {
					images.push(this.#decode(base64), this.#endOfImage());
					base64 = '';
				} else {
					this.#token(token);
				}
			}
			images.push(this.#decode(base64));
		}
		return images;
	}

	/** Takes what is not the image; keeps it, except for the excess of endless texts. */
	#token(token: Token): void {
		switch (token.name) {
			case 'startString':
				this.#text = '';
				if (isImagePath(this.#rest)) {
					if (this.#image === 'complete') {
						throw problem('unexpected', 'The answer of the service contains its image twice.');
					}
					this.#image = 'arriving';
				}
				return;
			case 'stringChunk':
				// Extra fields are allowed and of no use here, so an endless one must not fill memory.
				if (this.#text.length < longestText) {
					this.#text += token.value;
				}
				return;
			case 'endString':
				this.#rest.consume({ name: 'stringValue', value: this.#text });
				this.#text = '';
				return;
			default:
				this.#rest.consume(token);
		}
	}

	#decode(base64: string): Buffer {
		return decode(() => this.#base64.write(base64));
	}

	#endOfImage(): Buffer {
		this.#image = 'complete';
		this.#rest.consume({ name: 'stringValue', value: '' });
		return decode(() => this.#base64.end());
	}

	#notJson(cause: unknown): AnswerError {
		const start = this.#start.trimStart();
		if (start.startsWith('<')) {
			return problem(
				'html',
				'The address answered with a web page instead of an image. Check the service address; a proxy or a login page may stand in between.',
				cause,
			);
		}
		return problem(
			'notJson',
			start.startsWith('{')
				? 'The answer of the service is damaged: it is not valid JSON.'
				: 'The answer of the service is not JSON. Check the service address.',
			cause,
		);
	}

	#truncated(): AnswerError {
		return problem('truncated', 'The answer of the service ends before it is complete.');
	}
}

/** Longest text kept of a field other than the image, in UTF-16 code units. */
const longestText = 64 * 1024;

function isImagePath(rest: Assembler): boolean {
	if (rest.depth !== 3 || rest.key !== 'b64_json') {
		return false;
	}
	// `path` is the position of the current container: `data[0]`.
	const path = rest.path;
	return path.at(-2) === 'data' && path.at(-1) === 0;
}

function decode(step: () => Buffer): Buffer {
	try {
		return step();
	} catch (error) {
		if (error instanceof RangeError) {
			throw problem(
				'brokenBase64',
				`The image in the answer of the service is damaged: ${error.message}.`,
				error,
			);
		}
		throw error;
	}
}

function validate(value: unknown): ImageResponse {
	const parsed = imageResponseSchema.safeParse(value);
	if (parsed.success && typeof parsed.data.data[0]?.b64_json === 'string') {
		return parsed.data;
	}
	const data = (value as { data?: unknown } | null)?.data;
	const first: unknown = Array.isArray(data) ? data[0] : undefined;
	const image = (first as { b64_json?: unknown } | null | undefined)?.b64_json;
	if (typeof image === 'string') {
		throw problem('unexpected', 'The answer of the service has a form that Easel does not know.');
	}
	throw problem('missingImage', 'The answer of the service contains no image.');
}

async function* limited(
	body: AsyncIterable<Uint8Array>,
	limit: number,
): AsyncGenerator<Uint8Array, void> {
	let bytes = 0;
	for await (const piece of body) {
		bytes += piece.byteLength;
		if (bytes > limit) {
			const megabytes = Math.round(limit / (1024 * 1024));
			throw problem(
				'tooLarge',
				`The answer of the service is larger than ${String(megabytes)} MiB, the most that Easel reads.`,
			);
		}
		yield piece;
	}
}

async function onDisk<T>(step: () => Promise<T>): Promise<T> {
	try {
		return await step();
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? 'EIO';
		throw new StorageError(code, storageMessage(code), { cause: error });
	}
}

/** Says what a file system error code means and what to do. */
export function storageMessage(code: string): string {
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return 'There is no space left on the disk to store the image. Free some space and try again.';
		case 'EFBIG':
			return 'The image is larger than the largest file this disk allows.';
		case 'EACCES':
		case 'EPERM':
		case 'EROFS':
			return `The image cannot be stored: the folder is not writable (${code}).`;
		default:
			return `The image cannot be stored on this machine (${code}).`;
	}
}

function problem(kind: AnswerProblem, message: string, cause?: unknown): AnswerError {
	return new AnswerError(kind, message, { cause });
}
