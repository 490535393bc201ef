import type { Span } from './span.js';

/** A text of a file in which images can stand, with where it stands in the file. */
export interface DocumentPart {
	readonly text: string;
	/** Returns where a piece of the text stands in the file, as it is written there. */
	place(span: Span): Span;
}

/** Returns whether a file is a Jupyter notebook, by its name. */
export function isNotebook(path: string): boolean {
	return /\.ipynb$/i.test(path);
}

/**
 * Returns the Markdown cells of a notebook, and of any other document all of it.
 * Source: nbformat 4, "The notebook format", where the source of a cell is a string or a list of them.
 *
 * @param file its text; what is no notebook has no cells
 */
export function partsOf(path: string, file: string): DocumentPart[] {
	if (!isNotebook(path)) {
		return [{ text: file, place: (span) => span }];
	}
	const cells: DocumentPart[] = [];
	/** The key that was last at each depth. */
	const keys: string[] = [];
	let depth = 0;
	let type = '';
	let source: Literal[] = [];
	for (const { 0: token, 1: string, 2: colon, index } of file.matchAll(tokens)) {
		if (token === '{' || token === '[') {
			keys[++depth] = '';
		} else if (string === undefined) {
			if (depth === cellDepth && type === 'markdown') {
				cells.push(cellOf(source));
			}
			[type, source] = depth === cellDepth ? ['', []] : [type, source];
			depth--;
		} else if (colon !== undefined) {
			keys[depth] = string;
		} else if (keys[1] === 'cells' && depth === cellDepth && keys[depth] === 'cell_type') {
			type = string;
		} else if (keys[1] === 'cells' && keys[cellDepth] === 'source' && depth <= cellDepth + 1) {
			source.push({ start: index + 1, written: string });
		}
	}
	return cells;
}

/** Depth of a cell's keys: the notebook, its list of cells, the cell. */
const cellDepth = 3;

/** A string, which may be a key and lack its end, or what opens or closes an object or a list. */
const tokens = /"([^"\\]*(?:\\[^]?[^"\\]*)*)(?:"|$)(\s*:)?|[[\]{}]/g;

/** A string of JSON, as it is written between its quotes. */
interface Literal {
	readonly start: number;
	readonly written: string;
}

function cellOf(source: readonly Literal[]): DocumentPart {
	let text = '';
	/** Span in the file of each UTF-16 code unit of the text. */
	const places: Span[] = [];
	for (const { start, written } of source) {
		for (const { 0: piece, index } of written.matchAll(/\\(?:u[\da-f]{4}|[^])|[^]/gi)) {
			text += piece.length === 1 ? piece : unescaped(piece);
			places.push({ start: start + index, end: start + index + piece.length });
		}
	}
	const place = ({ start, end }: Span) => {
		const from = places[start]?.start ?? places.at(-1)?.end ?? 0;
		return { start: from, end: end > start ? (places[end - 1]?.end ?? from) : from };
	};
	return { text, place };
}

/** One code unit, whatever the escape is. */
function unescaped(escape: string): string {
	const letter = escape[1] ?? '';
	return letter === 'u'
		? String.fromCharCode(parseInt(escape.slice(2), 16))
		: ({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }[letter] ?? letter);
}
