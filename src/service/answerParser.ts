import { isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { none } from 'stream-chain/defs.js';
import type { Token } from 'stream-json/core/parser.js';
import { Base64Decoder } from './base64.js';
import { BoundedJson, jsonTokens, partsOf } from './boundedJson.js';
import { AnswerError, type AnswerProblem } from './errors.js';

/** Turns pieces of the body into pieces of the image, keeping the rest of the JSON. */
export class AnswerParser {
	readonly #decoder = new StringDecoder();
	readonly #parse = jsonTokens();
	readonly #rest = new BoundedJson();
	#image: 'awaited' | 'arriving' | 'complete' = 'awaited';
	#base64 = new Base64Decoder();
	/** The first character after white space: tells what the body is where it is not JSON. */
	#first = '';
	/** Bytes of the image that were not returned yet. */
	#ready: Buffer[] = [];
	/** How many bytes followed the last backslash: an escape may reach into the next piece. */
	#behindBackslash = 0;
	/** Whether the last piece ended with a backslash in the image, which was not taken yet. */
	#isBackslashHeld = false;

	/**
	 * Returns the bytes of the image that are complete with this piece.
	 * @throws {AnswerError} where the answer makes no sense
	 */
	write(piece: Uint8Array): Buffer {
		const bytes = this.#withHeld(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
		const image = this.#insideImage(bytes);
		if (image !== undefined) {
			return image;
		}
		this.#behindBackslash = bytes.length - 1 - bytes.lastIndexOf(backslash);
		const text = this.#decoder.write(bytes);
		this.#first ||= text.trimStart().slice(0, 1);
		return this.#consume(text);
	}

	/**
	 * To be called behind the last piece. All bytes of the image have been returned by then.
	 * @throws {AnswerError} where the answer ends too early or makes no sense
	 */
	end(): void {
		if (this.#first === '') {
			throw unusable('empty', 'The service answered without any content.');
		}
		this.#consume(this.#decoder.write(this.#withHeld(nothing)) + this.#decoder.end());
		try {
			this.#tokens(none);
		} catch {
			throw unusable('truncated', 'The answer of the service ends before it is complete.');
		}
	}

	/**
	 * To be called in place of {@link end} where the answer broke off. Returns the bytes of the image
	 * that were not returned yet, as far as they can be decoded.
	 */
	rest(): Buffer {
		this.#rest.close();
		if (this.#image === 'arriving') {
			this.#ready.push(this.#base64.salvage());
		}
		return this.#takeReady();
	}

	/** The JSON of the answer, once it has ended, with the empty string in place of the image. */
	get value(): unknown {
		return this.#rest.value;
	}

	/**
	 * In the middle of the image the parser only has to know that it is within a string. Passing
	 * millions of characters through it would cost more than everything else together.
	 *
	 * @returns `undefined` where the piece may be more than that; nothing was taken of it then
	 */
	#insideImage(bytes: Buffer): Buffer | undefined {
		if (
			this.#image !== 'arriving' ||
			!this.#base64.isPastPrefix ||
			this.#behindBackslash < longestEscape
		) {
			return undefined;
		}
		// A slash that is cut in two belongs to the next piece: the parser takes its time for all of one.
		const isCut = bytes.at(-1) === backslash;
		const image = this.#decodeWithin(isCut ? bytes.subarray(0, -1) : bytes);
		this.#isBackslashHeld = isCut && image !== undefined;
		return image;
	}

	#decodeWithin(bytes: Buffer): Buffer | undefined {
		const plain = this.#base64.writePlain(withPlainSlashes(bytes));
		if (plain !== undefined) {
			return plain;
		}
		const text = textWithin(bytes);
		return text === undefined ? undefined : decode(() => this.#base64.write(text));
	}

	#withHeld(bytes: Buffer): Buffer {
		if (!this.#isBackslashHeld) {
			return bytes;
		}
		this.#isBackslashHeld = false;
		return Buffer.concat([Buffer.of(backslash), bytes]);
	}

	#consume(text: string): Buffer {
		try {
			// In parts, because the parser returns nothing of a text that has a fault, not even the image
			// before the fault.
			const isInText = () => this.#image === 'arriving' || this.#rest.isInText;
			for (const part of partsOf(text, isInText)) {
				if (this.#image !== 'arriving') {
					this.#rest.expect(part);
				} else if (part.charCodeAt(0) < blank) {
					// The parser would wait for what follows, and that may never come to it.
					throw new SyntaxError('A text has a control character.');
				}
				this.#tokens(part);
			}
			return this.#takeReady();
		} catch (error) {
			if (error instanceof AnswerError) {
				throw error;
			}
			throw this.#notJson(error);
		}
	}

	#takeReady(): Buffer {
		const ready = Buffer.concat(this.#ready);
		this.#ready = [];
		return ready;
	}

	#tokens(input: string | typeof none): void {
		// The parser hands out a few hundred characters at a time; they are decoded together.
		let base64 = '';
		for (const token of this.#parse(input)) {
			if (this.#image !== 'arriving') {
				this.#token(token);
			} else if (token.name === 'stringChunk') {
				base64 += token.value;
			} else {
				this.#decode(base64);
				this.#endOfImage();
				base64 = '';
			}
		}
		this.#decode(base64);
	}

	/** Takes what is not the image. */
	#token(token: Token): void {
		if (token.name === 'startString' && isImagePath(this.#rest)) {
			if (this.#image === 'complete') {
				throw unusable('unexpected', 'The answer of the service contains its image twice.');
			}
			this.#image = 'arriving';
		} else {
			this.#rest.take(token);
		}
	}

	#decode(base64: string): void {
		this.#ready.push(decode(() => this.#base64.write(base64)));
	}

	#endOfImage(): void {
		this.#ready.push(decode(() => this.#base64.end()));
		this.#image = 'complete';
		this.#rest.takeText('');
	}

	#notJson(cause: unknown): AnswerError {
		if (this.#first === '<') {
			return problem(
				'html',
				'The address answered with a web page instead of an image. Check the service address; a proxy or a login page may stand in between.',
				cause,
			);
		}
		return this.#first === '{'
			? unusable('notJson', 'The answer of the service is damaged: it is not valid JSON.', cause)
			: problem(
					'notJson',
					'The answer of the service is not JSON. Check the service address.',
					cause,
				);
	}
}

