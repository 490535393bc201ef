import MarkdownIt, { type Env, type StateBlock, type StateInline, type Token } from 'markdown-it';
import type { Span } from './span.js';

/** Spans of the parts of an image, within the text that its token belongs to. */
export interface ImageSpans extends Span {
	/** `undefined` in the reference style. */
	readonly destination: Span | undefined;
}

/** A link reference definition; positions are those of the text that was parsed. */
export interface Definition {
	readonly destination: Span;
	/** With escapes and character references resolved, percent-encoding still there. */
	readonly href: string;
}

/** Place at which a cell of a table is looked for. */
export interface Cell {
	/** The row without what stands before it, in the source. */
	readonly row: Span;
	/** Counts from 0. */
	readonly column: number;
}

/** The positions that the parser remembers, beside what markdown-it itself keeps there. */
export class PositionEnv implements Env {
	[key: string | symbol]: unknown;
	readonly rows = new Map<Token, Cell>();
	readonly definitions: Definition[] = [];
	readonly images = new Map<Token, ImageSpans>();
	/** Start of each piece of inline HTML. */
	readonly tags = new Map<Token, number>();
	/** End of each line, its line break not counted. */
	lineEnds: readonly number[] = [];
}

class PositionBlockState extends MarkdownIt.StateBlock {
	declare env: PositionEnv;
	#row: Token | undefined;
	#column = 0;

	constructor(...parameters: ConstructorParameters<typeof MarkdownIt.StateBlock>) {
		super(...parameters);
		this.env.lineEnds = this.eMarks;
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
			this.env.rows.set(token, { row, column: this.#column++ });
		} else if (type === 'inline' && before?.type === 'heading_open') {
			// `#` for a heading on one line, so that it differs from one with a line below.
			token.markup = before.markup;
		} else if (type === 'reference_definition') {
			this.env.definitions.push(this.#definition());
		}
		return token;
	}

	/** Returns the start of a line, behind the marks of lists and quotes around it. */
	#lineStart(line: number): number {
		return (this.bMarks[line] ?? 0) + (this.tShift[line] ?? 0);
	}

	/** Finds its way as markdown-it did, which has found a whole definition in this line. */
	#definition(): Definition {
		const { src } = this;
		let { line } = this;
		let position = this.#lineStart(line);
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
		return { destination: { start: position, end }, href: parsed.str };
	}
}

/**
 * Makes the token that `push` makes, without its methods: `new Token` defines its properties one by
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
	declare env: PositionEnv;

	override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
		const token = super.push(type, tag, nesting);
		if (type === 'image') {
			this.env.images.set(token, this.#image());
		} else if (type === 'html_inline') {
			this.env.tags.set(token, this.pos);
		}
		return token;
	}

	/** Finds its way as markdown-it did, which has found a whole image at this place. */
	#image(): ImageSpans {
		const { helpers } = this.md;
		const { pos: start, src } = this;
		const labelEnd = helpers.parseLinkLabel(this, start + 1, false);
		if (src[labelEnd + 1] === '(') {
			const from = skipBlank(src, labelEnd + 2);
			const parsed = helpers.parseLinkDestination(src, from, this.posMax);
			const destination = { start: from, end: parsed.ok ? parsed.pos : from };
			const titleStart = skipBlank(src, destination.end);
			const title = helpers.parseLinkTitle(src, titleStart, this.posMax);
			const hasTitle = title.ok && titleStart !== destination.end;
			const end = skipBlank(src, hasTitle ? title.pos : titleStart) + 1;
			return { start, end, destination };
		}
		const hasLabel = src[labelEnd + 1] === '[' && labelEnd + 1 < this.posMax;
		const secondEnd = hasLabel ? helpers.parseLinkLabel(this, labelEnd + 1) : -1;
		const end = (secondEnd < 0 ? labelEnd : secondEnd) + 1;
		return { start, end, destination: undefined };
	}
}

