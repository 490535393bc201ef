import { findImages, type FoundImage } from '../findImages.js';
import { HtmlReader, imageSources, type HtmlTag } from '../htmlImages.js';
import type { DocumentFormat } from '../languages.js';
import { decodePercent } from '../localPath.js';
import { unescapeHtml } from '../markdownSource.js';
import { altOf, type Alt, type PlainImage } from './alt.js';
import { asciidocImages } from './asciidocImages.js';
import { latexImages } from './latexImages.js';
import { restructuredTextImages } from './restructuredTextImages.js';
import { typstImages } from './typstImages.js';

/** Image of a document of any format. */
export interface ShownImage {
	readonly reference: FoundImage;
	readonly alt: Alt;
	/** Plain text that the document itself says of it: its caption, or its title. */
	readonly caption: string | undefined;
}

/** The images of a document's text, in the order in which they appear. Never throws. */
export function shownImages(text: string, format: DocumentFormat): ShownImage[] {
	const plain = (images: readonly PlainImage[]) => images.map((image) => asShown(text, image));
	switch (format) {
		case 'markdown':
		case 'mdx':
			return findImages(text)
				.filter(({ kind }) => kind !== 'import' && kind !== 'value')
				.map((reference) => markdownImage(text, reference));
		case 'html':
		case 'vue':
			return plain(htmlImages(text));
		case 'asciidoc':
			return plain(asciidocImages(text));
		case 'restructuredText':
			return plain(restructuredTextImages(text));
		case 'latex':
			return plain(latexImages(text));
		case 'typst':
			return plain(typstImages(text));
	}
}

function asShown(text: string, { span, path, href, alt, caption }: PlainImage): ShownImage {
	const raw = text.slice(path.start, path.end);
	const words = alt.type === 'text' ? alt.text : '';
	return {
		reference: {
			...{ kind: 'other', span, raw, destinationSpan: path, href, alt: words },
			...{ destination: decodePercent(href), heading: undefined, paragraph: '' },
		},
		alt,
		caption: caption === '' ? undefined : caption,
	};
}

function markdownImage(text: string, reference: FoundImage): ShownImage {
	const { kind, span } = reference;
	const link = text.slice(span.start, span.end);
	const behind = text.slice(span.end, span.end + maxCaptionLength);
	if (kind === 'html') {
		// A shortcode of Hugo has other marks at its ends.
		const [tag] = new HtmlReader().tags(`<${link.slice(1, -1)}>`);
		const alt: Alt = tag === undefined ? { type: 'unknown' } : altOfTag(tag);
		return { reference, alt, caption: tag && captionOfTag(tag, behind) };
	}
	if (kind === 'directive') {
		const written = /^[ \t>]*:?alt:([^\n]*)/m.exec(link)?.[1];
		const isEmpty = written?.trim().replace(/^""$|^''$/, '') === '';
		return {
			reference,
			alt: isEmpty ? { type: 'decorative' } : altOrNone(reference.alt),
			// Its span may end before its content.
			caption: captionOfDirective(text.slice(span.start, span.start + maxCaptionLength)),
		};
	}
	const title = /[^\\]["']((?:\\.|[^"'\\\n]){1,300})["'][ \t]{0,9}\)$/.exec(link)?.[1];
	const emphasized = /^[ \t]{0,9}\r?\n(?:[ \t]{0,9}\r?\n)?([*_])(?![*_])([^*_\n]{3,300})\1\s/.exec(
		behind,
	)?.[2];
	return { reference, alt: altOrNone(reference.alt), caption: title ?? emphasized };
}

/** Takes an empty text for none: nothing says that it is meant so. */
function altOrNone(alt: string): Alt {
	return placeholder.test(alt)
		? { type: 'unknown' }
		: altOf(/[^\s\u200b]/.test(alt) ? alt : undefined);
}

const placeholder = /\{[{%]|\$\{|<[%?]/;
const maxCaptionLength = 600;

/** Returns the first paragraph of what stands in a directive of MyST, below its options. */
function captionOfDirective(link: string): string | undefined {
	const lines = link.split('\n').slice(1, 30);
	const first = lines.findIndex((line) => line.trim() !== '' && !/^\s*:[\w-]+:/.test(line));
	const caption = first < 0 ? '' : (lines[first] ?? '').trim();
	return /^(?:[`:]{3,}|---)/.test(caption) || caption === '' ? undefined : caption;
}

/** The images of HTML, of components and of templates. */
function htmlImages(text: string): PlainImage[] {
	return [...new HtmlReader().tags(text)].flatMap((tag): PlainImage[] => {
		const { name, start, end } = tag;
		const sources = imageSources(tag);
		if (sources.length === 0 && name !== 'img') {
			return [];
		}
		const alt = altOfTag(tag);
		const caption = captionOfTag(tag, text.slice(end, end + maxCaptionLength));
		const span = { start, end };
		return sources.length === 0
			? [{ span, path: { start, end: start }, href: '', alt, caption }]
			: sources.map((path) => ({ span, path, href: unescapeHtml(path.raw), alt, caption }));
	});
}

function altOfTag({ name, attributes }: HtmlTag): Alt {
	const valueOf = (attribute: string) => attributes.get(attribute)?.raw.trim();
	const names = [...attributes.keys()];
	const isBound = names.some((one) => /^(?:v-bind(?::alt)?|bind:alt|:alt|\[.*alt\]|\{)/.test(one));
	if (name === 'source' || isBound || names.some((one) => /^aria-label/.test(one))) {
		return { type: 'unknown' };
	}
	const isHidden = valueOf('aria-hidden') === 'true';
	if (isHidden || /^(?:presentation|none)$/.test(valueOf('role') ?? '')) {
		return { type: 'decorative' };
	}
	// A figure of Hugo has its caption for one.
	const written = valueOf('alt') ?? (name === 'figure' ? valueOf('caption') : undefined);
	const literal = /^\{\s*(["'`])([^"'`]*)\1\s*\}$/.exec(written ?? '')?.[2];
	const isProgram = literal === undefined && /^\{/.test(written ?? '');
	return isProgram || placeholder.test(literal ?? written ?? '')
		? { type: 'unknown' }
		: altOf(literal ?? (written && unescapeHtml(written)));
}

/** @param behind the text behind the tag */
function captionOfTag({ attributes }: HtmlTag, behind: string): string | undefined {
	const figure = /^(?:(?!<(?:img|\/figure)\b)[^])*?<figcaption\b[^>]*>([^<]{1,300})/i.exec(behind);
	const caption = figure?.[1] ?? attributes.get('caption')?.raw ?? attributes.get('title')?.raw;
	return caption === undefined || placeholder.test(caption)
		? undefined
		: unescapeHtml(caption).replace(/\s+/g, ' ').trim();
}
