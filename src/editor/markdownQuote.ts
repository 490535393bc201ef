import { flattened, shortened } from './untrustedText.js';

/** In UTF-16 code units, of a text that is quoted. */
const maxQuoteLength = 20_000;

/**
 * Foreign text as a block quote of Markdown, line by line: nothing in it becomes a link, a tag or a
 * list, and who reads the source still reads the text. Empty lines separate paragraphs.
 *
 * @returns an empty quote where there is no text
 */
export function markdownQuote(text: string): string {
	const lines = shortened(text, maxQuoteLength)
		.split(/\r\n|[\n\r\u2028\u2029]/)
		.map((line) => (line === '' ? '' : markdownProse(line)));
	const paragraphs = lines.join('\n').split(/\n{2,}/);
	return paragraphs
		.map((paragraph) =>
			paragraph
				.split('\n')
				.filter((line) => line !== '')
				.map((line) => `> ${line}`)
				// A line break within a paragraph.
				.join('\\\n'),
		)
		.filter((paragraph) => paragraph !== '')
		.join('\n>\n');
}

/** Foreign text as one line of Markdown that shows it, anywhere in a paragraph. */
export function markdownProse(text: string): string {
	return (
		shortened(flattened(text), maxQuoteLength)
			.trim()
			.replace(/[\\`*_[\]<>&|~$#^]/g, '\\$&')
			// At the beginning of a line: lists, rules and the like.
			.replace(/^(?:[-+=]|:(?=\s|$))/, '\\$&')
			.replace(/^(\d{1,9})([.)])/, '$1\\$2')
			// Addresses, of which most parsers make links by themselves.
			.replace(/[:@](?=\S)/g, '\\$&')
			.replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}\\.`)
	);
}
