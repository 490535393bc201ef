import { lineAbove, lineBelow, type Line } from './lines.js';
import type { BlockPlace } from './place.js';
import type { PlaceRules } from './placeRules.js';

/** No paragraph has as many lines, and no table either. */
const maxLines = 1000;

/** Returns the lines from one upwards, or downwards with `lineBelow`, that one first. */
export function* linesFrom(
	text: string,
	line: Line,
	rules: PlaceRules,
	next: typeof lineAbove = lineAbove,
): Generator<Line> {
	let at: Line | undefined = line;
	for (let count = 0; count < maxLines && at !== undefined; count++) {
		yield at;
		at = next(text, at, rules);
	}
}

/** The last line of the paragraph, heading or table of a line. */
export function blockEnd(text: string, line: Line, rules: PlaceRules): Line {
	let end = line;
	for (const below of linesFrom(text, line, rules, lineBelow)) {
		const isFirst = below === line;
		if (!isFirst && (rules.isWholeBlock.test(end.content) || !goesOn(end, below, rules))) {
			break;
		}
		end = below;
	}
	return end;
}

/** The first line of the paragraph of a line; that line itself where it is a block alone. */
export function blockStart(text: string, line: Line, rules: PlaceRules): Line {
	let start = line;
	for (const at of linesFrom(text, line, rules)) {
		const isApart = at.isBlank || rules.isWholeBlock.test(at.content);
		if (isApart || !goesOn(at, start, rules)) {
			break;
		}
		start = at;
	}
	return start;
}

/** Returns whether the text of a paragraph goes on on both sides of a place at an end of a line. */
export function isWithinParagraph(place: BlockPlace): boolean {
	const { text, line, last, left, right, rules } = place;
	const above = left === '' ? lineAbove(text, line, rules) : line;
	const below = right === '' ? lineBelow(text, last, rules) : last;
	return (
		above !== undefined &&
		below !== undefined &&
		!above.isBlank &&
		!rules.isWholeBlock.test(above.content) &&
		goesOn(above, below, rules)
	);
}

/**
 * Returns whether a line of Markdown is HTML in which no Markdown is read: an element that is a block, up to
 * the next empty line (CommonMark 0.31, part 4.6).
 */
export function isInHtmlBlock(text: string, line: Line, rules: PlaceRules): boolean {
	for (const at of linesFrom(text, line, rules)) {
		if (at.content === '' && at.start < line.start) {
			return false;
		}
		if (/^<\/?[a-z]/i.test(at.content) && rules.startsBlock.test(at.content)) {
			return true;
		}
	}
	return false;
}

/** Returns whether a line belongs to the paragraph of one above. */
function goesOn(above: Line, line: Line, rules: PlaceRules): boolean {
	return (
		!line.isBlank &&
		!line.isItem &&
		(above.isQuote || !line.isQuote) &&
		!rules.startsBlock.test(line.content)
	);
}

/** Returns whether a line belongs to a list's item, in a format that does not indent it. */
export function isInItem(text: string, line: Line, rules: PlaceRules): boolean {
	const start = rules.delimiter.test(line.content) ? openingOf(text, line, rules) : line;
	for (const at of linesFrom(text, start, rules)) {
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
function openingOf(text: string, line: Line, rules: PlaceRules): Line {
	for (const at of linesFrom(text, line, rules)) {
		if (at.start < line.start && at.content === line.content) {
			return at;
		}
	}
	return line;
}

/** Returns whether a line belongs to a table of pipes: one of its lines is made of dashes. */
export function isTableRow(text: string, line: Line, rules: PlaceRules): boolean {
	if (!line.content.includes('|')) {
		return false;
	}
	const below = lineBelow(text, line, rules);
	if (below !== undefined && isDelimiterRow(below)) {
		return true;
	}
	for (const row of linesFrom(text, line, rules)) {
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
