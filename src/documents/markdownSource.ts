import type { Token } from 'markdown-it';
import {
	parser,
	PositionEnv,
	type Cell,
	type Definition,
	type ImageSpans,
} from './markdownParser.js';
import type { Span } from './span.js';

/**
 * A Markdown text whose blocks have been read, and where everything stands in it. Inline content is
 * read on demand only, because that is most of the work and most of it has no image.
 */
export class MarkdownSource {
	/** As markdown-it normalizes it: line breaks are `\n`. */
	readonly #source: string;
	readonly tokens: readonly Token[];
	readonly definitions: ReadonlyMap<string, Definition>;
	readonly #env = new PositionEnv();
	readonly #windowsBreaks: readonly number[];
	#lastRow: { readonly start: number; readonly cells: readonly Span[] } | undefined;

	constructor(text: string) {
		this.#source = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
		this.#windowsBreaks = windowsBreaks(text);
		const tokens: Token[] = [];
		parser.block.parse(this.#source, parser, this.#env, tokens);
		this.tokens = tokens;
		this.definitions = this.#labeled();
	}

	/** The inline content of a token; read once, then remembered. What is nested too deep has none. */
	inline(token: Token): readonly Token[] {
		token.children ??= [];
		if (token.children.length === 0 && !isNestedTooDeep(token.content)) {
			parser.inline.parse(token.content, parser, this.#env, token.children);
		}
		return token.children;
	}

	/**
	 * Returns the spans of an image of `inline` in the content of the token that it was read from.
	 */
	spansOf(image: Token): ImageSpans {
		return this.#env.images.get(image)!;
	}

	/** Returns the start of a piece of HTML of `inline`. */
	startOf(html: Token): number {
		return this.#env.tags.get(html)!;
	}

	/** Returns the start of a block, the end of its first line, and its end. */
	linesOf({ map }: Token): [start: number, firstEnd: number, end: number] {
		const [first, behind] = map ?? [0, 1];
		const { lineEnds } = this.#env;
		const start = first === 0 ? 0 : (lineEnds[first - 1] ?? 0) + 1;
		const line = this.#source.slice(start, lineEnds[first]);
		const end = lineEnds[behind - 1] ?? this.#source.length;
		return [start, start + line.trimEnd().length, end].map((at) => this.original(at)) as never;
	}

	/** Translates positions in the content of a token to those in the original text. */
	positions(token: Token): (position: number) => number {
		const inSource = this.#inSource(token);
		return (position) => this.original(inSource(position));
	}

	/** Translates a position of the normalized text, such as a definition's, to one in the original. */
	original(position: number): number {
		return position + countBelow(this.#windowsBreaks, position);
	}

	/** The definitions by their labels. */
	#labeled(): Map<string, Definition> {
		const byLabel = new Map<string, Definition>();
		const definitions = this.#env.definitions.values();
		for (const token of this.tokens) {
			if (token.type === 'reference_definition') {
				const definition = definitions.next().value;
				const label = (token.meta as { label: string }).label;
				// The first definition of a label counts (CommonMark 0.31, part 4.7).
				if (definition !== undefined && !byLabel.has(label)) {
					byLabel.set(label, definition);
				}
			}
		}
		return byLabel;
	}

	/** The cells of a row; those of the last one are remembered. */
	#cellsOf({ row }: Cell): readonly Span[] {
		if (this.#lastRow?.start !== row.start) {
			this.#lastRow = { start: row.start, cells: cellsIn(this.#source, row) };
		}
		return this.#lastRow.cells;
	}

	#inSource(token: Token): (position: number) => number {
		const cell = this.#env.rows.get(token);
		if (cell !== undefined) {
			return cellPositions(this.#source, cell, this.#cellsOf(cell));
		}
		const firstLine = token.map?.[0] ?? 0;
		const { content } = token;
		const { lineEnds } = this.#env;
		if (token.markup.startsWith('#')) {
			const start = firstLine === 0 ? 0 : (lineEnds[firstLine - 1] ?? 0) + 1;
			// What stands before it belongs to lists and quotes, which have no `#`.
			const before = /^[^#]*#+[ \t]*/.exec(this.#source.slice(start))?.[0].length ?? 0;
			return (position) => start + before + position;
		}
		const breaks = [...content.matchAll(/\n/g)].map(({ index }) => index);
		const endOf = (line: number) => lineEnds[firstLine + line] ?? this.#source.length;
		// Once, however many images there are before as many blanks.
		let lastEnd = endOf(breaks.length);
		if (token.type === 'inline') {
			while (/[ \t]/.test(this.#source[lastEnd - 1] ?? '')) {
				lastEnd--;
			}
		}
		return (position) => {
			// Whatever a quote or a list takes away from a line, it takes from its beginning.
			const line = countBelow(breaks, position);
			const contentEnd = breaks[line] ?? content.length;
			const end = line === breaks.length ? lastEnd : endOf(line);
			return end - (contentEnd - position);
		};
	}
}

/** Brackets within brackets. No user writes as many, and markdown-it takes the square of their number. */
const deepest = 200;

function isNestedTooDeep(content: string): boolean {
	let depth = 0;
	for (const { 0: bracket } of content.matchAll(/[[\]]/g)) {
		depth = bracket === '[' ? depth + 1 : Math.max(0, depth - 1);
		if (depth > deepest) {
			return true;
		}
	}
	return false;
}

/** Resolves backslashes and character references as markdown-it does. */
export function unescapeMarkdown(raw: string): string {
	return parser.utils.unescapeAll(raw);
}

/** Resolves character references such as `&amp;`, nothing else. */
export function unescapeHtml(raw: string): string {
	return raw.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);/gi, unescapeMarkdown);
}

/** Returns the visible text of inline content, with the alt text of its images. */
export function plainText(tokens: readonly Token[]): string {
	return tokens
		.map((token) => {
			switch (token.type) {
				case 'text':
				case 'text_special': // an escape or a character reference
				case 'code_inline':
					return token.content;
				case 'image':
					return plainText(token.children ?? []);
				case 'softbreak':
				case 'hardbreak':
					return '\n';
				default:
					return '';
			}
		})
		.join('');
}

function cellsIn(source: string, row: Span): Span[] {
	const line = source.slice(row.start, row.end);
	const start = row.start + (line.length - line.trimStart().length);
	const cells = splitRow(source, start, row.end);
	if (cells[0]?.start === cells[0]?.end) {
		cells.shift();
	}
	return cells;
}

/** A cell is trimmed and its `\|` have become `|` (GitHub Flavored Markdown, part 4.10). */
function cellPositions(
	source: string,
	{ row, column }: Cell,
	cells: readonly Span[],
): (position: number) => number {
	const cell = cells[column] ?? row;
	const text = source.slice(cell.start, cell.end);
	const first = cell.start + (text.length - text.trimStart().length);
	const escapes = [...text.trim().matchAll(/\\\|/g)].map(({ index }, count) => index - count);
	return (position) => first + position + countBelow(escapes, position);
}

function splitRow(source: string, start: number, end: number): Span[] {
	const cells: Span[] = [];
	let from = start;
	for (let position = start; position < end; position++) {
		if (source[position] === '|' && source[position - 1] !== '\\') {
			cells.push({ start: from, end: position });
			from = position + 1;
		}
	}
	return [...cells, { start: from, end }];
}

/** Counts the numbers, which are in order, that are less than `limit`. */
function countBelow(numbers: readonly number[], limit: number): number {
	let low = 0;
	let high = numbers.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((numbers[middle] ?? 0) < limit) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/** Returns the offsets, in the normalized text, of line breaks that had two characters. */
function windowsBreaks(text: string): number[] {
	const found: number[] = [];
	for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) {
		found.push(at - found.length);
	}
	return found;
}
