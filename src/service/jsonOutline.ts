/** Where the content of a long string stands, in bytes from the start of the JSON. */
export interface Span {
	readonly start: number;
	/** Behind its last byte; where the JSON breaks off within it, how far it has come. */
	readonly end: number;
}

/** Size of JSON in bytes without its long strings, and without the blanks between its parts. */
export const maxOutlineBytes = 1024 * 1024;

/** Longer strings are left out, in bytes. */
const maxStringBytes = 64 * 1024;

/** What is kept of a string that was left out, in bytes. */
const excerptBytes = 8 * 1024;

/** A string that has begun: what is kept of it, and how long it is so far, in bytes. */
interface OpenString {
	readonly start: number;
	readonly pieces: Buffer[];
	length: number;
}

/** Objects and arrays within one another; an answer as the specification has it needs three. */
const maxDepth = 64;

/** Fields and items of all of them. */
const maxValues = 10_000;

/**
 * Reads JSON of any size piece by piece, with the positions of its long strings in place of their
 * content. Takes what breaks off, and control characters within strings, such as line breaks: what
 * they stand for is unambiguous.
 */
export class JsonOutline {
	/** The first byte that is no blank; 0 until there is one. */
	first = 0;
	/** Whether the value that began first has ended. What follows it does not count. */
	isComplete = false;
	/** Whether there is more in it than is read: what comes behind that does not count either. */
	isTooLarge = false;
	readonly #spans: Span[] = [];
	readonly #text: string[] = [];
	#textBytes = 0;
	#values = 0;
	/** The open brackets, as the characters that close them, innermost first. */
	#closing = '';
	/** The last character outside of strings that is no blank. */
	#before = '';
	/** Bytes of the pieces so far. */
	#bytes = 0;
	/** The string that has begun and not ended. */
	#string: OpenString | undefined;
	/** Whether the last byte of the string is a backslash that escapes the next one. */
	#isEscaping = false;
	/** How much of the text is valid JSON once it is closed. */
	#valid = { parts: 0, closing: '' };

	write(bytes: Buffer): void {
		for (let at = 0; at < bytes.length && this.#isWanted();) {
			at = this.#string === undefined ? this.#between(bytes, at) : this.#within(bytes, at);
		}
		this.#bytes += bytes.length;
	}

	/**
	 * Returns the value: the whole one, or what has come of it. In place of a long string stands what
	 * {@link spanOf} and {@link textOf} take.
	 *
	 * @returns `undefined` where it is no JSON
	 */
	value(): unknown {
		const text = [...this.#text];
		if (!this.isComplete) {
			if (this.#string !== undefined && !this.isTooLarge && this.#isValue()) {
				text.push(this.#stringText(this.#string, this.#bytes, true), this.#closing);
			} else {
				text.length = this.#valid.parts;
				text.push(this.#valid.closing);
			}
		}
		try {
			return JSON.parse(text.join(''));
		} catch {
			return undefined;
		}
	}

	/** Returns where a string stands that was left out; `undefined` for every other value. */
	spanOf(value: unknown): Span | undefined {
		const index = isLong(value) ? value.long : undefined;
		return index === undefined ? undefined : this.#spans[index];
	}

	#isWanted(): boolean {
		return !this.isComplete && !this.isTooLarge && [0, openBrace, openBracket].includes(this.first);
	}

	/** Takes what stands between strings. Returns the position of the first byte that it has not taken. */
	#between(bytes: Buffer, from: number): number {
		for (let at = from; at < bytes.length; at++) {
			const byte = bytes[at]!;
			if (byte <= 0x20 || (this.first === 0 && byteOrderMark.includes(byte))) {
				continue;
			}
			this.first ||= byte;
			if (!this.#isWanted()) {
				return at;
			}
			if (byte === quote) {
				this.#string = { start: this.#bytes + at + 1, pieces: [], length: 0 };
				return at + 1;
			}
			const character = String.fromCharCode(byte);
			if (character === ',') {
				this.#keepValid();
				this.#values += 1;
			}
			if (!this.#append(character)) {
				return at;
			}
			this.#before = character;
			if (byte === openBrace || byte === openBracket) {
				this.#closing = (byte === openBrace ? '}' : ']') + this.#closing;
				this.#keepValid();
			} else if (character === '}' || character === ']') {
				this.#closing = this.#closing.slice(1);
				this.#keepValid();
				if (this.#closing === '') {
					this.isComplete = true;
					return at + 1;
				}
			}
		}
		return bytes.length;
	}

	/** Takes what stands within a string, as {@link #between} does. */
	#within(bytes: Buffer, from: number): number {
		const string = this.#string!;
		let end = from;
		for (;;) {
			const start = this.#isEscaping ? end + 1 : end;
			end = bytes.indexOf(quote, start);
			const backslashes = countBackslashes(bytes, start, end < 0 ? bytes.length : end);
			this.#isEscaping = backslashes % 2 === 1;
			if (end < 0 || !this.#isEscaping) {
				break;
			}
		}
		const content = bytes.subarray(from, end < 0 ? bytes.length : end);
		if (string.length <= maxStringBytes) {
			string.pieces.push(content);
		}
		string.length += content.length;
		if (end < 0) {
			return bytes.length;
		}
		if (!this.#append(this.#stringText(string, this.#bytes + end))) {
			return bytes.length;
		}
		this.#string = undefined;
		if (this.#isValue()) {
			this.#keepValid();
		}
		this.#before = '"';
		return end + 1;
	}

