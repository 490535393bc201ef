import { shorten } from '../images/shorten';

/**
 * Returns the Markdown of an image: `![alt](path)`. A parser reads back exactly this path and this
 * alt text, the latter in one line and shortened (see {@link altText}).
 * @param path plain text without escapes, as `relativeReference` returns it
 */
export function markdownImage({
	path,
	alt,
}: {
	readonly path: string;
	readonly alt: string;
}): string {
	return `![${markdownAlt(alt)}](${markdownDestination(path)})`;
}

/** The part between the square brackets. Also for text that a snippet puts there by itself. */
export function markdownAlt(alt: string): string {
	return altText(alt)
		.replace(/[\\`*[\]]|<(?=[a-z/!?])/gi, '\\$&')
		.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
		.replace(characterReference, '\\&');
}

/**
 * The part between the parentheses: raw or in `<…>`, as the editor's own drop writes it
 * (CommonMark 0.31, part 6.3, "link destination"). Beyond that, what would not be read as part of
 * the name is percent-encoded: `%`, `#` and `?`, which a URI gives a meaning; backslashes, line
 * breaks and what looks like `&amp;`, to which Markdown gives one; spaces at the ends, which
 * parsers drop.
 */
export function markdownDestination(path: string): string {
	const encoded = path
		.replace(/[%#?\\\p{Cc}]|^\s+|\s+$/gu, encodeURIComponent)
		.replace(characterReference, '%26');
	return encoded === '' || /^<|\s/.test(encoded) || !hasBalancedParentheses(encoded)
		? `<${encoded.replace(/[<>]/g, '\\$&')}>`
		: encoded;
}

/**
 * Turns a prompt into alt text: one line, at most 120 characters (UTF-16 code units), cut between
 * words where possible and then ended with `…`. Control characters are gone, and so are those that
 * turn the direction of text, because they would make the rest of the line read as something else.
 * Empty where the prompt is.
 */
export function altText(prompt: string): string {
	const line = prompt
		.replace(/\p{Bidi_Control}/gu, '')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	if (line.length <= longestAlt) {
		return line;
	}
	const beginning = shorten(line, (text) => text.length < longestAlt);
	return `${beginning.replace(/[\s\p{Pd},;:(]+$/u, '')}…`;
}

const longestAlt = 120;

/** CommonMark 0.31, part 2.5. */
const characterReference = /&(?=(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);)/gi;

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
