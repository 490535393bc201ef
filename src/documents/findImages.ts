import type { Token } from 'markdown-it';
import { HtmlReader, htmlOfInterest, type HtmlImage } from './htmlImages.js';
import { decodePercent } from './localPath.js';
import type { OtherForm } from './markdownParser.js';
import { MarkdownSource, plainText, unescapeHtml, unescapeMarkdown } from './markdownSource.js';
import { frontMatter, metadataImages } from './metadata.js';
import type { Span } from './span.js';

/** An image that a Markdown document shows. Positions are those of the document's text. */
export interface FoundImage {
	/**
	 * `![alt](destination)`, `![alt][label]` in all its forms, a tag with attributes, or something that
	 * only some programs take for an image; `value` is one of front matter, `other` one of a document
	 * that is no Markdown.
	 */
	readonly kind: 'inline' | 'reference' | 'html' | OtherForm | 'value' | 'other';
	/** The whole image. */
	readonly span: Span;
	/** The destination as it is written, `<` and `>` included, quotes not; see `destinationSpan`. */
	readonly raw: string;
	/** Span of the destination; of the reference style it lies in the definition. */
	readonly destinationSpan: Span;
	/**
	 * Path that the document means: escapes and character references resolved, percent-encoding
	 * left.
	 */
	readonly href: string;
	/** For the user: `href` without percent-encoding. Take `localPaths` for the file. */
	readonly destination: string;
	/** Plain text, on one line; empty where there is none. */
	readonly alt: string;
	/** The nearest heading above, as plain text of at most 500 characters. */
	readonly heading: string | undefined;
	/**
	 * The paragraph, cell or HTML around, likewise. Of an image that stands alone it is the paragraph
	 * before it under the same heading. Empty where there is none.
	 */
	readonly paragraph: string;
}

/**
 * Finds the images of a Markdown document, those of its front matter first, the others in the order in
 * which they appear. What is not shown as an image is none: in code, HTML comments and other values of
 * front matter, escaped, without a definition, or in the alt text of another. Never throws, whatever
 * the text.
 *
 * @param wanted leaves out those whose `href` it turns down, before the work of describing them
 */
export function findImages(
	text: string,
	wanted: (href: string) => boolean = () => true,
): FoundImage[] {
	const found = valuesIn(text).filter(({ href }) => wanted(href));
	const last = lastSign(text);
	// A look that costs next to nothing.
	if (last === undefined) {
		return found;
	}
	const source = new MarkdownSource(relevantPart(text, last));
	// Once for the whole text: it takes longer than to look for images alone.
	const hasHtml = htmlOfInterest.test(text);
	const html = new HtmlReader();
	let heading: Token | undefined;
	let before: Token | undefined;

	// A paragraph may have thousands of images.
	const blockText = remembered((token: Token) => textOf(source, token));
	const positions = remembered((token: Token) => source.positions(token));
	const surroundings = (token: Token, itself: string) => {
		const around = blockText(token);
		const alone = (around === '' || around === itself) && before !== undefined;
		return {
			heading: heading && blockText(heading),
			paragraph: alone ? blockText(before as Token) : around,
		};
	};
	const add = (
		image: Pick<FoundImage, 'kind' | 'href' | 'span' | 'destinationSpan' | 'alt'>,
		token: Token,
	) => {
		const { href, destinationSpan, alt } = image;
		const raw = text.slice(destinationSpan.start, destinationSpan.end);
		found.push({ ...image, raw, destination: decodePercent(href), ...surroundings(token, alt) });
	};
	const addHtml = (image: HtmlImage, token: Token, offset: number) => {
		const href = unescapeHtml(image.src.raw);
		if (wanted(href)) {
			const span = inOriginal(positions(token), offset);
			const alt = oneLine(unescapeHtml(image.alt));
			add({ kind: 'html', href, span: span(image), destinationSpan: span(image.src), alt }, token);
		}
	};
	const addMarkdown = (image: Token, token: Token) => {
		const spans = source.spansOf(image);
		const { destination } = spans;
		// Without a destination of its own it is an image because its label is defined.
		const { label = '', form } = (image.meta ?? {}) as { label?: string; form?: OtherForm };
		const definition = destination ? undefined : source.definitions.get(label);
		const href = destination
			? hrefOf(token.content.slice(destination.start, destination.end), form)
			: (definition?.href ?? '');
		if (!wanted(href)) {
			return;
		}
		const span = inOriginal(positions(token));
		const destinationSpan = destination
			? span(destination)
			: inOriginal((position) => source.original(position))(definition?.destination ?? spans);
		const inBrackets = oneLine(plainText(image.children ?? []));
		const written = inBrackets === '' ? altAttribute(text, span(spans).end) : inBrackets;
		// Obsidian takes numbers for a size.
		const alt = form === 'embed' ? written.replace(/(?:^|\|)\s*\d+(?:x\d+)?$/, '') : written;
		const kind = form ?? (destination ? 'inline' : 'reference');
		add({ kind, href, span: span(spans), destinationSpan, alt }, token);
	};
	const addDirective = (token: Token) => {
		const raw = /^\s*\{(?:figure|image)\}[ \t]+(\S.*)$/.exec(token.info.trimEnd())?.[1];
		const href = hrefOf(raw ?? '', 'directive');
		if (raw !== undefined && wanted(href)) {
			const written = /^:?alt:[ \t]*(.*)/m.exec(token.content)?.[1]?.trim() ?? '';
			const alt = written.replace(/^"(.*)"$/, (_, quoted: string) => unescapeDirective(quoted));
			const [start, infoEnd, end] = source.linesOf(token);
			const destinationSpan = { start: infoEnd - raw.length, end: infoEnd };
			add({ kind: 'directive', href, span: { start, end }, destinationSpan, alt }, token);
		}
	};

	for (const [index, token] of source.tokens.entries()) {
		if (token.type === 'html_block') {
			for (const image of html.read(token.content)) {
				addHtml(image, token, 0);
			}
		} else if (token.type === 'fence' && html.shown) {
			addDirective(token);
		} else if (token.type === 'inline') {
			const isHeading = source.tokens[index - 1]?.type === 'heading_open';
			const { content } = token;
			if (inlineSigns.test(content) || (hasHtml && (htmlOfInterest.test(content) || !html.shown))) {
				for (const child of source.inline(token)) {
					if (child.type === 'image' && html.shown) {
						addMarkdown(child, token);
					} else if (child.type === 'html_inline') {
						for (const image of html.read(child.content)) {
							addHtml(image, token, source.startOf(child));
						}
					}
				}
			}
			if (isHeading) {
				heading = token;
			}
			before = isHeading ? undefined : token;
		}
	}
	return found;
}

