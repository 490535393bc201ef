import { blockEnd, blockStart, isInItem } from './blocks.js';
import { blockPrefix, contentPrefix, itemBefore, prefixBetween } from './containers.js';
import { columns, lineAbove, lineBelow, type Line } from './lines.js';
import type { BlockPlace, LinkPlace } from './place.js';
import type { Span } from './span.js';

/** In the line of the place, where nothing else stands. */
export function onEmptyLine({ line, last, span }: BlockPlace): LinkPlace {
	const { text, rules } = line;
	const hasMark = line.isItem || line.isQuote;
	const prefix = hasMark
		? blockPrefix(line)
		: longer(
				blockPrefix({ ...line, prefix: blanksAt(text, line.start, span.start) }),
				prefixBetween(line),
			);
	const isApart = line.isItem || !isTextAbove(line, lineAbove(line));
	const blankAbove = rules.blankLines && !isApart;
	const blankBelow = rules.blankLines && isTextBelow(lineBelow(last), prefix);
	// What marks the item stays as it is, and so does what is right already.
	const start = line.isItem ? line.contentStart : span.start;
	const stays = line.isItem || (!blankAbove && prefix === text.slice(line.start, start));
	return block(
		{ start: stays ? start : line.start, end: last.end },
		prefix,
		stays ? spaceBehindMark(line, start) : `${blankAbove ? `${blankLine(prefix)}\n` : ''}${prefix}`,
		blankBelow ? `\n${blankLine(prefix)}` : '',
	);
}

/** Before the paragraph, or whatever else begins behind the place. */
export function aboveBlock({ line, last, span }: BlockPlace): LinkPlace {
	const { text, rules } = line;
	const above = lineAbove(line);
	const isBeforeMark = span.start < line.contentStart;
	if (isBeforeMark && line.isItem) {
		const before = itemBefore(line);
		if (before !== undefined) {
			return behindItem(before, line);
		}
	}
	const continues = isBeforeMark && line.isQuote && isInQuote(above);
	const isOutside = isBeforeMark && (line.isItem || (line.isQuote && !continues));
	const outside = continues ? quotationMarks(line) : blanksAt(text, line.start);
	const prefix = isOutside ? outside : blockPrefix(line);
	const isApart = (line.isItem && !isOutside) || !isTextAbove(line, above, isOutside);
	const blankAbove = rules.blankLines && !isApart;
	const end = isOutside
		? line.start + outside.length
		: Math.max(span.end + blanksAt(text, span.end).length, last.contentStart);
	const isContinued = above !== undefined && above.content !== '' && above.isBlank;
	const blank = rules.blankLines ? `${blankLine(prefix)}\n` : '';
	const separator = isContinued ? `${above.content}\n` : blank;
	const isWhole = isOutside || blankAbove || !line.isItem;
	return block(
		{ start: isWhole ? line.start : line.contentStart, end },
		prefix,
		(blankAbove ? blank : '') + (isWhole ? prefix : ''),
		`\n${separator}${isOutside ? prefix : line.prefix + line.codeBlanks}`,
	);
}

/**
 * Behind the paragraph that the place lies in, or the heading, or the table; in formats that have
 * blank lines around them.
 */
export function belowBlock({ first, line, last, span, right }: BlockPlace): LinkPlace {
	const { rules } = line;
	if (first.content === rules.continuation) {
		const below = lineBelow(first);
		const next = below === undefined || below.isBlank ? '' : `\n${rules.continuation}`;
		return block({ start: first.end, end: first.end }, '', '\n', next);
	}
	const end = blockEnd(last);
	const isHere = end.start === last.start && right === '';
	const textEnd = isHere ? endOfText(line, span.start) : endOfText(end, end.end);
	const whole = { start: textEnd, end: end.end };
	if (rules.continuation !== undefined && isInItem(first)) {
		return block(whole, '', `\n${rules.continuation}\n`, '');
	}
	// A line of a paragraph may stand outside of the quotation or the item that it belongs to.
	const start = rules.quotes ? blockStart(first) : first;
	const prefix = contentPrefix(start) ?? blockPrefix(start);
	const hasTextBelow = isTextBelow(lineBelow(end), prefix);
	return block(
		whole,
		prefix,
		`\n${blankLine(prefix)}\n${prefix}`,
		hasTextBelow ? `\n${blankLine(prefix)}` : '',
	);
}

