/** A long string, in place of its content. */
export interface LongString {
	/** The start of its content, in bytes from the start of the JSON. */
	readonly start: number;
	/** Behind its last byte; where the JSON breaks off within it, how far it has come. */
	readonly end: number;
	/** Its beginning. */
	readonly text: string;
}

/** Size of JSON in bytes without its long strings and blanks. */
const maxOutlineBytes = 1024 * 1024;

/** Longer strings are left out, in bytes. */
const maxStringBytes = 64 * 1024;

/** Size of the beginning of a string that was left out, in bytes. */
const excerptBytes = 8 * 1024;

/** Objects and arrays within one another; an answer as the specification has it needs three. */
const maxDepth = 64;

/** Fields and items of all of them. */
const maxValues = 10_000;

/**
 * Reads JSON of any size piece by piece, with a {@link LongString} in place of each long string.
 * Takes what breaks off, and control characters within strings, such as line breaks: what they stand
 * for is unambiguous.
 */
export class JsonOutline {
	/** The first character that is no blank; empty until there is one. */
	first = '';
	/** True once the value that began first has ended. What follows it does not count. */
	isComplete = false;
	/** True once there is more in it than is read: what comes behind that does not count either. */
	isTooLarge = false;
	/** The outline so far, as latin1, without a string that has not ended. */
	#text = '';
	/** The part of the text that is valid JSON once it is closed. */
	#valid = { length: 0, closing: '' };
	#values = 0;
	/** The open brackets, as the characters that close them, innermost first. */
	#closing = '';
	/** The last character outside of strings that is no blank. */
	#before = '';
	/** Bytes of the pieces so far. */
	#bytes = 0;
	/** The string that has begun and not ended: where, and its content as far as it is needed. */
	#string: { readonly start: number; content: string } | undefined;
	/** True where the last byte of the string is a backslash that escapes the next one. */
	#isEscaping = false;

	write(bytes: Buffer): void {
		const piece = bytes.toString('latin1');
		for (let at = 0; at < piece.length && this.#isWanted();) {
			at = this.#string === undefined ? this.#between(piece, at) : this.#within(piece, at);
		}
		this.#bytes += piece.length;
	}

	/** Returns the value, or what has come of it; `undefined` where it is no JSON. */
	value(): unknown {
		let text = this.#text;
		if (this.#string !== undefined && !this.isTooLarge && this.#isValue()) {
			text += this.#stringText(this.#string, this.#bytes, true) + this.#closing;
		} else if (!this.isComplete) {
			text = text.slice(0, this.#valid.length) + this.#valid.closing;
		}
		const utf8 = Buffer.from(text, 'latin1').toString();
		try {
			// eslint-disable-next-line no-control-regex -- those that JSON does not allow (RFC 8259, part 7)
			return JSON.parse(utf8.replace(/[\x00-\x1f]/g, ' '));
		} catch {
			return undefined;
		}
	}

	#isWanted(): boolean {
		return !this.isComplete && !this.isTooLarge && ['', '{', '['].includes(this.first);
	}

	/** Takes what stands between strings. Returns where it has stopped. */
	#between(piece: string, from: number): number {
		visible.lastIndex = from;
		for (let found = visible.exec(piece); found !== null; found = visible.exec(piece)) {
			const { 0: character, index: at } = found;
			if (this.first === '' && byteOrderMark.includes(character)) {
				continue;
			}
			this.first ||= character;
			if (!this.#isWanted()) {
				return at;
			}
			if (character === '"') {
				this.#string = { start: this.#bytes + at + 1, content: '' };
				return at + 1;
			}
			if (character === ',') {
				this.#keepValid();
				this.#values += 1;
			}
			this.#text += character;
			this.#before = character;
			if (character === '{' || character === '[') {
				this.#closing = (character === '{' ? '}' : ']') + this.#closing;
				this.#keepValid();
			} else if (character === '}' || character === ']') {
				this.#closing = this.#closing.slice(1);
				this.#keepValid();
				this.isComplete = this.#closing === '';
			}
			this.#limit();
		}
		return piece.length;
	}

	/** Takes what stands within a string, as {@link #between} does. */
	#within(piece: string, from: number): number {
		const string = this.#string!;
		let end = from;
		for (;;) {
			const start = this.#isEscaping ? end + 1 : end;
			end = piece.indexOf('"', start);
			const backslashes = countBackslashes(piece, start, end < 0 ? piece.length : end);
			this.#isEscaping = backslashes % 2 === 1;
			if (end < 0 || !this.#isEscaping) {
				break;
			}
		}
		if (string.content.length <= maxStringBytes) {
			string.content += piece.slice(from, end < 0 ? piece.length : end);
		}
		if (end < 0) {
			return piece.length;
		}
		this.#text += this.#stringText(string, this.#bytes + end);
		this.#string = undefined;
		this.#limit();
		if (this.#isValue() && !this.isTooLarge) {
			this.#keepValid();
		}
		this.#before = '"';
		return end + 1;
	}

	/** Returns whether a string stands here as a value, not as the name of one. */
	#isValue(): boolean {
		return this.#before === ':' || this.#closing.startsWith(']');
	}

	/** Returns the JSON of a string, which may be cut within an escape, or of what takes its place. */
	#stringText({ start, content }: { start: number; content: string }, end: number, isCut = false) {
		if (content.length <= maxStringBytes) {
			return `"${isCut ? wholeEscapes.exec(content)![0] : content}"`;
		}
		const [text] = wholeEscapes.exec(content.slice(0, excerptBytes))!;
		return `{"start":${String(start)},"end":${String(end)},"text":"${text}"}`;
	}

	#limit(): void {
		this.isTooLarge =
			this.#text.length > maxOutlineBytes ||
			this.#closing.length > maxDepth ||
			this.#values > maxValues;
	}

	#keepValid(): void {
		this.#valid = { length: this.#text.length, closing: this.#closing };
	}
}

/** Returns a text as it is, and the start of a long one; `undefined` for other values. */
export function textStart(value: unknown): string | undefined {
	return isLong(value) ? value.text : typeof value === 'string' ? value : undefined;
}

/** Returns a value with the starts of its long strings in their places. */
export function withExcerpts(value: unknown): unknown {
	return value === undefined
		? undefined
		: JSON.parse(JSON.stringify(value), (_, each: unknown) => textStart(each) ?? each);
}

/** Returns whether bytes are blanks of JSON alone (RFC 8259, part 2), or none. */
export function isBlank(bytes: Buffer): boolean {
	return !/[^ \t\r\n]/.test(bytes.toString('latin1'));
}

export function isLong(value: unknown): value is LongString {
	const { start, end, text } = (value ?? {}) as Partial<Record<keyof LongString, unknown>>;
	return typeof start === 'number' && typeof end === 'number' && typeof text === 'string';
}

/** Returns how many backslashes stand right before a position, not looking further back than `from`. */
function countBackslashes(text: string, from: number, position: number): number {
	let at = position;
	while (at > from && text[at - 1] === '\\') {
		at--;
	}
	return position - at;
}

/** A text up to an escape that is not whole. */
const wholeEscapes = /^(?:[^\\]|\\[^u]|\\u[0-9a-fA-F]{4})*/;

// eslint-disable-next-line no-control-regex -- control characters are blanks to it, too
const visible = /[^\x00-\x20]/g;

const byteOrderMark = '\u00ef\u00bb\u00bf';
