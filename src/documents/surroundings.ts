import { formatOf } from './languages.js';
import { frontMatter } from './placeInText.js';

/**
 * What an offset of a document lies in: text; code, front matter or a comment, where a link is
 * written as it is; or the cells of a table that have room for one line.
 */
export type Surroundings = 'text' | 'verbatim' | 'cells';

/** Only what begins and ends with lines of its own counts. */
export function surroundingsAt(languageId: string, text: string, offset: number): Surroundings {
	switch (formatOf(languageId)) {
		case undefined:
			return 'verbatim';
		case 'markdown':
		case 'mdx':
			return isInFrontMatter(text, offset) || isBetween(fences, text, offset) ? 'verbatim' : 'text';
		case 'typst':
			return isBetween(fences, text, offset) ? 'verbatim' : 'text';
		case 'asciidoc': {
			const delimiter = isBetween(asciidocDelimiters, text, offset);
			return delimiter === undefined ? 'text' : /[|,:!]/.test(delimiter) ? 'cells' : 'verbatim';
		}
		case 'html':
		case 'vue':
		case 'latex':
		case 'restructuredText':
			return 'text';
	}
}

/**
 * In lists and quotations too, as deep as anybody nests them: a line of a mebibyte of blanks is not
 * walked to its end and back. What stands behind the first one says the language.
 */
const fences = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]){0,200}(`{3,}|~{3,})([^\r\n]*)/gm;

/** Listings, literals, passthroughs, comments; tables. */
const asciidocDelimiters =
	/^(-{4,}|\.{4,}|\+{4,}|\/{4,}|[|,:!]={3,}|`{3,})((?:(?<=`)\w+)?)[ \t]*(?=\r?$)/gm;

/** The delimiter that was opened before an offset and is not closed there. */
function isBetween(delimiters: RegExp, text: string, offset: number): string | undefined {
	let open: string | undefined;
	for (const { index, 0: line, 1: delimiter = '', 2: rest = '' } of text.matchAll(delimiters)) {
		if (open === undefined) {
			const start = index + line.length - rest.length - delimiter.length;
			if (start >= offset) {
				return undefined;
			}
			// A fence of backticks with another one behind it in its line is code within the line.
			open = delimiter.startsWith('`') && rest.includes('`') ? undefined : delimiter;
		} else if (delimiter.startsWith(open) && rest.trim() === '') {
			if (index + line.length > offset) {
				return open;
			}
			open = undefined;
		} else if (index >= offset) {
			return open;
		}
	}
	return open;
}

function isInFrontMatter(text: string, offset: number): boolean {
	const found = frontMatter(text);
	return found !== undefined && offset > found.opening.end && offset < found.closing.start;
}
