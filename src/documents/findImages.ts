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
	 * only some programs take for an image; `value` is one of front matter.
	 */
	readonly kind: 'inline' | 'reference' | 'html' | OtherForm | 'value';
	/** The whole image. */
	readonly span: Span;
	/** The destination as it is written, `<` and `>` included, quotes not; see `destinationSpan`. */
	readonly raw: string;
	/** Of the reference style, it lies in the definition. */
	readonly destinationSpan: Span;
	/** What the document means: escapes and character references resolved, percent-encoding left. */
	readonly href: string;
	/** For a person: `href` without percent-encoding. Take `localPath` for the file. */
	readonly destination: string;
	/** Plain text, on one line; empty where there is none. */
	readonly alt: string;
	/** `undefined` for an `<img>` without `alt`. */
	readonly altSpan: Span | undefined;
	readonly title: string | undefined;
	/** For the reference style, the definition that it takes its destination from. */
	readonly definition: { readonly label: string; readonly span: Span } | undefined;
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
	const addHtml = (image: HtmlImage, token: Token, offset: number) => {
		const href = unescapeHtml(image.src.raw);
		if (!wanted(href)) {
			return;
		}
		const original = positions(token);
		const span = ({ start, end }: Span) => ({
			start: original(offset + start),
			end: original(offset + end),
		});
		const alt = oneLine(unescapeHtml(image.alt?.raw ?? ''));
		found.push({
			kind: 'html',
			span: span(image),
			raw: image.src.raw,
			destinationSpan: span(image.src),
			href,
			destination: decodePercent(href),
			alt,
			altSpan: image.alt && span(image.alt),
			title: image.title && unescapeHtml(image.title.raw),
			definition: undefined,
			...surroundings(token, alt),
		});
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
		const inToken = positions(token);
		const span = ({ start, end }: Span, original = inToken) => ({
			start: original(start),
			end: original(end),
		});
		const inSource = (position: number) => source.original(position);
		const destinationSpan = destination
			? span(destination)
			: span(definition?.destination ?? spans, inSource);
		const written = oneLine(plainText(image.children ?? []));
		// Obsidian takes numbers for a size.
		const alt = form === 'embed' ? written.replace(/(?:^|\|)\s*\d+(?:x\d+)?$/, '') : written;
		found.push({
			kind: form ?? (destination ? 'inline' : 'reference'),
			span: span(spans),
			raw: text.slice(destinationSpan.start, destinationSpan.end),
			destinationSpan,
			href,
			destination: decodePercent(href),
			alt,
			altSpan: span(spans.alt),
			title: (image.attrGet('title') as string | null) ?? undefined,
			definition: definition && { label, span: span(definition, inSource) },
			...surroundings(token, alt),
		});
	};

	const addDirective = (token: Token) => {
		const raw = /^\s*\{(?:figure|image)\}[ \t]+(\S.*)$/.exec(token.info.trimEnd())?.[1];
		const href = hrefOf(raw ?? '', 'directive');
		if (raw === undefined || !wanted(href)) {
			return;
		}
		const alt = /^:?alt:[ \t]*(.*)/m.exec(token.content)?.[1]?.trim() ?? '';
		const [start, infoEnd, end] = source.linesOf(token);
		const destinationSpan = { start: infoEnd - raw.length, end: infoEnd };
		found.push({
			...{ kind: 'directive', span: { start, end }, raw, destinationSpan, href, alt },
			...{ destination: raw, altSpan: undefined, title: undefined, definition: undefined },
			...surroundings(token, ''),
		});
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
			if (otherSigns.test(content) || (hasHtml && (htmlOfInterest.test(content) || !html.shown))) {
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

/** What begins an image, of any kind, or what hides one. */
const otherSigns = /!\[|:\{(?:figure|image)\}|\bimport[ \t]/;
const signs = new RegExp(
	`${otherSigns.source}|(?:\`|~|:)\\{(?:figure|image)\\}|\\{\\{[<%]|<(?:im(?:g|age)|figure|source)`,
	'gi',
);

/** Where the last of them stands; `undefined` where there is none. */
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
		return {
			...({ kind: 'value', span, raw, destinationSpan: span, href: raw } as const),
			...{ destination: raw, alt: '', altSpan: undefined, title: undefined },
			...{ definition: undefined, heading: undefined, paragraph: '' },
		};
	});
}

const longestContext = 500;

function hrefOf(written: string, form?: OtherForm): string {
	if (form !== undefined && form !== 'sized') {
		// A name, in which nothing is encoded.
		return written.trim().replace(/[%?#]/g, encodeURIComponent);
	}
	return unescapeMarkdown(/^<.*>$/s.test(written) ? written.slice(1, -1) : written);
}

/** What a person reads of a paragraph, heading or piece of HTML. */
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

/** Cut between words where there are any; a plain cut, because nobody reads the end of it. */
function bounded(text: string): string {
	const beginning = text.slice(0, longestContext);
	return text.length <= longestContext ? text : beginning.replace(/\s\S*$|[\ud800-\udbff]$/, '');
}
