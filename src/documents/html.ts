import { altText } from '../images/altText.js';
import { type LinkParts, type ImageLink, percentEncode } from './imageLink.js';
import type { Span } from './span.js';

/**
 * Returns the HTML of an image: `<img src="path" alt="alt">`. It reads the same in the template
 * languages that put something of their own between the tags: braces (Vue, Svelte, Angular,
 * Handlebars, Liquid), `<%` and the backquotes of knitr never stand there as such, nor does `|`,
 * which would end the cell of a table of Markdown.
 *
 * @param width in CSS pixels; without it the image is shown as large as it is
 */
export function htmlImage({ path, alt }: LinkParts, width?: number): ImageLink {
	return {
		before: `<img src="${htmlSource(path)}" alt="`,
		alt: htmlAlt(alt),
		after: width === undefined ? '">' : `" width="${String(width)}">`,
	};
}

/**
 * As {@link htmlImage}, with `./` where the path begins with a name. Vue's compiler takes only what
 * begins with a dot for a file of the project; anything else it leaves to the server
 * (@vue/compiler-sfc, `transformAssetUrls`).
 */
export function vueImage({ path, alt }: LinkParts, width?: number): ImageLink {
	return htmlImage({ path: withDot(path), alt }, width);
}

/** A path that begins with a name, with `./` before it. */
export function withDot(path: string): string {
	return /^(?:\.{0,2}\/|[a-z][a-z\d+.-]*:)/i.test(path) ? path : `./${path}`;
}

/**
 * The value of `src`, a URL: what is not allowed in one is percent-encoded, and what would not be
 * read as part of the name. Letters of all languages are allowed (URL Standard, part 4.3, "URL code
 * points").
 */
export function htmlSource(path: string): string {
	return percentEncode(path, /[ "#%<>?[\\\]^`{|}\p{Cc}]/gu).replaceAll('&', '&amp;');
}

/** The value of `alt`, between double quotes. */
export function htmlAlt(alt: string): string {
	return altText(alt).replace(/[&<"{|`]/g, (character) => references[character]!);
}

const references: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'"': '&quot;',
	'{': '&#123;',
	'|': '&#124;',
	'`': '&#96;',
};

/**
 * Returns the `<img>` that a path is the quoted `src` of, whatever its other attributes say; `undefined`
 * where a program has a part in it and its end is not known.
 */
export function imgTagOf(text: string, { start, end }: Span): Span | undefined {
	const from = Math.max(0, start - maxTag);
	const found = [...text.slice(from, start).matchAll(/<img\b/gi)].at(-1);
	const quote = text.charAt(start - 1);
	if (found === undefined || !/["']/.test(quote) || text.charAt(end) !== quote) {
		return undefined;
	}
	const at = from + found.index;
	const [rest] = restOfTag.exec(text.slice(end + 1, end + maxTag)) ?? [];
	return rest !== undefined && headOfTag.test(text.slice(at, start - 1))
		? { start: at, end: end + 1 + rest.length }
		: undefined;
}

/** In UTF-16 code units, before a path and behind it. */
const maxTag = 2000;

/*
 * Attributes, and expressions of templates and components: in quotes and braces, `>` ends no tag.
 * Literals, which are left out of bundles that do not need them.
 */
const headOfTag =
	/^<img\b(?:[^"'<>{}]|"[^"]*"|'[^']*'|\{[^{}]*\}|\{\{[^{}]*\}\})*\ssrc\s{0,9}=\s{0,9}$/i;
const restOfTag = /^(?:[^"'<>{}]|"[^"]*"|'[^']*'|\{[^{}]*\}|\{\{[^{}]*\}\})*>/;
