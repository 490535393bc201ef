import { asciidocSpot } from './asciidocAround.js';
import { delimitedAround, isTable, type DelimitedBlock } from './delimited.js';
import { lineBounds } from './lines.js';
import type { DocumentFormat } from './languages.js';
import { latexEndAround } from './latexAround.js';

/**
 * The nearest offset at which a link tears nothing apart: behind a link's destination, a tag, a
 * formula, a comment or code that the offset lies within, behind a line that is made of marks, and not
 * in the midst of a character.
 */
export function behindIndivisible(format: DocumentFormat, text: string, offset: number): number {
	const whole = behindCharacter(text, offset);
	if (format === 'latex') {
		return latexEndAround(text, whole) ?? whole;
	}
	const block = delimitedAround(format, text, whole);
	const beside = block === undefined ? whole : besideDelimiters(block, whole);
	if (block !== undefined && beside === whole) {
		const cells = isTable(block);
		return cells ? asciidocSpot(text, whole, { cells }) : besideCode(block, text, whole);
	}
	const end = commentEnd(format, text, beside) ?? beside;
	const place = markLinePlace(format, text, end) ?? pieceEnd(format, text, end) ?? end;
	return format === 'asciidoc' ? asciidocSpot(text, place) : place;
}

/** Behind code; before code that has no end, such as what the user is just writing. */
function besideCode({ opening, closing }: DelimitedBlock, text: string, offset: number): number {
	const isProse =
		/^\{(?:[a-z]+-)?(?:admonition|aside|attention|card|caution|danger|dropdown|error|figure|grid|hint|important|item|list-table|margin|note|seealso|sidebar|tip|topic|warning)(?:-[a-z]+)?\}/.test(
			text.slice(opening.start, opening.end).replace(/^[`~]+/, ''),
		);
	return isProse ? offset : (closing?.end ?? opening.start);
}

/** Not in the lines of its delimiters; of a formula, behind it. */
function besideDelimiters({ delimiter, opening, closing }: DelimitedBlock, offset: number): number {
	if (closing !== undefined && (offset >= closing.start || delimiter === '$$')) {
		return closing.end;
	}
	return offset <= opening.end ? opening.start : offset;
}

/** Offsets between the two halves of a character, or of a line break, are none of a text. */
export function behindCharacter(text: string, offset: number): number {
	const isWithin = /[\ud800-\udbff][\udc00-\udfff]|\r\n/.test(
		text.slice(Math.max(0, offset - 1), offset + 1),
	);
	return isWithin ? offset + 1 : offset;
}

/** In UTF-16 code units, on each side: what is longer than a line or two is not looked for. */
const farthest = 1500;

function pieceEnd(format: DocumentFormat, text: string, offset: number): number | undefined {
	const first = Math.max(0, offset - farthest);
	const near = text.slice(first, offset + farthest);
	for (const pattern of pieces[format]) {
		for (const { index, 0: piece } of near.matchAll(pattern)) {
			const start = first + index;
			if (start < offset && offset < start + piece.length) {
				return start + piece.length;
			}
		}
	}
	return undefined;
}

const tag = /<\/?[a-z][a-z\d:.-]{0,100}(?:\s(?:"[^"]*"|'[^']*'|[^<>"'])*)?\/?>/gi;
const address = /\bhttps?:\/\/[^\s<>"')\]]+/g;

const inMarkdown = [
	/\]\((?:<[^<>\n]*>|[^\s()<>]|\([^\s()]*\)|[ \t]+"[^"\n]*")*\)/g,
	/(?<!`)(`{1,3})(?!`)[^\n]{1,300}?(?<!`)\1(?!`)/g,
	/\]\[[^[\]\n]*\]|\[\^[^[\]\s]+\]/g,
	/^ {0,3}\[[^[\]\n]+\]:.+/gm,
	/<(?:[a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,64}@[^\s<>]+)>/gi,
	tag,
	address,
	/(?<![\\$\w])\$(?=[^\s$])[^$\n]{1,300}?(?<=[^\s\\])\$(?!\d)/g,
	/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi,
	/\\[!-/:-@[-`{-~]/g,
	/\*{2,3}|_{2,3}|~~/g,
	// Of Hugo, Jekyll and others.
	/\{\{[^{}\n]*\}\}|\{%[^\n%]*%\}/g,
];

const inHtml = [tag, /\{\{[^{}\n]*\}\}/g, /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi];

const pieces: Readonly<Record<DocumentFormat, readonly RegExp[]>> = {
	markdown: inMarkdown,
	mdx: [...inMarkdown, /\{[^{}\n]*\}/g, /^(?:import|export)\s.*/gm],
	html: inHtml,
	vue: inHtml,
	asciidoc: [
		/\b(?:https?|link|xref|mailto|kbd|btn|menu|icon|footnote|stem|latexmath):[^\s[\]]*\[[^\]\n]*\]/g,
		address,
		/<<[^<>\n]*>>|\{[\w-]+\}/g,
	],
	restructuredText: [],
	latex: [],
	typst: [
		/(?<!:)\/\/.*/g,
		/^[ \t]*#(?:import|include|set|let|show)\b.*/gm,
		address,
		/\$[^$\n]{1,300}\$/g,
	],
};

/**
 * Returns the spot for a place in a line that consists of marks and has no room for text: behind
 * the line; where the marks begin what stands behind them, before it.
 */
function markLinePlace(format: DocumentFormat, text: string, offset: number): number | undefined {
	const rules = markLines[format];
	if (rules === undefined) {
		return undefined;
	}
	const { start, end } = lineBounds(text, offset);
	if (end - start > farthest) {
		return undefined;
	}
	const left = text.slice(start, offset);
	const right = text.slice(offset, end);
	if (rules.opening.test(left) && right !== '') {
		return start;
	}
	const isWithin = left.trim() !== '' && right.trim() !== '';
	return isWithin && (rules.line.test(left + right) || rules.closing.test(right)) ? end : undefined;
}

interface MarkLines {
	readonly line: RegExp;
	/** Text before a place in the marks at the beginning of a heading. */
	readonly opening: RegExp;
	/** Text behind a place in those at its end. */
	readonly closing: RegExp;
}

/** Each of a whole line, behind the marks of quotations. */
const markdownLine = [
	// A rule, the underline of a heading.
	/([-*_])(?:[ \t]*\1){2,}[ \t]*$/,
	/=+[ \t]*$/,
	// Of dashes, also what is between the head of a table and its rows; an empty cell has a single one.
	/(?=[^\n]*(?:--|-:|:-))\|?(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?[ \t]*)?$/,
	/\+(?:[-=:]+\+)+[ \t]*$/,
	// Containers, admonitions, tabs.
	/:{3,}|(?:!!!|\?\?\?\+?|===) /,
];

const inMarkdownLines: MarkLines = {
	line: new RegExp(
		`^(?:[ \\t]*>){0,20}[ \\t]*(?:${markdownLine.map(({ source }) => source).join('|')})`,
	),
	opening: /^#{1,6}$/,
	closing: /^#{1,6}[ \t]*$/,
};

const markLines: Partial<Readonly<Record<DocumentFormat, MarkLines>>> = {
	markdown: inMarkdownLines,
	mdx: inMarkdownLines,
	asciidoc: { line: /^(?:\/\/|:!?\w[\w-]*!?:|\w+::)/, opening: /^={1,6}$/, closing: /(?!)/ },
	typst: { line: /(?!)/, opening: /^={1,6}$/, closing: /(?!)/ },
	restructuredText: { line: /^([^\w\s])\1{2,}$/, opening: /(?!)/, closing: /(?!)/ },
};

function commentEnd(format: DocumentFormat, text: string, offset: number): number | undefined {
	for (const [open, close] of enclosing[format] ?? []) {
		const start = text.lastIndexOf(open, offset - 1);
		const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
		if (end >= 0 && start < offset && offset < end + close.length) {
			return end + close.length;
		}
	}
	return undefined;
}

const comment = ['<!--', '-->'] as const;
const htmlCode = [
	['<pre', '</pre>'],
	['<script', '</script>'],
	['<style', '</style>'],
] as const;

/** Marks of any length. */
const enclosing: Partial<Readonly<Record<DocumentFormat, readonly (readonly [string, string])[]>>> =
	{
		markdown: [comment, ...htmlCode],
		mdx: [['{/*', '*/}']],
		html: [comment, ...htmlCode],
		vue: [comment, ...htmlCode],
		typst: [['/*', '*/']],
	};
