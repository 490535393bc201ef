import MarkdownIt, { type Env, type StateBlock, type Token } from 'markdown-it';

/** A piece of a text: from `start` up to, not including, `end`, in UTF-16 code units. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** Where the parts of an image stand, within the text that its token belongs to. */
export interface ImagePlace extends Span {
	readonly alt: Span;
	/** `undefined` in the reference style. */
	readonly destination: Span | undefined;
}

/** A link reference definition, with positions in {@link MarkdownSource.source}. */
export interface Definition extends Span {
	readonly destination: Span;
	/** With escapes and character references resolved, percent-encoding still there. */
	readonly href: string;
}

/**
 * A Markdown text, its blocks read by markdown-it as the editor's preview is set up: tables and
 * strikethrough, HTML, YAML front matter. Inline content is read on demand only, because that is
 * most of the work and most of it has no image. In difference to plain markdown-it, positions in
 * the text are known.
 */
export class MarkdownSource {
	/** As markdown-it normalizes it: line breaks are `\n`. */
	readonly source: string;
	readonly tokens: readonly Token[];
	readonly definitions: ReadonlyMap<string, Definition>;
	readonly #environment: PositionEnv;
	readonly #windowsBreaks: readonly number[];

	constructor(text: string) {
		this.source = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
		this.#windowsBreaks = windowsBreaks(text);
		this.#environment = {
			rows: new Map(),
			definitions: [],
			images: new Map(),
			tags: new Map(),
			lineEnds: [],
		};
		const tokens: Token[] = [];
		parser.block.parse(this.source, parser, this.#environment, tokens);
		this.tokens = tokens;
		this.definitions = this.#labelled();
	}

	/** The inline content of a token; read once, then remembered. */
	inline(token: Token): readonly Token[] {
		token.children ??= [];
		if (token.children.length === 0) {
			parser.inline.parse(token.content, parser, this.#environment, token.children);
		}
		return token.children;
	}

	/** Where an image of `inline` stands in the content of the token that it was read from. */
	placeOf(image: Token): ImagePlace {
		const place = this.#environment.images.get(image);
		if (place === undefined) {
			throw new Error('The image is none of this text.');
		}
		return place;
	}

	/** Where a piece of HTML of `inline` begins, likewise. */
	startOf(html: Token): number {
		return this.#environment.tags.get(html) ?? 0;
	}

	/** Makes a function that translates positions in the content of a token to positions in the original text. */
	positions(token: Token): (position: number) => number {
		const inSource = this.#inSource(token);
		return (position) => this.original(inSource(position));
	}

	/** Translates a position in {@link source} to one in the original text. */
	original(position: number): number {
		return position + countBelow(this.#windowsBreaks, position);
	}

	#labelled(): Map<string, Definition> {
		const byLabel = new Map<string, Definition>();
		const definitions = this.#environment.definitions.values();
		for (const token of this.tokens) {
			if (token.type === 'reference_definition') {
				const definition = definitions.next().value;
				const label = (token.meta as { label: string }).label;
				// The first definition of a label counts (CommonMark 0.31, part 4.7).
				if (definition !== undefined && !byLabel.has(label)) {
					const end = this.#environment.lineEnds[(token.map?.[1] ?? 1) - 1];
					byLabel.set(label, { ...definition, end: end ?? definition.end });
				}
			}
		}
		return byLabel;
	}

	#inSource(token: Token): (position: number) => number {
		const cell = this.#environment.rows.get(token);
		if (cell !== undefined) {
			return cellPositions(this.source, cell);
		}
		const firstLine = token.map?.[0] ?? 0;
		const { content } = token;
		const lineEnds = this.#environment.lineEnds;
		if (token.markup.startsWith('#')) {
			const line = this.source.slice(lineStart(this.source, lineEnds, firstLine));
			// What stands before it belongs to lists and quotes, which have no `#`.
			const before = /^[^#]*#+[ \t]*/.exec(line)?.[0].length ?? 0;
			const start = lineStart(this.source, lineEnds, firstLine) + before;
			return (position) => start + position;
		}
		const breaks = [...content.matchAll(/\n/g)].map(({ index }) => index);
		return (position) => {
			// Whatever a quote or a list takes away from a line, it takes from its beginning.
			const line = countBelow(breaks, position);
			const contentEnd = breaks[line] ?? content.length;
			let end = lineEnds[firstLine + line] ?? this.source.length;
			if (line === breaks.length && token.type === 'inline') {
				while (/[ \t]/.test(this.source[end - 1] ?? '')) {
					end--;
				}
			}
			return end - (contentEnd - position);
		};
	}
}

/** What markdown-it makes of backslashes and character references. */
export function unescapeMarkdown(raw: string): string {
	return parser.utils.unescapeAll(raw);
}

/** Resolves character references such as `&amp;`, nothing else. */
export function unescapeHtml(raw: string): string {
	return raw.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);/gi, unescapeMarkdown);
}

