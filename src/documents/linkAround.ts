import type { DocumentFormat } from './languages.js';
import type { Span } from './span.js';

/**
 * The image link of a document's own format in which a span lies, or at whose end it lies; such as
 * that of an alt text which is still selected. What is far from it is not looked at.
 */
export function linkAround(
	format: DocumentFormat,
	text: string,
	{ start, end }: Span,
): Span | undefined {
	const first = Math.max(0, start - farthest);
	const near = text.slice(first, start + farthest);
	for (const pattern of patterns[format]) {
		for (const { index, 0: link } of near.matchAll(pattern)) {
			const from = first + index;
			const to = from + (format === 'typst' ? callLength(near.slice(index)) : link.length);
			if (from < start && end <= to) {
				return { start: from, end: to };
			}
		}
	}
	return undefined;
}

/** In UTF-16 code units: an alt text has 125, a path is as long as a system allows at most. */
const farthest = 3000;

const htmlTag = /<img\b(?:"[^"]*"|'[^']*'|[^<>"'])*>/gi;

/** An address with a title, or the name of one, behind what is shown. */
const target =
	/(?:\(\s{0,100}(?:<(?:\\.|[^<>\\\r\n])*>|(?:\\.|[^\s()\\]|\([^\s()]*\))*)(?:\s+(?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\((?:\\[^]|[^()\\])*\)))?\s*\)|\[[^[\]]*\])/
		.source;

/** Attributes that Pandoc, Quarto and others read behind an image. */
const attributes = /(?:\{[^{}\r\n]{0,1000}\})?/.source;

const image = `${/!\[(?:\\[^]|[^\\[\]]|\[(?:\\[^]|[^\\[\]])*\])*\]/.source}${target}?${attributes}`;

const markdown = [
	// One that is a link itself, first: nothing is to stand within that.
	new RegExp(`\\[${image}\\]${target}`, 'g'),
	new RegExp(image, 'g'),
	htmlTag,
];

const patterns: Readonly<Record<DocumentFormat, readonly RegExp[]>> = {
	markdown,
	mdx: markdown,
	html: [htmlTag],
	vue: [htmlTag],
	asciidoc: [/^image::.*\]/gm, /\bimage:[^:\s[][^[\r\n]*\[(?:\\\]|[^\]\r\n])*\]/g],
	// With the lines that are indented below it.
	restructuredText: [
		/(?<=^([ \t]*)(?:\S{1,5}[ \t]+)?)\.\. (?:image|figure)::.*(?:\r?\n\1[ \t]+\S.*)*/gm,
	],
	latex: [
		/\\begin\{((?:wrap|sideways)?figure\*?)\}[^]*?\\end\{\1\}/g,
		/\\includegraphics(?:\[[^\]\r\n]*\])?\{[^}\r\n]*\}/g,
	],
	typst: [/#(?:figure|box|image)\(/g],
};

/** Returns the length of the call of Typst that a text begins with. */
function callLength(text: string): number {
	let depth = 0;
	for (const { index, 0: part } of text.matchAll(/"(?:\\[^]|[^"\\])*"|[()]/g)) {
		depth += part === '(' ? 1 : part === ')' ? -1 : 0;
		if (depth === 0) {
			return index + 1;
		}
	}
	return 0;
}
