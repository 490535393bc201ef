import { linesFrom } from './blocks.js';
import { columns, lineAt, lineBelow, nextWithText, type Line } from './lines.js';
import { placeRules } from './placeRules.js';
import type { Span } from './span.js';

const rules = placeRules.restructuredText;

/**
 * Returns the part around a place of reStructuredText of which an image would become a part, or in
 * which it would be shown as its text: a directive, a comment, a definition, a literal block, with
 * all that is indented below it. `undefined` for other places.
 */
export function restructuredTextAround(text: string, offset: number): Span | undefined {
	const line = lineAt(text, offset, rules);
	const literal = outermostLiteral(line);
	if (literal !== undefined) {
		const end = endBelow(literal, columns(literal.prefix));
		return { start: literal.contentStart, end };
	}
	const isAbove = line.isBlank || offset <= line.contentStart;
	const end = isAbove ? undefined : endOfIndented(line);
	return end === undefined ? undefined : { start: line.contentStart, end };
}

/** The line whose indented block is taken as it is written, if a line lies in one. */
function outermostLiteral(line: Line): Line | undefined {
	let found: Line | undefined;
	// On an empty line what stands below it says how far it is indented.
	let indent = line.isBlank
		? columns(nextWithText(line, lineBelow)?.prefix ?? '')
		: columns(line.prefix);
	for (const at of linesFrom(line)) {
		if (at.start === line.start || at.isBlank) {
			continue;
		}
		if (columns(at.prefix) < indent && isLiteral(at.content)) {
			found = at;
		}
		indent = Math.min(indent, at.itemColumn ?? columns(at.prefix));
		if (indent === 0) {
			break;
		}
	}
	return found;
}

/** A paragraph before a literal block; a directive whose content is none of the document; a comment. */
export function isLiteral(content: string): boolean {
	const [, directive] = /^\.\.\s+([\w:-]{1,60})::(?:\s|$)/.exec(content) ?? [];
	if (directive !== undefined) {
		return literals.has(directive);
	}
	return content.endsWith('::') || /^\.\.(?:\s+(?![\s[_|]).*)?$/.test(content);
}

const literals: ReadonlySet<string> = new Set(
	(
		'code code-block sourcecode math raw parsed-literal highlight literalinclude csv-table ' +
		'list-table table toctree contents image figure graphviz digraph graph mermaid uml plantuml ' +
		'doctest testcode testoutput testsetup testcleanup prompt jupyter-execute include replace'
	).split(' '),
);

/** The end of what is indented below a paragraph, with an empty line between or without. */
function endOfIndented(line: Line): number | undefined {
	const column = columns(line.prefix);
	const isDeeper = (at: Line) => columns(at.prefix) > column;
	for (const at of linesFrom(line, lineBelow)) {
		if (at.isBlank || isDeeper(at)) {
			const next = at.isBlank ? nextWithText(at, lineBelow) : at;
			const isWithin = next !== undefined && !next.isItem && isDeeper(next);
			return isWithin ? endBelow(line, column) : undefined;
		}
	}
	return undefined;
}

/** The end of the last line below one that is indented further than a column. */
function endBelow(line: Line, column: number): number {
	let end = line;
	let isText = true;
	for (const at of linesFrom(line, lineBelow)) {
		const isDeeper = (at.itemColumn ?? columns(at.prefix)) > column;
		// The lines of its own paragraph come first.
		isText &&= !at.isBlank && !isDeeper;
		if (!at.isBlank && !isDeeper && !isText) {
			break;
		}
		end = at.isBlank ? end : at;
	}
	return line.text.slice(0, end.end).trimEnd().length;
}
