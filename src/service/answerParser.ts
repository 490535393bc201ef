import { StringDecoder } from 'node:string_decoder';
import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { Assembler } from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { Base64Decoder } from './base64.js';
import { AnswerError, type AnswerProblem } from './errors.js';

/** Turns pieces of the body into pieces of the image, keeping the rest of the JSON. */
export class AnswerParser {
	readonly #decoder = new StringDecoder('utf8');
	readonly #parse = jsonParser({ packStrings: false, streamKeys: false, streamNumbers: false });
	readonly #rest = new Assembler();
	#image: 'awaited' | 'arriving' | 'complete' = 'awaited';
	#base64 = new Base64Decoder();
	/** The start of the body, to tell what it is when it is no JSON. */
	#start = '';
	#text = '';
	/** How many bytes ago there was a backslash: an escape may reach into the next piece. */
	#sinceBackslash = longestEscape;

	/**
	 * Returns the bytes of the image that are complete with this piece.
	 * @throws {AnswerError} where the answer makes no sense
	 */
	write(piece: Uint8Array): Buffer {
		const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
		if (this.#image === 'arriving' && this.#sinceBackslash >= longestEscape && isPlain(bytes)) {
			// In the middle of the image. The parser knows only that it is within a string, which is
			// all that it has to know; passing millions of characters through it would cost more than
			// everything else together.
			return decode(() => this.#base64.write(bytes.toString('latin1')));
		}
		const backslashAt = bytes.lastIndexOf(backslash);
		this.#sinceBackslash =
			backslashAt < 0 ? this.#sinceBackslash + bytes.length : bytes.length - 1 - backslashAt;
		const text = this.#decoder.write(bytes);
		if (this.#start.length < longestStart) {
			this.#start += text.slice(0, longestStart);
		}
		return this.#consume(text);
	}

	/**
	 * Returns the last bytes of the image.
	 * @throws {AnswerError} where the answer ends too early or makes no sense
	 */
	end(): Buffer {
		if (this.#start.trim() === '') {
			throw problem('empty', 'The service answered without any content.');
		}
		const image = this.#consume(this.#decoder.end());
		if (this.#rest.depth > 0) {
			throw truncated();
		}
		try {
			return Buffer.concat([image, this.#tokens(none)]);
		} catch {
			throw truncated();
		}
	}

	/** The answer, or what is known of it by now, with the empty string where the image was. */
	get value(): unknown {
		return this.#rest.current;
	}

	/** Returns the bytes of an image that broke off, as far as they can be told. */
	rest(): Buffer {
		try {
			return this.#image === 'arriving' ? this.#base64.end() : nothing;
		} catch {
			return nothing;
		}
	}

	#consume(text: string): Buffer {
		if (text === '') {
			return nothing;
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

	#tokens(input: string | typeof none): Buffer {
		const images: Buffer[] = [];
		const output = (this.#parse as (input: unknown) => unknown)(input);
		if (isMany(output)) {
			// The parser hands out a few hundred characters at a time; they are decoded together.
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
		return Buffer.concat(images);
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
}

const nothing = Buffer.alloc(0);

/** As much of the body as tells what it is, in UTF-16 code units. */
const longestStart = 512;

/** Longest text kept of a field other than the image, in UTF-16 code units. */
const longestText = 64 * 1024;

/** Whether this can only be the inside of a string: neither its end nor an escape. */
function isPlain(bytes: Buffer): boolean {
	return !bytes.includes(quote) && !bytes.includes(backslash);
}

const quote = 0x22;
const backslash = 0x5c;

/** What follows the backslash of `\uXXXX` (RFC 8259, part 7), in bytes. */
const longestEscape = 5;

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

function truncated(): AnswerError {
	return problem('truncated', 'The answer of the service ends before it is complete.');
}

/** An answer that makes no sense. */
export function problem(kind: AnswerProblem, message: string, cause?: unknown): AnswerError {
	return new AnswerError(kind, message, { cause });
}
