import type { DocumentFormat } from './languages.js';
import { frontMatter } from './metadata.js';
import type { Span } from './span.js';

/** A block between two lines of their own, such as code between fences. */
export interface DelimitedBlock {
	/** As it opens the block, without what stands behind it. */
	readonly delimiter: string;
	/** From the delimiter to the end of its line. */
	readonly opening: Span;
	/** The whole line; `undefined` where the block goes on to the end of the text. */
	readonly closing: Span | undefined;
}

/** The code, comment, table or formula between delimiters that an offset lies in, these included. */
export function delimitedAround(
	format: DocumentFormat,
	text: string,
	offset: number,
): DelimitedBlock | undefined {
	const delimiters = delimitersOf[format];
	if (delimiters === undefined) {
		return undefined;
	}
	let open: Omit<DelimitedBlock, 'closing'> | undefined;
	let left = maxDelimiters;
	for (const { index, 0: line, 1: delimiter = '', 2: rest = '' } of text.matchAll(delimiters)) {
		if (--left < 0) {
			return undefined;
		}
		const end = index + line.length;
		if (open === undefined) {
			const start = end - rest.length - delimiter.length;
			if (start >= offset) {
				return undefined;
			}
			// A fence with another one behind it in its line is code, or a formula, within the line.
			const isWithin = /[`$]/.test(delimiter) && rest.includes(delimiter.charAt(0));
			open = isWithin ? undefined : { delimiter, opening: { start, end } };
			continue;
		}
		// Elsewhere than in AsciiDoc a longer one closes as well; all its characters are the same.
		const closes =
			format === 'asciidoc' ? delimiter === open.delimiter : delimiter.includes(open.delimiter);
		if (closes && rest.trim() === '') {
			if (end > offset) {
				return { ...open, closing: { start: index, end } };
			}
			open = undefined;
		}
	}
	return open && { ...open, closing: undefined };
}

/** Returns whether it is a table of AsciiDoc: of what counts here, nothing else has such a delimiter. */
export function isTable({ delimiter }: DelimitedBlock): boolean {
	return delimiter.includes('=');
}

/**
 * Surroundings of an offset in a document: text; code, front matter or a comment, where a link is
 * written as it is; or the cells of a table that have room for one line.
 */
export type Surroundings = 'text' | 'verbatim' | 'cells';

/** Only what begins and ends with lines of its own counts. */
export function surroundingsAt(format: DocumentFormat, text: string, offset: number): Surroundings {
	const block = delimitedAround(format, text, offset);
	if (block !== undefined && offset > block.opening.end) {
		return isTable(block) ? 'cells' : 'verbatim';
	}
	const mayHaveMetadata = format === 'markdown' || format === 'mdx' || format === 'html';
	return mayHaveMetadata && isInFrontMatter(text, offset) ? 'verbatim' : 'text';
}

function isInFrontMatter(text: string, offset: number): boolean {
	const found = frontMatter(text);
	return found !== undefined && offset > found.opening.end && offset < found.closing.start;
}

/**
 * In lists and quotations too, as deep as anybody nests them: a line of a mebibyte of blanks is not
 * walked to its end and back. What stands behind the first one says the language.
 */
const fences = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]){0,200}(`{3,}|~{3,}|\$\$)([^\r\n]*)/gm;

/** Listings, literals, passthroughs, comments; tables. Behind three backticks stands a language. */
const asciidocDelimiters =
	/^(-{4,}|\.{4,}|\+{4,}|\/{4,}|[|,:!]={3,}|`{3}(?!`))((?<=`).*|[ \t]*)(?=\r?$)/gm;

/** No document has as many. */
const maxDelimiters = 20_000;

const delimitersOf: Partial<Readonly<Record<DocumentFormat, RegExp>>> = {
	markdown: fences,
	mdx: fences,
	typst: /^[ \t]{0,200}(`{3,})([^\r\n]*)/gm,
	asciidoc: asciidocDelimiters,
};
