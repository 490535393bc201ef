import { altText } from '../images/altText.js';
import { type LinkParts, type ImageLink, percentEncode } from './imageLink.js';

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