/**
 * The characters of a piece, with the slashes that some services escape. Behind any other escape a
 * backslash is left, which base64 does not have.
 */
function withPlainSlashes(bytes: Buffer): string {
	const text = bytes.toString('latin1');
	return bytes.includes(backslash) ? text.replaceAll('\\/', '/') : text;
}

/**
 * What a piece of a string in JSON stands for, where it has no end of the string in it and no part of
 * an escape or of a character. Others go through the parser: what an answer comes to must not depend
 * on where its pieces end.
 */
function textWithin(bytes: Buffer): string | undefined {
	if (!isAscii(bytes) || bytes.includes(quote)) {
		return undefined;
	}
	try {
		return JSON.parse(`"${bytes.toString('latin1')}"`) as string;
	} catch {
		return undefined;
	}
}

const nothing = Buffer.alloc(0);
const blank = 0x20;
const quote = 0x22;
const backslash = 0x5c;

/** What follows the backslash of `\uXXXX` (RFC 8259, part 7), in bytes. */
const longestEscape = 5;

function isImagePath(rest: BoundedJson): boolean {
	if (rest.depth !== 3 || rest.key !== 'b64_json') {
		return false;
	}
	// `path` is the position of the current container: `data[0]`.
	const [name, index] = rest.path;
	return name === 'data' && index === 0;
}

function decode(step: () => Buffer): Buffer {
	try {
		return step();
	} catch (error) {
		throw unusable(
			'brokenBase64',
			`The image in the answer of the service is damaged: ${(error as RangeError).message}.`,
			error,
		);
	}
}

/** Makes the error of an answer that only the operator of the service can do something about. */
export function unusable(kind: AnswerProblem, what: string, cause?: unknown): AnswerError {
	return problem(
		kind,
		`${what} Try again; if it happens again, show the log to the operator of the service.`,
		cause,
	);
}

/** Makes the error of an answer that makes no sense. */
export function problem(kind: AnswerProblem, message: string, cause?: unknown): AnswerError {
	return new AnswerError(kind, message, { cause });
}