	/** Whether a string stands here as a value, not as the name of one. */
	#isValue(): boolean {
		return this.#before === ':' || this.#closing.startsWith(']');
	}

	/**
	 * The JSON of a string, or of what takes its place.
	 *
	 * @param isCut whether it breaks off, perhaps within an escape
	 */
	#stringText({ start, pieces, length }: OpenString, end: number, isCut = false): string {
		const isShort = length <= maxStringBytes;
		const bytes = Buffer.concat(pieces);
		const kept = bytes.toString('utf8', 0, isShort ? length : excerptBytes);
		const whole = isShort && !isCut ? kept : wholeEscapes.exec(kept)![0];
		// eslint-disable-next-line no-control-regex -- those that JSON does not allow (RFC 8259, part 7)
		const text = whole.replace(/[\x00-\x1f]/g, ' ');
		if (isShort) {
			return `"${text}"`;
		}
		this.#spans.push({ start, end });
		return `{"long":${String(this.#spans.length - 1)},"text":"${text}"}`;
	}

	/** Returns whether there was room for it. */
	#append(text: string): boolean {
		this.#textBytes += text.length;
		this.isTooLarge =
			this.#textBytes > maxOutlineBytes ||
			this.#closing.length > maxDepth ||
			this.#values > maxValues;
		if (!this.isTooLarge) {
			this.#text.push(text);
		}
		return !this.isTooLarge;
	}

	#keepValid(): void {
		this.#valid = { parts: this.#text.length, closing: this.#closing };
	}
}

/** Returns a text as it is, and the start of one that was left out; `undefined` for other values. */
export function textOf(value: unknown): string | undefined {
	return isLong(value) ? value.text : typeof value === 'string' ? value : undefined;
}

/** Returns a value with the starts of long strings in place of where they stand. */
export function withExcerpts(value: unknown): unknown {
	return value === undefined
		? undefined
		: JSON.parse(JSON.stringify(value), (_, each: unknown) => textOf(each) ?? each);
}

/** What stands in place of a long string. An answer that has the same itself is none the better for it. */
function isLong(value: unknown): value is { readonly long: number; readonly text: string } {
	const { long, text } = (value ?? {}) as { readonly long?: unknown; readonly text?: unknown };
	return typeof long === 'number' && typeof text === 'string';
}

/** Returns how many backslashes stand right before a position, not looking further back than `from`. */
function countBackslashes(bytes: Buffer, from: number, position: number): number {
	let at = position;
	while (at > from && bytes[at - 1] === backslash) {
		at--;
	}
	return position - at;
}

/** A text up to an escape that is not whole. */
const wholeEscapes = /^(?:[^\\]|\\[^u]|\\u[0-9a-fA-F]{4})*/;

const byteOrderMark = [0xef, 0xbb, 0xbf];
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const openBracket = 0x5b;
