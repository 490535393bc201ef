import type { DocumentFormat } from './languages.js';
import { frontMatter } from './metadata.js';

/**
 * Returns the offset for a place outside of a document's text, because nothing is shown there or
 * the document is broken by it: before the front matter or in its delimiters, in the header of
 * AsciiDoc, in the preamble of LaTeX, in the head of a page. Other places stay.
 */
export function placeInText(format: DocumentFormat, text: string, offset: number): number {
	return texts[format](text, offset);
}

const texts: Readonly<Record<DocumentFormat, (text: string, offset: number) => number>> = {
	markdown: behindFrontMatter,
	mdx: behindFrontMatter,
	html: (text, offset) => behindHead(text, behindFrontMatter(text, offset)),
	vue: inTemplate,
	asciidoc: behindHeader,
	restructuredText: behindFields,
	latex: inDocument,
	typst: (_text, offset) => offset,
};

function behindFrontMatter(text: string, offset: number): number {
	return Math.max(offset, frontMatter(text)?.closing.end ?? 0);
}

/**
 * Returns the offset behind the head, which is not shown: a browser ends the head where an image
 * stands.
 */
function behindHead(text: string, offset: number): number {
	const start =
		endOf(/<body\b[^<>]{0,1000}>/i, text) ??
		endOf(/<\/head\s{0,100}>/i, text) ??
		endOf(/^\s{0,100}<!doctype\b[^<>]{0,1000}>/i, text);
	return Math.max(offset, start ?? 0);
}

/** Between the parts of a component nothing can stand; what is shown of it is its template. */
function inTemplate(text: string, offset: number): number {
	const start = endOf(/^<template\b[^<>]{0,1000}>/m, text);
	const end = text.lastIndexOf('</template>');
	const before = text.slice(0, offset).trimEnd();
	const after = text.slice(offset).trimStart();
	const isBetween = /^$|>$/.test(before) && /^$|^</.test(after);
	if (start === undefined || !isBetween) {
		return offset;
	}
	return Math.max(start, end < start ? offset : Math.min(offset, end));
}

/**
 * The title, and the lines below it: authors, revision, attributes ("Document Header"). Attributes and
 * comments may stand above it as well; where there is no title, they are the header.
 */
function behindHeader(text: string, offset: number): number {
	const aboveTitle = /^(?:(?:[ \t]{0,100}|\/\/(?!\/).*|:!?\w[\w-]*!?:.*)(?:\r?\n|$))+/;
	const title = endOf(aboveTitle, text) ?? 0;
	const belowTitle = endOf(/^=[ \t]+\S.*(?:\r?\n\S.*)*/, text.slice(title)) ?? 0;
	return Math.max(offset, text.slice(0, title + belowTitle).trimEnd().length);
}

/**
 * The fields of a whole document ("Bibliographic Fields"): these are none behind anything else. What is
 * indented below one is part of it, so the place is the line below them all.
 */
function behindFields(text: string, offset: number): number {
	const fields =
		/^(?::\w[^:\r\n]{0,100}:(?:[ \t].*)?(?:\r?\n|$)(?:(?:[ \t]*\r?\n)*[ \t]+\S.*\r?\n)*)+/;
	return Math.max(offset, endOf(fields, text) ?? 0);
}

function inDocument(text: string, offset: number): number {
	// A template may have it in a comment as well.
	const start = endOf(/^[^%\r\n\u2028\u2029]*\\begin\{document\}/m, text) ?? 0;
	const end = text.indexOf('\\end{document}', start);
	return Math.max(start, end < 0 ? offset : Math.min(offset, end));
}

function endOf(pattern: RegExp, text: string): number | undefined {
	const found = pattern.exec(text);
	return found === null ? undefined : found.index + found[0].length;
}
