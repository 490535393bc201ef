import { blockStart, linesFrom } from './blocks.js';
import {
	codeIndent,
	columns,
	lineAbove,
	lineAt,
	lineBelow,
	nextWithText,
	type Line,
} from './lines.js';
import type { PlaceRules } from './placeRules.js';

/**
 * The prefix of a block in this line. As many blanks as would make it code, where no item of a list
 * and no directive takes them, are left out.
 */
export function blockPrefix(text: string, line: Line, rules: PlaceRules): string {
	const { prefix } = line;
	if (!rules.indents) {
		return '';
	}
	if (!rules.quotes || line.isItem) {
		return prefix;
	}
	const inner = prefixAround(text, line, rules);
	return columns(prefix) - columns(inner) < codeIndent ? prefix : inner;
}

/** The prefix of the innermost item, directive or quotation that an indented line belongs to. */
function prefixAround(text: string, line: Line, rules: PlaceRules): string {
	for (const above of linesAround(text, line, rules)) {
		const prefix = contentPrefix(above, rules);
		if (prefix !== undefined && columns(prefix) <= columns(line.prefix)) {
			return prefix;
		}
	}
	// The marks of a quotation, without the blanks behind them.
	return line.prefix.replace(/(?<=^|> )[ \t]*$/, '');
}

/**
 * The prefix that an empty line between two others needs so that what they belong to is not torn: an
 * item of a list, the list itself, a directive. Empty where they belong to nothing of the kind.
 */
export function prefixBetween(text: string, line: Line, rules: PlaceRules): string {
	const above = nextWithText(text, line, rules, lineAbove);
	const below = nextWithText(text, line, rules, lineBelow);
	if (above === undefined || below === undefined || below.isQuote) {
		return '';
	}
	if (below.itemColumn !== undefined) {
		return itemBefore(text, below, rules)?.prefix ?? '';
	}
	const prefix = blockPrefix(text, below, rules);
	if (!rules.itemEndsBlock) {
		// What is indented below a block would be its own.
		return prefix;
	}
	return columns(above.prefix) >= columns(prefix) ? prefix : prefixAround(text, below, rules);
}

/**
 * The item of the same list that stands before the outermost one of a line, or the item that this one
 * is within.
 */
export function itemBefore(text: string, line: Line, rules: PlaceRules): Line | undefined {
	const item = [...outwards(text, line, rules)].findLast(({ isItem }) => isItem) ?? line;
	const column = item.itemColumn ?? 0;
	for (const above of linesAround(text, item, rules)) {
		if ((above.itemColumn ?? Infinity) <= column) {
			const isWithin = columns(above.prefix) <= column;
			return isWithin || kindOf(text, above) === kindOf(text, item) ? above : undefined;
		}
	}
	return undefined;
}

/** The lines above one that may begin what it belongs to, up to one that cannot belong to anything. */
function* linesAround(text: string, line: Line, rules: PlaceRules): Generator<Line> {
	let from = line.start;
	for (const above of linesFrom(text, line, rules)) {
		if (line.isQuote && above.isBlank && !above.isQuote) {
			return;
		}
		if (above.start >= from || above.isBlank) {
			continue;
		}
		if (above.isQuote && !line.isQuote && above.prefix.startsWith('>')) {
			return;
		}
		yield* outwards(text, above, rules);
		if (!above.isItem && /^(?:> )*$/.test(above.prefix)) {
			// A line of a paragraph may stand outside of the item that it belongs to.
			from = blockStart(text, above, rules).start;
			if (from === above.start) {
				return;
			}
			from++;
		}
	}
}

/** A line, and again without the innermost of the items that begin in it, until none does. */
function* outwards(text: string, line: Line, rules: PlaceRules): Generator<Line> {
	yield line;
	if (line.itemStart !== undefined) {
		yield* outwards(text, lineAt(text.slice(0, line.itemStart), line.start, rules), rules);
	}
}

/**
 * Returns the prefix of blocks within a line's item or directive; `undefined` for any other line.
 */
export function contentPrefix(line: Line, rules: PlaceRules): string | undefined {
	if (line.isItem) {
		return line.prefix;
	}
	return rules.indenting.test(line.content) ? line.prefix + ' '.repeat(codeIndent) : undefined;
}

/** The last character of the mark of an item's list, which is that of all its items. */
function kindOf(text: string, { start, contentStart }: Line): string {
	return text.slice(start, contentStart).replace(/[\s>]/g, '').slice(-1);
}