/** At the end of an item, before the next one of its list or the first one within it. */
function behindItem(item: Line, next: Line): LinkPlace {
	const { text, prefix, rules } = item;
	const start = text.slice(0, next.start).trimEnd().length;
	const blank = `${blankLine(prefix)}\n`;
	const isWithin = columns(prefix) <= (next.itemColumn ?? 0);
	// What stands below an item that has nothing in it, with an empty line between, is none of it.
	const isEmpty = start <= item.contentStart;
	return block(
		{ start, end: next.start },
		prefix,
		isEmpty ? ' ' : `\n${blank}${prefix}`,
		`\n${isWithin || !rules.itemEndsBlock ? blank : ''}`,
	);
}

/** In the midst of a paragraph, which goes on around it. */
export function betweenLines({ first, line, last, span, left, right }: BlockPlace): LinkPlace {
	const { text, rules } = line;
	const { prefix } = first;
	const isComment = rules.comment.test(left);
	const isAtEnd = right === '' || isComment;
	const below = lineBelow(last);
	const endsParagraph = isAtEnd && rules.blankLines && (below === undefined || below.isBlank);
	const from = isComment ? last.end : span.start;
	return block(
		{
			start: left === '' ? line.contentStart : endOfText(line, from),
			end: isAtEnd ? last.end : span.end + blanksAt(text, span.end).length,
		},
		prefix,
		left === '' ? '' : `\n${endsParagraph ? '\n' : ''}${prefix}`,
		isAtEnd ? '' : `\n${prefix}`,
	);
}

/** A place of a block with what parts it from the text above and below. */
export function block(span: Span, prefix: string, above: string, below: string): LinkPlace {
	return { span, form: 'block', above, below, prefix, isInCell: false };
}

function longer(one: string, other: string): string {
	return columns(other) > columns(one) ? other : one;
}

/** A mark of a list that nothing stands behind is none without a space. */
function spaceBehindMark({ text, isItem }: Line, start: number): string {
	return isItem && !/\s/.test(text.charAt(start - 1)) ? ' ' : '';
}

/** Returns an empty line of a quotation, or between the blocks of an item. */
function blankLine(prefix: string): string {
	return prefix.trimEnd();
}

/**
 * Returns whether the line above has text that the link would join. A quotation begins anew by itself, unless
 * the line above belongs to it as well, or the link stands outside of it.
 */
function isTextAbove(line: Line, above: Line | undefined, isOutside = false): boolean {
	const joins = isOutside || !line.isQuote || isInQuote(above);
	return above !== undefined && !above.isBlank && joins;
}

/** Returns whether a line belongs to a quotation, also without a mark of its own. */
function isInQuote(line: Line | undefined): boolean {
	return line !== undefined && blockStart(line).isQuote;
}

/** Likewise below. The next item of a list that the link stands in begins by itself. */
function isTextBelow(below: Line | undefined, prefix: string): boolean {
	const isNextItem = below?.isItem === true && below.rules.itemEndsBlock && prefix !== '';
	return below !== undefined && !below.isBlank && !isNextItem;
}

/** Returns the end of the text of a line before an offset. */
function endOfText({ text, start }: Line, offset: number): number {
	return start + text.slice(start, offset).trimEnd().length;
}

/** Those that a line begins with, as they stand there. */
function quotationMarks({ text, start, end }: Line): string {
	return beginning(/^(?:[ \t]{0,3}> ?)*/, text, start, end);
}

function blanksAt(text: string, start: number, end = Infinity): string {
	return beginning(/^[ \t]*/, text, start, end);
}

/** Returns the beginning of a part of a text; a pattern fits nothing as well. */
function beginning(pattern: RegExp, text: string, start: number, end: number): string {
	return pattern.exec(text.slice(start, Math.min(end, start + maxMarks)))?.[0] ?? '';
}

/** In UTF-16 code units. A line that has more of them is not indented, nor a quotation. */
const maxMarks = 1000;
