import { beginningOf, shorten } from '../images/shorten.js';

/**
 * Turns a prompt into alt text: one line, at most 120 characters (UTF-16 code units), cut between
 * words where possible and then ended with `…`. Control characters are gone, and so are those that
 * turn the direction of text, because they would make the rest of the line read as something else.
 * Empty where the prompt is.
 */
export function altText(prompt: string): string {
	const line = beginningOf(prompt.trimStart(), longestRead)
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
/** More than that, of which 120 characters are to be seen, nobody writes. */
const longestRead = 4000;