/** What a person reads of inline content: without its markup, with the alt text of its images. */
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

interface Cell {
	/** The row without what stands before it, in the source. */
	readonly row: Span;
	/** Counts from 0. */
	readonly column: number;
}

/** What the states below remember, beside what markdown-it itself keeps there. */
interface PositionEnv extends Env {
	readonly rows: Map<Token, Cell>;
	readonly definitions: Definition[];
	readonly images: Map<Token, ImagePlace>;
	readonly tags: Map<Token, number>;
	/** Where each line ends, its line break not counted. */
	lineEnds: readonly number[];
}

class PositionBlockState extends MarkdownIt.StateBlock {
	#row: Token | undefined;
	#column = 0;

	constructor(...parameters: ConstructorParameters<typeof MarkdownIt.StateBlock>) {
		super(...parameters);
		(this.env as PositionEnv).lineEnds = this.eMarks;
	}

	override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
		const before = this.tokens.at(-1);
		if (nesting < 0) {
			this.level--;
		}
		const token = plainToken(type, tag, nesting, this.level);
		if (nesting > 0) {
			this.level++;
		}
		this.tokens.push(token);
		if (type === 'tr_open') {
			this.#row = token;
			this.#column = 0;
		} else if (type === 'inline' && /^t[hd]_open$/.test(before?.type ?? '')) {
			const line = this.#row?.map?.[0] ?? 0;
			const row = { start: this.#lineStart(line), end: this.eMarks[line] ?? 0 };
			(this.env as PositionEnv).rows.set(token, { row, column: this.#column++ });
		} else if (type === 'inline' && before?.type === 'heading_open') {
			// `#` for a heading on one line, so that it can be told from one with a line below.
			token.markup = before.markup;
		} else if (type === 'reference_definition') {
			(this.env as PositionEnv).definitions.push(this.#definition());
		}
		return token;
	}

	/** Where a line begins, after what belongs to the lists and quotes around it. */
	#lineStart(line: number): number {
		return (this.bMarks[line] ?? 0) + (this.tShift[line] ?? 0);
	}

	/** Finds its way as markdown-it did, which has found a whole definition in this line. */
	#definition(): Definition {
		const { src } = this;
		let { line } = this;
		const start = this.#lineStart(line);
		let position = start;
		while (src[position] !== ']' && position < src.length) {
			position += src[position] === '\\' && src[position + 1] !== '\n' ? 2 : 1;
			if (src[position] === '\n') {
				position = this.#lineStart(++line);
			}
		}
		position = this.skipSpaces(position + 2);
		if (src[position] === '\n') {
			position = this.#lineStart(++line);
		}
		const lineEnd = this.eMarks[line] ?? src.length;
		const parsed = this.md.helpers.parseLinkDestination(src, position, lineEnd);
		const end = parsed.ok ? parsed.pos : position;
		return { start, end, destination: { start: position, end }, href: parsed.str };
	}
}

/**
 * What `push` makes otherwise, but without its methods: `new Token` defines its properties one by
 * one, which takes as long as all the rest of reading the blocks.
 */
function plainToken(type: string, tag: string, nesting: -1 | 0 | 1, level: number): Token {
	const token: Omit<Token, 'attrIndex' | 'attrPush' | 'attrSet' | 'attrGet' | 'attrJoin'> = {
		type,
		tag,
		attrs: null,
		map: null,
		nesting,
		level,
		children: null,
		content: '',
		markup: '',
		info: '',
		meta: null,
		block: true,
		hidden: false,
	};
	return token as Token;
}

class PositionInlineState extends MarkdownIt.StateInline {
	override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
		const token = super.push(type, tag, nesting);
		const { images, tags } = this.env as PositionEnv;
		if (type === 'image') {
			images.set(token, this.#image());
		} else if (type === 'html_inline') {
			tags.set(token, this.pos);
		}
		return token;
	}

