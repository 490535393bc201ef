import { beginningOf, shorten } from '../images/shorten.js';

/**
 * Makes foreign text (from the service, a file name, a document) fit for a notification, which
 * renders links: links and `command:` lose their power, control and direction characters go, and
 * the length is bounded.
 */
export function foreignText(text: string, longest = 300): string {
	// What is left out takes no time, however long it is.
	const plain = beginningOf(text, 10 * longest)
		// eslint-disable-next-line no-control-regex -- these are the characters that must go
		.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
		.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
		.replace(/\]\s*\(/g, '] \u200b(')
		.replace(/\b(command|vscode|javascript|data|file)(?=:)/gi, '$1\u200b')
		.trim();
	return [...plain].length > longest ? `${[...plain].slice(0, longest - 1).join('')}…` : plain;
}

/** The text where it fits, else its beginning and `…`: so many UTF-16 code units at most. */
export function shortened(text: string, longest: number): string {
	return text.length > longest
		? `${shorten(text, (beginning) => beginning.length < longest)}…`
		: text;
}

/** The words with a full stop, where they have no end of a sentence yet. */
export function sentence(words: string): string {
	return /[.!?。！？…]$/.test(words) ? words : `${words}.`;
}