/** Beginnings of an image within text, and of any kind. */
const inlineSigns = /!\[|\{(?:figure|image)\}|\bimport[ \t]/;
const signs = new RegExp(`${inlineSigns.source}|\\{\\{[<%]|<(?:im(?:g|age)|figure|source)`, 'gi');

/** Spans of a text that begins somewhere in another one, as those of the original. */
function inOriginal(original: (position: number) => number, offset = 0): (span: Span) => Span {
	return ({ start, end }) => ({ start: original(offset + start), end: original(offset + end) });
}

/** Returns the offset of the last of them; `undefined` where there is none. */
function lastSign(text: string): number | undefined {
	let last: number | undefined;
	for (const { index } of text.matchAll(signs)) {
		last = index;
	}
	return last;
}

/**
 * Leaves out what follows the last block that might have an image, because reading blocks is most
 * of the work. Nothing there changes what stands before it, except definitions of labels and the end
 * of front matter.
 */
function relevantPart(text: string, last: number): string {
	blankLine.lastIndex = Math.max(last, frontMatter(text)?.closing.end ?? 0);
	const end = blankLine.exec(text)?.index;
	return end === undefined || text.includes(']:', end) ? text : text.slice(0, end);
}

const blankLine = /\n\r?\n/g;

/** The images that front matter names. */
function valuesIn(text: string): FoundImage[] {
	return metadataImages(text).map((span) => {
		const raw = text.slice(span.start, span.end);
		const found = { kind: 'value', span, raw, destinationSpan: span, href: raw } as const;
		return { ...found, destination: raw, alt: '', heading: undefined, paragraph: '' };
	});
}

/** The alt text in the attributes behind an image, as Quarto and Pandoc have it; empty where there is none. */
function altAttribute(text: string, end: number): string {
	const found = /^\{[^{}"\n]{0,200}?\b(?:fig-)?alt="((?:\\.|[^"\\\n])*)"/.exec(
		text.slice(end, end + 1000),
	);
	return oneLine((found?.[1] ?? '').replace(/\\(.)/g, '$1'));
}

const maxContextLength = 500;

function hrefOf(written: string, form?: OtherForm): string {
	if (form !== undefined && form !== 'sized') {
		const name = written.trim();
		// In a directive, blanks count where they are escaped.
		const read = form === 'directive' ? unescapeDirective(name.replace(/(\\.)|\s/g, '$1')) : name;
		// A name, in which nothing is encoded.
		return read.replace(/[%?#]/g, encodeURIComponent);
	}
	return unescapeMarkdown(/^<.*>$/s.test(written) ? written.slice(1, -1) : written);
}

function unescapeDirective(text: string): string {
	return text.replace(/\\(.)/g, '$1');
}

/** Returns the visible text of a paragraph, heading or piece of HTML. */
function textOf(source: MarkdownSource, token: Token): string {
	const text =
		token.type === 'inline'
			? plainText(source.inline(token))
			: unescapeHtml(withoutTags(token.content));
	return bounded(oneLine(text));
}

/** A blank for each tag and comment. What has no end is text, and so is all behind it. */
function withoutTags(html: string): string {
	const kept: string[] = [];
	const lastComment = html.lastIndexOf('-->');
	let from = 0;
	for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', from)) {
		const isComment = at < lastComment && html.startsWith('<!--', at);
		// `<!-->` and `<!--->` are whole comments.
		const comment = isComment ? html.indexOf('-->', at + 2) : -1;
		const end = comment < 0 ? html.indexOf('>', at) + 1 : comment + 3;
		if (end === 0) {
			break;
		}
		kept.push(html.slice(from, at), ' ');
		from = end;
	}
	return kept.join('') + html.slice(from);
}

function remembered<K, V>(compute: (key: K) => V): (key: K) => V {
	const values = new Map<K, V>();
	return (key) => {
		if (!values.has(key)) {
			values.set(key, compute(key));
		}
		return values.get(key) as V;
	};
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** Cut between words where there are any; a plain cut, because its end is not read. */
function bounded(text: string): string {
	const beginning = text.slice(0, maxContextLength);
	return text.length <= maxContextLength ? text : beginning.replace(/\s\S*$|[\ud800-\udbff]$/, '');
}
