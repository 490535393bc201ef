import { lineAbove, lineBelow, type Line } from './lines.js';
import type { BlockPlace } from './place.js';

/** No paragraph has as many lines, and no table either. */
const maxLines = 1000;

/** Returns the lines from one upwards, or downwards with `lineBelow`, that one first. */
export function* linesFrom(line: Line, next: typeof lineAbove = lineAbove): Generator<Line> {
	let at: Line | undefined = line;
	for (let count = 0; count < maxLines && at !== undefined; count++) {
		yield at;
		at = next(at);
	}
}

/** The last line of the paragraph, heading or table of a line. */
export function blockEnd(line: Line): Line {
	let end = line;
	for (const below of linesFrom(line, lineBelow)) {
		const isFirst = below === line;
		if (!isFirst && (line.rules.isWholeBlock.test(end.content) || !goesOn(end, below))) {
			break;
		}
		end = below;
	}
	return end;
}

/** The first line of the paragraph of a line; that line itself where it is a block alone. */
export function blockStart(line: Line): Line {
	let start = line;
	for (const at of linesFrom(line)) {
		const isApart = at.isBlank || line.rules.isWholeBlock.test(at.content);
		if (isApart || !goesOn(at, start)) {
			break;
		}
		start = at;
	}
	return start;
}

/** Returns whether the text of a paragraph goes on on both sides of a place at an end of a line. */
export function isWithinParagraph({ line, last, left, right }: BlockPlace): boolean {
	const above = left === '' ? lineAbove(line) : line;
	const below = right === '' ? lineBelow(last) : last;
	return (
		above !== undefined &&
		below !== undefined &&
		!above.isBlank &&
		!line.rules.isWholeBlock.test(above.content) &&
		goesOn(above, below)
	);
}

/**
 * Returns whether a line of Markdown is HTML in which no Markdown is read: an element that is a block, up to
 * the next empty line (CommonMark 0.31, part 4.6).
 */
export function isInHtmlBlock(line: Line): boolean {
	for (const at of linesFrom(line)) {
		if (at.content === '' && at.start < line.start) {
			return false;
		}
		if (/^<\/?[a-z]/i.test(at.content) && line.rules.startsBlock.test(at.content)) {
			return true;
		}
	}
	return false;
}

/** Returns whether a line belongs to the paragraph of one above. */
function goesOn(above: Line, line: Line): boolean {
	return (
		!line.isBlank &&
		!line.isItem &&
		(above.isQuote || !line.isQuote) &&
		!line.rules.startsBlock.test(line.content)
	);
}

/** Returns whether a line belongs to a list's item, in a format that does not indent it. */
export function isInItem(line: Line): boolean {
	const { rules } = line;
	const start = rules.delimiter.test(line.content) ? openingOf(line) : line;
	for (const at of linesFrom(start)) {
		if (rules.unindentedItem.test(at.content)) {
			return true;
		}
		if (at.isBlank) {
			return at.content === rules.continuation;
		}
		// Titles, attributes, macros and comments do not end it.
		if (at.start < start.start && rules.delimiter.test(at.content)) {
			return false;
		}
	}
	return false;
}

/** The line that opens what this one closes; itself where there is none. */
function openingOf(line: Line): Line {
	for (const at of linesFrom(line)) {
		if (at.start < line.start && at.content === line.content) {
			return at;
		}
	}
	return line;
}

/** Returns whether a line belongs to a table of pipes: one of its lines is made of dashes. */
export function isTableRow(line: Line): boolean {
	if (!line.content.includes('|')) {
		return false;
	}
	const below = lineBelow(line);
	if (below !== undefined && isDelimiterRow(below)) {
		return true;
	}
	for (const row of linesFrom(line)) {
		if (row.isBlank) {
			return false;
		}
		if (isDelimiterRow(row)) {
			return true;
		}
	}
	return false;
}

/** Between the head and the body of a table of pipes. */
function isDelimiterRow({ content }: Line): boolean {
	return /^[|:\s-]*-[|:\s-]*$/.test(content) && content.includes('|');
}