/** YAML between two lines of three dashes at the very beginning, as the editor's preview has it. */
function frontMatter(state: StateBlock, startLine: number, endLine: number): boolean {
	const isFence = (line: number) =>
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

/** Forms of an image beside those of CommonMark. */
export type OtherForm = 'embed' | 'sized' | 'directive' | 'import';

/** Embeds of Obsidian; a size behind the destination; directives of MyST; imports of MDX. */
const otherImages: readonly (readonly [OtherForm, RegExp])[] = [
	['embed', /!\[\[(?<path>[^[\]|#^\n]+)(?:[#^][^[\]|\n]*)?(?:\\?\|(?<alt>[^[\]\n]*))?\]\]/dy],
	[
		'sized',
		/!\[(?<alt>(?:\\[^]|[^[\]\\])*)\]\([ \t]*(?<path><[^<>\n]*>|[^\s()<>]+)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]+=\d*%?(?:x\d*%?)?[ \t]*\)/dy,
	],
	[
		'directive',
		/(?<![^\n]):{3,20}\{(?:figure|image)\}[ \t]+(?<path>\S[^\n]*)(?:\n:(?!alt:)[^\n]*)*(?:\n:alt:[ \t]*(?<alt>[^\n]*))?/dy,
	],
	[
		'import',
		/(?<![^\n])import[ \t]+[\w*][^"'\n]*["'](?<path>[^"'\n]+\.(?:png|jpe?g|webp|gif|svg|avif))["']/dy,
	],
];

function otherImage(state: StateInline, silent: boolean): boolean {
	if (!/[!:i]/.test(state.src.charAt(state.pos))) {
		return false;
	}
	for (const [form, pattern] of otherImages) {
		pattern.lastIndex = state.pos;
		const { indices, groups } = pattern.exec(state.src) ?? {};
		const [start = 0, end = Infinity] = indices?.[0] ?? [];
		if (end > state.posMax) {
			continue;
		}
		if (!silent) {
			const [from = end, to = end] = indices?.groups?.['path'] ?? [];
			const token = MarkdownIt.StateInline.prototype.push.call(state, 'image', 'img', 0);
			token.meta = { form };
			token.children = [];
			state.md.inline.parse(groups?.['alt'] ?? '', state.md, state.env, token.children);
			const destination = { start: from, end: to };
			(state.env as PositionEnv).images.set(token, { start, end, destination });
		}
		state.pos = end;
		return true;
	}
	return false;
}

/** Shortcodes of Hugo, and elements of MDX whose attributes are expressions, as HTML. */
function otherTag(state: StateInline, silent: boolean): boolean {
	otherTags.lastIndex = state.pos;
	const tag = otherTags.exec(state.src)?.[0];
	if (tag === undefined || state.pos + tag.length > state.posMax) {
		return false;
	}
	if (!silent) {
		state.push('html_inline', '', 0).content = tag;
	}
	state.pos += tag.length;
	return true;
}

const otherTags =
	/\{\{(?:<[ \t]*\w[^{}]*>|%[ \t]*\w[^{}]*%)\}\}|<(?:img|image)\s(?:[^<>{}]|\{[^<>{}]*\})*>/iy;

/** A shortcode over several lines, whose last one looks like a quotation. */
function shortcode(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
	const textOf = (at: number) =>
		state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at]);
	if (!/^\{\{[<%][ \t]*\w[^{}]*$/.test(textOf(line))) {
		return false;
	}
	for (let at = line + 1; at < Math.min(endLine, line + 50); at++) {
		if (/[{}]/.test(textOf(at))) {
			const isEnd = /^[^{}]*[>%]\}\}\s*$/.test(textOf(at));
			if (isEnd && !silent) {
				state.line = at + 1;
				const token = state.push('html_block', '', 0);
				token.map = [line, at + 1];
				token.content = state.getLines(line, at + 1, state.blkIndent, true);
			}
			return isEnd;
		}
	}
	return false;
}

/** Spaces, tabs and line breaks. */
function skipBlank(source: string, position: number): number {
	while (/[ \t\n]/.test(source[position] ?? '')) {
		position++;
	}
	return position;
}

/**
 * markdown-it as the editor's preview is set up: tables and strikethrough, HTML, YAML front matter.
 * Given a {@link PositionEnv}, it remembers there where the images and what belongs to them stand.
 */
export const parser = new MarkdownIt({ html: true });
parser.block.State = PositionBlockState;
parser.inline.State = PositionInlineState;
parser.block.ruler.before('table', 'front_matter', frontMatter);
parser.block.ruler.before('table', 'shortcode', shortcode, { alt: ['paragraph'] });
parser.inline.ruler.before('text', 'other_image', otherImage);
parser.inline.ruler.after('html_inline', 'other_tag', otherTag);
