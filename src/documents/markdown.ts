import { altText } from '../images/altText.js';
import { htmlImage } from './html.js';
import { type LinkParts, type ImageLink, percentEncodeWithEnds } from './imageLink.js';
import { sphinxPath } from './restructuredText.js';

/**
 * Returns the Markdown of an image: `![alt](path)`. A parser reads back exactly this path and this
 * alt text, the latter in one line and shortened (see {@link altText}).
 *
 * With a `%` in the path it is an `<img>`, which Markdown takes as well: the editor's own preview
 * takes the `%25` of `![](…)` for a `%` that begins something else, and finds no file.
 */
export function markdownImage({ path, alt }: LinkParts): ImageLink {
	if (path.includes('%')) {
		return htmlImage({ path, alt });
	}
	return {
		before: '![',
		alt: markdownAlt(alt),
		after: `](${markdownDestination(path)})`,
	};
}

/**
 * Returns the Markdown of an image whose alt text is no caption, for Pandoc, which else makes a figure
 * with a caption of an image that stands alone.
 *
 * @param name the attribute that has the alt text: `fig-alt` for Quarto, `alt` for Pandoc itself
 */
export function uncaptionedImage({ path, alt }: LinkParts, name: string): ImageLink {
	return {
		before: `![](${markdownDestination(path)}){${name}="`,
		alt: altText(alt)
			.replace(characterReference, '&amp;')
			.replace(/["\\]/g, '\\$&')
			.replace(/[`{]/g, characterReferenceTo),
		after: '"}',
	};
}

/**
 * Returns the directive of MyST for an image. Of `![…](…)`, Sphinx percent-encodes the path and then finds
 * no file of that name; HTML it leaves as it is.
 *
 * @param width in CSS pixels
 */
export function mystImage({ path, alt }: LinkParts, width?: number): ImageLink {
	const size = width === undefined ? '' : `:width: ${String(width)}px\n`;
	return {
		before: `\`\`\`{image} ${sphinxPath(path)}\n${size}:alt: "`,
		alt: altText(alt).replace(/["\\]/g, '\\$&'),
		after: '"\n```',
	};
}

/**
 * Returns the part between the square brackets, for any place in Markdown or MDX: `|` would end the
 * cell of a table, and in Jekyll make one. What a backslash does not escape everywhere is a character
 * reference: `{` and `` `r ``, which Jekyll, Hugo, Eleventy, MDX and knitr evaluate first; `<` and `&`,
 * before which Python-Markdown shows a backslash; and `$` and `~` in pairs.
 */
export function markdownAlt(alt: string): string {
	return altText(alt)
		.replace(characterReference, '&amp;')
		.replaceAll('<', '&lt;')
		.replace(/[\\*[\]|]/g, '\\$&')
		.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
		.replace(/[`{]|\$(?=[^$]*\$)|~(?=[^~]*~)/g, characterReferenceTo);
}

/**
 * The part between the parentheses: raw or in `<…>`, as the editor's own drop writes it
 * (CommonMark 0.31, part 6.3, "link destination"). Beyond that, what would not be read as part of
 * the name is percent-encoded: `%`, `#` and `?`, which a URI gives a meaning; backslashes, line
 * breaks and what looks like `&amp;`, to which Markdown gives one; spaces at the ends, which
 * parsers drop; and what ends a cell or is evaluated before, as in {@link markdownAlt}.
 */
export function markdownDestination(path: string): string {
	const encoded = percentEncodeWithEnds(path, /[%#?<>\\`{|\p{Cc}]/gu).replace(
		characterReference,
		'%26',
	);
	return encoded === '' || /\s/.test(encoded) || !hasBalancedParentheses(encoded)
		? `<${encoded}>`
		: encoded;
}

/** CommonMark 0.31, part 2.5. */
const characterReference = /&(?=(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);)/gi;

function characterReferenceTo(mark: string): string {
	return `&#${String(mark.charCodeAt(0))};`;
}

function hasBalancedParentheses(text: string): boolean {
	let depth = 0;
	for (const character of text) {
		if (character === '(') {
			depth++;
		} else if (character === ')' && --depth < 0) {
			return false;
		}
	}
	return depth === 0;
}
