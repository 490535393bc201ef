/**
 * The end of what an offset of LaTeX lies within that has no room for a figure: a table, a formula, a
 * listing, a box, the argument of a command; `undefined` where there is nothing of the kind. What is
 * far from it is not looked at.
 */
export function latexEndAround(text: string, offset: number): number | undefined {
	return environmentEnd(text, offset) ?? groupEnd(text, offset);
}

/** In UTF-16 code units. */
const farthest = 50_000;
const maxParagraphLength = 5000;

/** A figure in one of these is an error of TeX, or its text. Some have a variant with an asterisk. */
const withoutFloats: ReadonlySet<string> = new Set(
	(
		'tabular tabularx tabulary tabu longtable longtabu tblr longtblr array ' +
		'table wraptable sidewaystable subtable figure wrapfigure sidewaysfigure subfigure ' +
		'equation align aligned alignat flalign gather gathered multline eqnarray displaymath math ' +
		'split cases matrix bmatrix pmatrix vmatrix Bmatrix Vmatrix ' +
		'verbatim Verbatim lstlisting minted comment tikzpicture pgfpicture picture ' +
		'minipage algorithm algorithmic tcolorbox'
	).split(' '),
);

function environmentEnd(text: string, offset: number): number | undefined {
	const first = Math.max(0, offset - farthest);
	const open: string[] = [];
	for (const [, which, name = ''] of text.slice(first, offset).matchAll(environment)) {
		if (which === 'begin') {
			open.push(name);
		} else if (open.includes(name)) {
			open.length = open.lastIndexOf(name);
		}
	}
	const outermost = open.find((name) => withoutFloats.has(name));
	if (outermost === undefined) {
		return undefined;
	}
	let depth = open.filter((name) => name === outermost).length;
	for (const { index, 0: whole, 1: which, 2: name } of text
		.slice(offset, offset + farthest)
		.matchAll(environment)) {
		depth += name !== outermost ? 0 : which === 'begin' ? 1 : -1;
		if (depth === 0) {
			return offset + index + whole.length;
		}
	}
	return undefined;
}

const environment = /\\(begin|end)\{([a-zA-Z]{1,30})\*?\}/g;

/** Returns, within its paragraph, the end of the outermost group or formula. */
function groupEnd(text: string, offset: number): number | undefined {
	const before = text.slice(Math.max(0, offset - maxParagraphLength), offset);
	const blank = [...before.matchAll(/\n[ \t]{0,200}\r?\n/g)].at(-1);
	const start = offset - before.length + (blank === undefined ? 0 : blank.index + blank[0].length);
	const near = text.slice(start, offset + maxParagraphLength);
	let depth = 0;
	let formula = '';
	for (const { index, 0: token } of near.matchAll(tokens)) {
		const end = start + index + token.length;
		const isBehind = start + index >= offset && depth === 0 && formula === '';
		if (isBehind || token.startsWith('\n')) {
			return undefined;
		}
		if (token === '{') {
			depth++;
		} else if (token === '}') {
			depth = Math.max(0, depth - 1);
		} else if (closing.has(token) || formula !== '') {
			formula = formula === '' ? closing.get(token)! : formula === token ? '' : formula;
		}
		if (end > offset && depth === 0 && formula === '') {
			return end;
		}
	}
	return undefined;
}

/** Marks that begin a formula, and that end it. */
const closing: ReadonlyMap<string, string> = new Map([
	['$', '$'],
	['$$', '$$'],
	['\\(', '\\)'],
	['\\[', '\\]'],
]);

/** Empty lines, escapes, comments, formulas, groups. */
const tokens = /\n[ \t]{0,200}\r?\n|\\[^]|%.*|\$\$?|[{}]/g;
