import { isInItem } from './blocks.js';
import { lineAbove, lineAt, lineBelow, nextWithText, type Line } from './lines.js';
import { placeRules } from './placeRules.js';

const rules = placeRules.asciidoc;

/**
 * Returns the spot for a place of AsciiDoc that lies between a block and its title or attributes,
 * in the mark of an item or a cell, or between two items of a list: before all of the block, behind
 * the mark, at the end of the item. Other places stay.
 *
 * @param cells whether it lies in a table
 */
export function asciidocSpot(text: string, offset: number, { cells = false } = {}): number {
	const line = lineAt(text, offset, rules);
	if (cells) {
		return cellSpot(offset, line);
	}
	const place = offset <= line.contentStart ? endOfItem(line) : behind(itemMark, line, offset);
	return place ?? startOfBlock(offset, line) ?? offset;
}

const itemMark = /^(?:\*{1,5}|-|\.{1,5}|\d{1,9}\.|<\d{0,9}\.?>)\s/;
/** Beginning of a cell, with its span, alignment and style ("Format Cells"). */
const cellMark = /^(?:[\d.]{0,6}[+*])?[<^>.]{0,3}[a-z]?\|/;
/** The title of a block, its attributes, its anchor. */
const metadata = /^(?:\.[^\s.].*|\[.*\])$/;

/**
 * The first empty line of a table tells that it has a head, and text before the first cell would be a
 * row of its own.
 */
function cellSpot(offset: number, line: Line): number {
	let row: Line | undefined = line;
	if (line.content === '') {
		const above = neighbor(line, lineAbove);
		if (above !== undefined && !rules.delimiter.test(above.content)) {
			return above.end;
		}
		row = neighbor(line, lineBelow);
	}
	return row === undefined || rules.delimiter.test(row.content)
		? offset
		: (behind(cellMark, row, offset) ?? Math.max(offset, row.contentStart));
}

/** Behind the mark that a line begins with, where an offset lies before or within it. */
function behind(mark: RegExp, line: Line, offset: number): number | undefined {
	const found = mark.exec(line.content);
	return found === null ? undefined : Math.max(offset, line.contentStart + found[0].length);
}

/** Before an item, or the mark that makes a block part of one. */
function endOfItem(line: Line): number | undefined {
	const next = line.content === '' ? neighbor(line, lineBelow) : line;
	const isMark = line.content === rules.continuation;
	if (!isMark && (next === undefined || !rules.unindentedItem.test(next.content))) {
		return undefined;
	}
	const above = neighbor(line, lineAbove);
	return above !== undefined && isInItem(above) ? above.end : undefined;
}

function startOfBlock(offset: number, line: Line): number | undefined {
	let first = metadata.test(line.content) ? line : undefined;
	const mayFollow = first !== undefined || (line.content !== '' && offset <= line.contentStart);
	let at = mayFollow ? lineAbove(line) : undefined;
	while (at !== undefined && metadata.test(at.content)) {
		first = at;
		at = lineAbove(at);
	}
	return first?.start;
}

/** The mark that makes a block part of an item is text as well. */
function neighbor(line: Line, next: typeof lineAbove): Line | undefined {
	return nextWithText(line, next, ({ content }) => content === '');
}
