import { beginningOf } from './shorten.js';

/**
 * The words of a text that may be written in Markdown, without the marks of headings, lists,
 * quotations, emphasis, code and links. A heading, and every item of a list, becomes a paragraph.
 * A single line that begins with a number stays as it is: "1. FC Köln" is no list.
 *
 * Of more than 4,000 UTF-16 code units the rest is left out.
 *
 * @returns lines with `\n` between them
 */
export function withoutMarkdown(text: string): string {
	const lines = beginningOf(text, maxReadLength).split(/\r\n?|[\n\u2028\u2029]/);
	const isNumbered = lines.filter((line) => number.test(line)).length > 1;
	const plain = lines.map((line) => plainLine(line, isNumbered)).join('\n');
	return inlineMarks.reduce((left, [mark, words]) => left.replace(mark, words), plain);
}

/** More than that is not written for one image. */
const maxReadLength = 4000;

const number = /^[ \t]*\d{1,3}[.)][ \t]+/;
/** Thematic breaks, underlines of headings, fences of code. */
const markLine = /^[ \t]*(?:(?:[-*_][ \t]*){3,}|={2,}[ \t]*|(?:`{3,}|~{3,})[^`]*)$/;
const quotation = /^[ \t]*(?:>[ \t]?){1,20}/;
const heading = /^[ \t]*#{1,6}[ \t]+|[ \t]+#+$/g;
const item = /^[ \t]*[-+*•‣–—][ \t]+(?:\[[ x]\][ \t]+)?/i;

function plainLine(line: string, isNumbered: boolean): string {
	if (markLine.test(line)) {
		return '\n';
	}
	const quoted = line.replace(quotation, '');
	const unmarked = quoted.replace(item, '').replace(isNumbered ? number : '', '');
	if (/^[ \t]*#{1,6}[ \t]/.test(unmarked)) {
		return `\n${unmarked.replace(heading, '')}\n`;
	}
	return unmarked === quoted ? unmarked : `\n${unmarked}`;
}

/** Within a word a single `*` or `_` is none. */
const single =
	/(?<![\p{L}\p{N}*_])([*_]|__)(?=\S)(?!\1)([^\n]{1,300}?)(?<=\S)\1(?![\p{L}\p{N}*_])/gu;

const inlineMarks: readonly (readonly [RegExp, string])[] = [
	[/!?\[([^[\]\n]{1,200})\]\((?:[^()\n]|\([^()\n]{0,200}\)){0,500}\)/g, '$1'],
	[/(?<!`)(`{1,3})(?!`)([^\n]{1,300}?)(?<!`)\1(?!`)/g, '$2'],
	[/(?<![a-z\d*])(\*\*\*?|~~)(?=[^\s*~])([^\n]{1,300}?)(?<=[^\s*~])\1(?![a-z\d*])/gi, '$2'],
	// Twice, because one may stand in the other.
	[single, '$2'],
	[single, '$2'],
];
