import { beginningOf, shorten } from './shorten.js';

/**
 * Turns a text into alt text: one line, cut between words where possible. Control characters are
 * gone, and so are those that turn the direction of text, because they would make the rest of the
 * line read as something else. Empty where the text is. Of a prompt, take `subjectOf`.
 *
 * @param longest in UTF-16 code units, at least 1; the default is what screen readers read in one go
 */
export function altText(text: string, longest = longestAlt): string {
	const line = beginningOf(text.trimStart(), longestRead)
		.replace(/\p{Bidi_Control}/gu, '')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return line.length <= longest
		? line
		: shorten(line, (beginning) => beginning.length <= longest).replace(/[\s\p{Pd},;:(]+$/u, '');
}

const longestAlt = 125;
/** More than that, of which 125 characters are to be seen, nobody writes. */
const longestRead = 4000;
