import { getManyValues, isMany, type none } from 'stream-chain/defs.js';
import { Assembler } from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { AnswerError } from './errors.js';

/** Objects and arrays within one another; an answer as the specification has it needs three. */
export const mostLevels = 16;

/** Values of any kind in one answer. */
export const mostValues = 10_000;

/** Size of an answer's JSON in bytes, without its image and what is dropped of endless texts. */
export const mostBytes = 1024 * 1024;

/** Longest text that is kept of a field, in UTF-16 code units; the rest of it is dropped. */
const longestText = 64 * 1024;

/** Turns pieces of JSON into tokens; texts come as `startString`, `stringChunk` and `endString`. */
export function jsonTokens(): (input: string | typeof none) => Iterable<Token> {
	const parse = jsonParser({ packStrings: false, streamKeys: false, streamNumbers: false });
	return (input) => {
		const output = (parse as (input: unknown) => unknown)(input);
		return isMany(output) ? (getManyValues(output) as Token[]) : [];
	};
}

/**
 * JSON in parts that are given to the parser one after another: it gives nothing of one that it
 * refuses. They end behind everything that begins a value, around every backslash that begins no
 * whole escape, and around control characters, which no text may have. Whole escapes stay with what
 * is around them: some services escape every slash of the image.
 *
 * @param isInText asked before each part, when the one before it has been parsed
 */
export function* partsOf(json: string, isInText: () => boolean): Generator<string, void> {
	for (let at = 0; at < json.length;) {
		const pattern = isInText() ? partOfText : partAround;
		pattern.lastIndex = at;
		const [part] = pattern.exec(json)!;
		at += part.length;
		yield part;
	}
}

/* eslint-disable no-control-regex -- those that a text may not have (RFC 8259, part 7) */
const partOfText = /(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))+"?|["\\]|[\x00-\x1f]+/y;
const partAround = /[^"\\,[{\x00-\x1f]+[",[{]?|["\\,[{]|[\x00-\x1f]+/y;
/* eslint-enable no-control-regex */

/**
 * The value that an answer stands for, made from its tokens. Answers come from outside and may have
 * fields that nobody has announced; what no answer needs is refused before it fills memory.
 */
export class BoundedJson {
	readonly #assembler = new Assembler();
	/** The text of a field that is not at its end. */
	#text = '';
	#isInText = false;
	#values = 0;
	#bytes = 0;

	/** Whether a text has begun that is not at its end; a key is none. */
	get isInText(): boolean {
		return this.#isInText;
	}

	/** How many objects and arrays are open. */
	get depth(): number {
		return this.#assembler.depth;
	}

	/** Where the innermost open object or array stands, as keys and positions. */
	get path(): readonly (string | number)[] {
		return this.#assembler.path;
	}

	/** The field of the innermost open object whose value is next. */
	get key(): string | null {
		return this.#assembler.key;
	}

	/** What has come so far; the whole value behind the last token. */
	get value(): unknown {
		return this.#assembler.current;
	}

	/**
	 * To be called before a text is parsed, so that nothing is made of what is too much.
	 * @throws {AnswerError} where it is
	 */
	expect(text: string): void {
		if (this.#text.length < longestText) {
			this.#bytes += Buffer.byteLength(text);
		}
		if (this.#bytes > mostBytes) {
			throw tooLarge('has more than 1 MiB beside its image');
		}
	}

	/** @throws {AnswerError} where it is one value or level too many */
	take(token: Token): void {
		if (token.name === 'stringChunk') {
			if (this.#text.length < longestText) {
				this.#text += token.value;
			}
		} else if (token.name === 'startString') {
			this.#isInText = true;
		} else if (token.name === 'endString') {
			this.#isInText = false;
			this.takeText(this.#text);
			this.#text = '';
		} else {
			if (['startObject', 'startArray'].includes(token.name) && this.depth === mostLevels) {
				throw tooLarge(`is nested deeper than ${String(mostLevels)} levels`);
			}
			if (!['keyValue', 'endObject', 'endArray'].includes(token.name)) {
				this.#count();
			}
			this.#assembler.consume(token);
		}
	}

	/** Takes a text at once. */
	takeText(value: string): void {
		this.#count();
		this.#assembler.consume({ name: 'stringValue', value });
	}

	/** Closes what is open, where nothing more will come. */
	close(): void {
		while (this.depth > 0) {
			this.#assembler.consume({ name: 'endObject' });
		}
	}

	#count(): void {
		this.#values += 1;
		if (this.#values > mostValues) {
			throw tooLarge(`has more than ${mostValues.toLocaleString('en-US')} values`);
		}
	}
}

function tooLarge(what: string): AnswerError {
	return new AnswerError(
		'tooLarge',
		`The answer of the service ${what}, the most that Easel reads.`,
	);
}
