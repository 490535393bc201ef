import { blockEnd, blockPrefix, isInItem } from './blocks.js';
import { lineAbove, lineBelow, type Line } from './lines.js';
import type { LinkPlace } from './place.js';
import type { PlaceRules } from './placeRules.js';
import type { Span } from './span.js';

/** A place for which a line of its own is to be found. */
export interface BlockPlace {
	readonly text: string;
	readonly span: Span;
	/** The line whose list or quotation it belongs to. */
	readonly first: Line;
	/** The lines in which the span begins and ends. */
	readonly line: Line;
	readonly last: Line;
	/** What stands beside the span in these, without blanks and marks of lists and quotations. */
	readonly left: string;
	readonly right: string;
	readonly rules: PlaceRules;
}

/** In the line of the place, where nothing else stands. */
export function onEmptyLine({ text, line, last, span, rules }: BlockPlace): LinkPlace {
	const hasMark = line.isItem || line.isQuote;
	const own = hasMark ? line : { ...line, prefix: blanksAt(text, line.start, span.start) };
	const prefix = blockPrefix(text, own, rules);
	const isApart = line.isItem || !isTextAbove(lineAbove(text, line, rules), line);
	const blankAbove = rules.blankLines && !isApart;
	const blankBelow = rules.blankLines && isTextBelow(lineBelow(text, last, rules), prefix);
	// What marks the item stays as it is, and so does what is right already.
	const start = Math.max(span.start, line.isItem ? line.contentStart : 0);
	const stays = line.isItem || (!blankAbove && prefix === text.slice(line.start, start));
	return block(
		{ start: stays ? start : line.start, end: last.end },
		prefix,
		stays ? '' : `${blankAbove ? `${blankLine(prefix)}\n` : ''}${prefix}`,
		blankBelow ? `\n${blankLine(prefix)}` : '',
	);
}

/** Before the paragraph, or whatever else begins behind the place. */
export function aboveBlock({ text, line, last, span, rules }: BlockPlace): LinkPlace {
	const beforeMark = span.start < line.contentStart && (line.isItem || line.isQuote);
	const prefix = beforeMark ? blanksAt(text, line.start) : line.prefix;
	const isApart =
		(line.isItem && !beforeMark) ||
		!isTextAbove(lineAbove(text, line, rules), { isQuote: line.isQuote && !beforeMark });
	const blankAbove = rules.blankLines && !isApart;
	const end = beforeMark
		? line.start + prefix.length
		: Math.max(span.end + blanksAt(text, span.end).length, last.contentStart);
	const start = beforeMark || blankAbove ? line.start : Math.min(span.start, line.contentStart);
	const isWhole = start === line.start && !line.isItem && !line.isQuote;
	return block(
		{ start, end },
		prefix,
		(blankAbove ? `${blankLine(prefix)}\n` : '') +
			(beforeMark || blankAbove || isWhole ? prefix : ''),
		`${rules.blankLines ? `\n${blankLine(prefix)}` : ''}\n${prefix}`,
	);
}

/** Behind the paragraph that the place lies in, or the heading, or the table. */
export function belowBlock({ text, first, line, last, span, right, rules }: BlockPlace): LinkPlace {
	const end = blockEnd(text, last, rules);
	const isHere = end.start === last.start && right === '';
	const start = isHere ? endOfText(text, line, span.start) : endOfText(text, end, end.end);
	const whole = { start, end: end.end };
	if (first.content !== '' && first.content === rules.continuation) {
		return block(whole, '', '\n', '');
	}
	if (rules.continuation !== undefined && isInItem(text, first, rules)) {
		return block(whole, '', `\n${rules.continuation}\n`, '');
	}
	const prefix = blockPrefix(text, first, rules);
	const blankBelow = rules.blankLines && isTextBelow(lineBelow(text, end, rules), prefix);
	return block(
		whole,
		prefix,
		`\n${rules.blankLines ? `${blankLine(prefix)}\n` : ''}${prefix}`,
		blankBelow ? `\n${blankLine(prefix)}` : '',
	);
}

/** In the midst of a paragraph, which goes on around it. */
export function betweenLines({
	text,
	first,
	line,
	last,
	span,
	left,
	right,
	rules,
}: BlockPlace): LinkPlace {
	const { prefix } = first;
	const isComment = rules.comment.test(left);
	const isAtEnd = right === '' || isComment;
	const below = lineBelow(text, last, rules);
	const endsParagraph = isAtEnd && rules.blankLines && (below === undefined || below.isBlank);
	const from = isComment ? last.end : span.start;
	return block(
		{
			start: left === '' ? Math.min(from, line.contentStart) : endOfText(text, line, from),
			end: isAtEnd ? last.end : span.end + blanksAt(text, span.end).length,
		},
		prefix,
		left === '' ? '' : `\n${endsParagraph ? '\n' : ''}${prefix}`,
		isAtEnd ? '' : `\n${prefix}`,
	);
}

function block(span: Span, prefix: string, above: string, below: string): LinkPlace {
	return { span, form: 'block', above, below, prefix, isInCell: false };
}

/** What stands in an empty line of a quotation, or between the blocks of an item. */
function blankLine(prefix: string): string {
	return prefix.trimEnd();
}

/** Whether the line above has text that the link would join. A quotation begins anew by itself. */
function isTextAbove(above: Line | undefined, line: Pick<Line, 'isQuote'>): boolean {
	return above !== undefined && !above.isBlank && (above.isQuote || !line.isQuote);
}

/** Likewise below. The next item of a list that the link stands in begins by itself. */
function isTextBelow(below: Line | undefined, prefix: string): boolean {
	return below !== undefined && !below.isBlank && !(below.isItem && prefix !== '');
}

/** Where the text of a line ends before an offset. */
function endOfText(text: string, { start }: Line, offset: number): number {
	return start + text.slice(start, offset).trimEnd().length;
}

function blanksAt(text: string, start: number, end = Infinity): string {
	return /^[ \t]*/.exec(text.slice(start, Math.min(end, start + mostBlanks)))?.[0] ?? '';
}

/** In UTF-16 code units. A line that has more of them is no indentation. */
const mostBlanks = 1000;