	/** Finds its way as markdown-it did, which has found a whole image at this place. */
	#image(): ImagePlace {
		const { helpers } = this.md;
		const { pos: start, src } = this;
		const labelEnd = helpers.parseLinkLabel(this, start + 1, false);
		const alt = { start: start + 2, end: labelEnd };
		if (src[labelEnd + 1] === '(') {
			const from = skipBlank(src, labelEnd + 2);
			const parsed = helpers.parseLinkDestination(src, from, this.posMax);
			const destination = { start: from, end: parsed.ok ? parsed.pos : from };
			const titleStart = skipBlank(src, destination.end);
			const title = helpers.parseLinkTitle(src, titleStart, this.posMax);
			const hasTitle = title.ok && titleStart !== destination.end;
			const end = skipBlank(src, hasTitle ? title.pos : titleStart) + 1;
			return { start, end, alt, destination };
		}
		const hasLabel = src[labelEnd + 1] === '[' && labelEnd + 1 < this.posMax;
		const secondEnd = hasLabel ? helpers.parseLinkLabel(this, labelEnd + 1) : -1;
		const end = (secondEnd < 0 ? labelEnd : secondEnd) + 1;
		return { start, end, alt, destination: undefined };
	}
}

const parser = new MarkdownIt({ html: true });
parser.block.State = PositionBlockState;
parser.inline.State = PositionInlineState;
parser.block.ruler.before('table', 'front_matter', frontMatter);

/** YAML between two lines of three dashes at the very beginning, as the editor's preview has it. */
function frontMatter(state: StateBlock, startLine: number, endLine: number): boolean {
	const isFence = (line: number) =>
		state.tShift[line] === 0 &&
		/^---\s*$/.test(state.src.slice(state.bMarks[line], state.eMarks[line]));
	if (startLine !== 0 || state.level !== 0 || !isFence(0)) {
		return false;
	}
	for (let line = 1; line < endLine; line++) {
		if (isFence(line)) {
			state.line = line + 1;
			return true;
		}
	}
	return false;
}

/** A cell is trimmed and its `\|` have become `|` (GitHub Flavored Markdown, part 4.10). */
function cellPositions(source: string, { row, column }: Cell): (position: number) => number {
	const line = source.slice(row.start, row.end);
	const start = row.start + (line.length - line.trimStart().length);
	const cells = splitRow(source, start, row.start + line.trimEnd().length);
	if (cells[0]?.start === cells[0]?.end) {
		cells.shift();
	}
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
		if (source[position] === '|' && (position === start || source[position - 1] !== '\\')) {
			cells.push({ start: from, end: position });
			from = position + 1;
		}
	}
	return [...cells, { start: from, end }];
}

function lineStart(source: string, lineEnds: readonly number[], line: number): number {
	return line === 0 ? 0 : Math.min((lineEnds[line - 1] ?? 0) + 1, source.length);
}

/** How many of the numbers, which are in order, are less than `limit`. */
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

/** Spaces, tabs and line breaks. */
function skipBlank(source: string, position: number): number {
	while (/[ \t\n]/.test(source[position] ?? '')) {
		position++;
	}
	return position;
}

/** Where, in the normalized text, line breaks stand that had two characters. */
function windowsBreaks(text: string): number[] {
	const found: number[] = [];
	for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) {
		found.push(at - found.length);
	}
	return found;
}

export type { Token };
