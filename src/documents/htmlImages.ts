import type { Span } from './span.js';

/** An image with its source; positions are those of the text that was read. */
export interface HtmlImage extends Span {
	readonly src: HtmlAttribute;
	/** As it is written. */
	readonly alt: string;
}

/** A tag that may show an image, with its attributes by their names in small letters. */
export interface HtmlTag extends Span {
	readonly name: string;
	readonly attributes: ReadonlyMap<string, HtmlAttribute>;
}

/** Its span is that of the value. */
interface HtmlAttribute extends Span {
	/** The value as it stands there: without quotes, character references not resolved. */
	readonly raw: string;
}

/**
 * Reads the pieces of HTML in a document one after the other, as a browser reads the finished page:
 * a comment or a script that one piece opens goes on until another closes it, however much
 * Markdown lies in between (HTML, part 13.2.5, "Tokenization").
 */
export class HtmlReader {
	/** End of the comment or the text-only element around. */
	#closing: RegExp | undefined;

	/** Returns whether what follows shows on the page. */
	get shown(): boolean {
		return this.#closing === undefined;
	}

	/** The images of the next piece, which may have shortcodes of Hugo for tags. */
	*read(piece: string): Generator<HtmlImage> {
		for (const tag of this.tags(piece)) {
			const { start, end, attributes } = tag;
			for (const src of imageSources(tag)) {
				yield { start, end, src, alt: attributes.get('alt')?.raw ?? '' };
			}
		}
	}

	/** The opening tags of the next piece. */
	*tags(piece: string): Generator<HtmlTag> {
		// Shortcodes of Hugo become tags of the same length.
		const html = piece.replace(
			/(\{\{[<%]\s{0,100})(?=\w)([^{}]*)[>%]\}\}/g,
			(_, open: string, rest: string) => `${' '.repeat(open.length - 1)}<${rest}>  `,
		);
		let position = 0;
		while (position < html.length) {
			if (this.#closing !== undefined) {
				this.#closing.lastIndex = position;
				if (!this.#closing.test(html)) {
					return;
				}
				position = this.#closing.lastIndex;
				this.#closing = undefined;
				continue;
			}
			const start = html.indexOf('<', position);
			if (start < 0) {
				return;
			}
			if (html.startsWith('<!--', start)) {
				this.#closing = /--!?>/g;
				// `<!-->` and `<!--->` are whole comments.
				position = start + (/^<!---?>/.test(html.slice(start, start + 6)) ? 2 : 4);
				continue;
			}
			tagName.lastIndex = start;
			const name = tagName.exec(html)?.[1]?.toLowerCase();
			if (name === undefined) {
				if (/[!?/]/.test(html[start + 1] ?? '')) {
					this.#closing = />/g;
				}
				position = start + 1;
				continue;
			}
			const attributes = readAttributes(html, tagName.lastIndex);
			if (attributes === undefined) {
				return;
			}
			position = attributes.end;
			yield { start, end: position, name, attributes: attributes.byName };
			if (textOnly.includes(name)) {
				this.#closing = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
			}
		}
	}
}

/** The addresses that a tag shows an image of. */
export function imageSources({ name, attributes }: HtmlTag): HtmlAttribute[] {
	const src = showsSource.test(name) ? attributes.get('src') : undefined;
	const set = name === 'img' || name === 'source' ? attributes.get('srcset') : undefined;
	return [...literalIn(src), ...sourcesIn(set)];
}

/** Components and shortcodes of that name too. */
const showsSource = /^(?:img|image|figure)$/;

/** Returns the text in an expression of MDX, such as `{require('a.png').default}`. */
function literalIn(src: HtmlAttribute | undefined): HtmlAttribute[] {
	const literal = src?.raw.startsWith('{') ? /["'`]([^"'`]*)["'`]/.exec(src.raw) : undefined;
	return src === undefined ? [] : [literal ? partOf(src, literal[1]!, literal.index + 1) : src];
}

/** The addresses of `srcset` (HTML, part 4.8.4, "srcset attributes"). */
function sourcesIn(set: HtmlAttribute | undefined): HtmlAttribute[] {
	return set === undefined
		? []
		: [...set.raw.matchAll(/(?:^|,)\s*([^\s,]+)/g)].map(({ 0: whole, 1: raw = '', index }) =>
				partOf(set, raw, index + whole.length - raw.length),
			);
}

function partOf({ start }: HtmlAttribute, raw: string, at: number): HtmlAttribute {
	return { raw, start: start + at, end: start + at + raw.length };
}

/** Elements whose content is text and nothing else. */
const textOnly = [
	...['script', 'style', 'textarea', 'title', 'xmp'],
	...['iframe', 'noembed', 'noframes', 'noscript'],
];

/** Pieces that a reader has to see, because they show an image or change what shows. */
export const htmlOfInterest = new RegExp(
	`\\{\\{[<%]|<(?:im(?:g|age)|figure|source|!--|/?(?:${textOnly.join('|')})\\b)`,
	'i',
);

const tagName = /<(?=[a-z/])([a-z][^\t\n\f\r />]*|\/[a-z][^\t\n\f\r />]*)/iy;

/** One whose quotation mark is not closed is none: the tag does not end. */
const attribute =
	/[\t\n\f\r /]*(?:(>)|([^\t\n\f\r />][^\t\n\f\r />=]*)(?=[\t\n\f\r />=])(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)|(?=>))|(?![\t\n\f\r ]*=[\t\n\f\r ]*["'])))/dy;

/** `undefined` where the tag does not end. The first of two attributes of a name counts. */
function readAttributes(
	html: string,
	position: number,
): { byName: Map<string, HtmlAttribute>; end: number } | undefined {
	const byName = new Map<string, HtmlAttribute>();
	attribute.lastIndex = position;
	for (let match; (match = attribute.exec(html)) !== null;) {
		const end = attribute.lastIndex;
		if (match[1] !== undefined) {
			return { byName, end };
		}
		const name = match[2]?.toLowerCase() ?? '';
		const raw = match[3] ?? match[4] ?? match[5] ?? '';
		const [start, valueEnd] = match.indices?.[3] ??
			match.indices?.[4] ??
			match.indices?.[5] ?? [end, end];
		if (!byName.has(name)) {
			byName.set(name, { raw, start, end: valueEnd });
		}
	}
	return undefined;
}
