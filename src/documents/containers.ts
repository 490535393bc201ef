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

/**
 * The prefix of a block in this line. As many blanks as would make it code, where no item of a list
 * and no directive takes them, are left out.
 */
export function blockPrefix(line: Line): string {
	const { prefix, rules } = line;
	if (!rules.indents) {
		return '';
	}
	if (!rules.quotes || line.isItem) {
		return prefix;
	}
	const inner = prefixAround(line);
	return columns(prefix) - columns(inner) < codeIndent ? prefix : inner;
}

/** The prefix of the innermost item, directive or quotation that an indented line belongs to. */
function prefixAround(line: Line): string {
	for (const above of linesAround(line)) {
		const prefix = contentPrefix(above);
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
export function prefixBetween(line: Line): string {
	const above = nextWithText(line, lineAbove);
	const below = nextWithText(line, lineBelow);
	if (above === undefined || below === undefined || below.isQuote) {
		return '';
	}
	if (below.itemColumn !== undefined) {
		return itemBefore(below)?.prefix ?? '';
	}
	const prefix = blockPrefix(below);
	if (!line.rules.itemEndsBlock) {
		// What is indented below a block would be its own.
		return prefix;
	}
	return columns(above.prefix) >= columns(prefix) ? prefix : prefixAround(below);
}

/**
 * The item of the same list that stands before the outermost one of a line, or the item that this one
 * is within.
 */
export function itemBefore(line: Line): Line | undefined {
	const item = [...outwards(line)].findLast(({ isItem }) => isItem) ?? line;
	const column = item.itemColumn ?? 0;
	for (const above of linesAround(item)) {
		if ((above.itemColumn ?? Infinity) <= column) {
			const isWithin = columns(above.prefix) <= column;
			return isWithin || kindOf(above) === kindOf(item) ? above : undefined;
		}
	}
	return undefined;
}

/** The lines above one that may begin what it belongs to, up to one that cannot belong to anything. */
function* linesAround(line: Line): Generator<Line> {
	let from = line.start;
	for (const above of linesFrom(line)) {
		if (line.isQuote && above.isBlank && !above.isQuote) {
			return;
		}
		if (above.start >= from || above.isBlank) {
			continue;
		}
		if (above.isQuote && !line.isQuote && above.prefix.startsWith('>')) {
			return;
		}
		yield* outwards(above);
		if (!above.isItem && /^(?:> )*$/.test(above.prefix)) {
			// A line of a paragraph may stand outside of the item that it belongs to.
			from = blockStart(above).start;
			if (from === above.start) {
				return;
			}
			from++;
		}
	}
}

/** A line, and again without the innermost of the items that begin in it, until none does. */
function* outwards(line: Line): Generator<Line> {
	yield line;
	const { text, itemStart, start, rules } = line;
	if (itemStart !== undefined) {
		yield* outwards({ ...lineAt(text.slice(0, itemStart), start, rules), text });
	}
}

/**
 * Returns the prefix of blocks within a line's item or directive; `undefined` for any other line.
 */
export function contentPrefix(line: Line): string | undefined {
	if (line.isItem) {
		return line.prefix;
	}
	return line.rules.indenting.test(line.content) ? line.prefix + ' '.repeat(codeIndent) : undefined;
}

/** The last character of the mark of an item's list, which is that of all its items. */
function kindOf({ text, start, contentStart }: Line): string {
	return text.slice(start, contentStart).replace(/[\s>]/g, '').slice(-1);
}
