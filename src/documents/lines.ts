import type { PlaceRules } from './placeRules.js';
import type { Span } from './span.js';

/** A line of a document, and what it belongs to. Offsets are those of the text. */
export interface Line extends Span {
	/** The whole document, and the rules of its format. */
	readonly text: string;
	readonly rules: PlaceRules;
	/** Behind the marks of quotations and list items, and the indentation; before that of code. */
	readonly contentStart: number;
	/** In at most 1,000 UTF-16 code units, without white space at its end. */
	readonly content: string;
	/** Prefix of another line of the same block: `>` and blanks. */
	readonly prefix: string;
	/** Blanks that make code of what stands behind the mark of an item in its own line. */
	readonly codeBlanks: string;
	/** True if an item of a list begins in it. */
	readonly isItem: boolean;
	/** Column of the innermost of these, counted from 0. */
	readonly itemColumn: number | undefined;
	/** The offset of its mark. */
	readonly itemStart: number | undefined;
	readonly isQuote: boolean;
	/** True if it ends a paragraph: nothing stands in it. */
	readonly isBlank: boolean;
}

/** The line around an offset, without its line break. */
export function lineAt(text: string, offset: number, rules: PlaceRules): Line {
	const { start, end } = lineBounds(text, offset);
	return { text, rules, start, end, ...read(text, start, end, rules) };
}

/** Returns the span of the line around an offset. */
export function lineBounds(text: string, offset: number): Span {
	const start = text.slice(0, offset).lastIndexOf('\n') + 1;
	const lineBreak = text.indexOf('\n', offset);
	const breakOrEnd = lineBreak < 0 ? text.length : lineBreak;
	const end = text[breakOrEnd - 1] === '\r' ? breakOrEnd - 1 : breakOrEnd;
	return { start, end };
}

/** The line below; `undefined` for the last one. */
export function lineBelow({ text, end, rules }: Line): Line | undefined {
	const lineBreak = text.indexOf('\n', end);
	return lineBreak < 0 ? undefined : lineAt(text, lineBreak + 1, rules);
}

/** The line above; `undefined` for the first one. */
export function lineAbove({ text, start, rules }: Line): Line | undefined {
	return start === 0 ? undefined : lineAt(text, start - 1, rules);
}

/** More empty lines than that part nothing from nothing. */
const maxEmpty = 1000;

/**
 * The nearest line on one side that is not empty.
 *
 * @param next `lineAbove` or `lineBelow`
 * @param isEmpty what counts as such
 */
export function nextWithText(
	line: Line,
	next: typeof lineAbove,
	isEmpty: (line: Line) => boolean = ({ isBlank }) => isBlank,
): Line | undefined {
	let at = next(line);
	for (let count = 0; at !== undefined && isEmpty(at); count++) {
		at = count < maxEmpty ? next(at) : undefined;
	}
	return at;
}

/** Quotations within lists within quotations; no user nests as deep. */
const deepest = 50;
/** In UTF-16 code units, what is looked at of a line that may have been made endless. */
const maxContentLength = 1000;
const maxIndentLength = 200;

function read(text: string, start: number, end: number, rules: PlaceRules) {
	let at = start;
	let prefix = '';
	let codeBlanks = '';
	let column = 0;
	let itemColumn: number | undefined;
	let itemStart: number | undefined;
	let isQuote = false;
	for (let depth = 0; depth < deepest; depth++) {
		const mark = skipBlanks(text, at);
		const indent = text.slice(at, mark);
		const markColumn = column + columns(indent, column);
		if (rules.quotes && text[mark] === '>') {
			prefix += `${indent}> `;
			column = markColumn + 2;
			at = mark + (hasOwnBlank(text, mark, markColumn) ? 2 : 1);
			isQuote = true;
			continue;
		}
		const marker = isRule(text.slice(mark, Math.min(end, mark + maxContentLength)))
			? undefined
			: markerAt(text, mark, rules);
		if (marker === undefined) {
			break;
		}
		const behind = mark + marker.length;
		const content = skipBlanks(text, behind);
		const blanks = text.slice(behind, content);
		const width = columns(blanks, markColumn + marker.length);
		// More of them make code of what follows, which begins behind the first one.
		const isCode = rules.quotes && width > codeIndent;
		column = markColumn + marker.length + (isCode ? 1 : Math.max(1, width));
		prefix += indent + indentation(markColumn, column, blanks.includes('\t'));
		itemColumn = markColumn;
		itemStart = mark;
		at = isCode ? behind + 1 : content;
		if (isCode) {
			codeBlanks = ' '.repeat(width - 1);
			break;
		}
	}
	const contentStart = codeBlanks === '' ? skipBlanks(text, at) : at;
	const content = text
		.slice(contentStart, Math.min(end, contentStart + maxContentLength))
		.trimEnd();
	return {
		contentStart,
		content,
		prefix: prefix + text.slice(at, Math.min(contentStart, at + maxIndentLength)),
		codeBlanks,
		isItem: itemColumn !== undefined,
		itemColumn,
		itemStart,
		isQuote,
		isBlank: itemColumn === undefined && (content === '' || content === rules.continuation),
	};
}

/** Returns whether the blank behind a `>` is a part of it; of a wider tab the rest is indentation. */
function hasOwnBlank(text: string, mark: number, column: number): boolean {
	const blank = text[mark + 1];
	return blank === ' ' || (blank === '\t' && columns(blank, column + 1) === 1);
}

/** In columns (CommonMark 0.31, part 4.4): as many more than a block has make it code. */
export const codeIndent = 4;

/** Counts the columns of blanks from a column on; a tab leads to the next multiple of four. */
export function columns(blanks: string, from = 0): number {
	let at = from;
	for (const blank of blanks) {
		at += blank === '\t' ? 4 - (at % 4) : 1;
	}
	return at - from;
}

/** Blanks from one column to another, with tabs where the document has them. */
function indentation(from: number, to: number, withTabs: boolean): string {
	const tabs = withTabs ? Math.floor(to / 4) - Math.floor(from / 4) : 0;
	return tabs > 0 ? '\t'.repeat(tabs) + ' '.repeat(to % 4) : ' '.repeat(to - from);
}

function markerAt(text: string, at: number, { listMarker }: PlaceRules): string | undefined {
	if (listMarker === undefined) {
		return undefined;
	}
	listMarker.lastIndex = at;
	return listMarker.exec(text)?.[0];
}

/** A thematic break (CommonMark 0.31, part 4.1), which looks like items within items. */
function isRule(text: string): boolean {
	return /^([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(text);
}

function skipBlanks(text: string, from: number): number {
	const farthest = from + maxContentLength;
	let at = from;
	while (at < farthest && (text[at] === ' ' || text[at] === '\t')) {
		at++;
	}
	return at;
}
