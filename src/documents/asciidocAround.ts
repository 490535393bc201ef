import { isInItem } from './blocks.js';
import { lineAbove, lineAt, lineBelow, nextWithText, type Line } from './lines.js';
import type { PlaceRules } from './placeRules.js';

/**
 * Where a place of AsciiDoc belongs that lies between a block and its title or attributes, in the mark
 * of an item, or between two items of a list: before all of the block, behind the mark, at the end of
 * the item. Other places stay.
 *
 * @param cells whether it lies in a table
 */
export function asciidocSpot(
	text: string,
	offset: number,
	rules: PlaceRules,
	{ cells = false } = {},
): number {
	const line = lineAt(text, offset, rules);
	const left = text.slice(Math.max(line.start, offset - longestMark), offset);
	const right = text.slice(offset, Math.min(line.end, offset + longestMark));
	if (cells && line.content === '') {
		// The first empty line of a table tells that it has a head.
		const above = neighbour(text, line, rules, lineAbove);
		return above === undefined || rules.delimiter.test(above.content)
			? offset
			: text.slice(0, above.end).trimEnd().length;
	}
	if (cells) {
		return offset + (left === '' ? (cellMark.exec(right)?.[0].length ?? 0) : 0);
	}
	if (itemMark.test(left) && /^\s/.test(right)) {
		return offset + 1;
	}
	return endOfItem(text, line, left, rules) ?? startOfBlock(text, line, left, rules) ?? offset;
}

/** In UTF-16 code units. */
const longestMark = 20;
const itemMark = /^(?:\*{1,5}|-|\.{1,5}|\d{1,9}\.|<\d{0,9}\.?>)$/;
/** What begins a cell, with its span, alignment and style ("Format Cells"). */
const cellMark = /^(?:[\d.]{0,6}[+*])?[<^>.]{0,3}[a-z]?\|/;
/** The title of a block, its attributes, its anchor. */
const metadata = /^(?:\.[^\s.].*|\[.*\])$/;

function endOfItem(text: string, line: Line, left: string, rules: PlaceRules): number | undefined {
	const isMark = left === '' && line.content === rules.continuation;
	const isItem = left === '' && rules.unindentedItem.test(line.content);
	const isBetween =
		line.content === '' &&
		rules.unindentedItem.test(neighbour(text, line, rules, lineBelow)?.content ?? '');
	const above = isMark || isItem || isBetween ? neighbour(text, line, rules, lineAbove) : undefined;
	return above !== undefined && isInItem(text, above, rules)
		? text.slice(0, above.end).trimEnd().length
		: undefined;
}

function startOfBlock(
	text: string,
	line: Line,
	left: string,
	rules: PlaceRules,
): number | undefined {
	let first = metadata.test(line.content) ? line : undefined;
	for (let at = left === '' || first ? lineAbove(text, line, rules) : undefined; at;) {
		if (!metadata.test(at.content)) {
			break;
		}
		first = at;
		at = lineAbove(text, at, rules);
	}
	return line.content === '' ? undefined : first?.start;
}

/** The mark that makes a block part of an item is text as well. */
function neighbour(
	text: string,
	line: Line,
	rules: PlaceRules,
	next: typeof lineAbove,
): Line | undefined {
	return nextWithText(text, line, rules, next, ({ content }) => content === '');
}
