import type { DocumentFormat } from './languages.js';

/** Rules of a format for the place of an image link. */
export interface PlaceRules {
	/** True if the link can stand in a line with text on both sides. */
	readonly withinLine: boolean;
	/**
	 * Place from anywhere else in a paragraph: behind it; or between two lines, at worst of a line
	 * that is broken for it, which does not break the paragraph.
	 */
	readonly withinParagraph: 'behind' | 'between';
	/** True if what has no blank line around it would belong to its neighbor. */
	readonly blankLines: boolean;
	/** True if the next item of a list ends a block without such a line. */
	readonly itemEndsBlock: boolean;
	/** True if `>` at the beginning of lines makes them a quotation. */
	readonly quotes: boolean;
	/** True if a block may be indented; else that makes it a listing. */
	readonly indents: boolean;
	/**
	 * Beginning of an item of a list whose other lines are indented; at the beginning of a line.
	 */
	readonly listMarker: RegExp | undefined;
	/** Owners of blocks that are indented by four columns below, besides items of lists. */
	readonly indenting: RegExp;
	/** Beginning of an item of a list whose other blocks are not indented; of such formats. */
	readonly unindentedItem: RegExp;
	/** The line that makes a block part of such an item. */
	readonly continuation: string | undefined;
	/** Delimiter of a block, of formats with such an item. */
	readonly delimiter: RegExp;
	/** Beginning of a comment to the end of its line. */
	readonly comment: RegExp;
	/** Beginning of a block that needs no blank line before it; without list items. */
	readonly startsBlock: RegExp;
	/** Block of one line: the text behind it does not belong to it. */
	readonly isWholeBlock: RegExp;
}

const never = /(?!)/;

const paragraphs = {
	withinLine: true,
	withinParagraph: 'behind',
	blankLines: true,
	itemEndsBlock: true,
	quotes: false,
	indents: true,
	listMarker: undefined,
	indenting: never,
	unindentedItem: never,
	continuation: undefined,
	delimiter: never,
	comment: never,
	startsBlock: never,
	isWholeBlock: never,
} as const satisfies PlaceRules;

/** CommonMark 0.31, parts 4.6 (HTML) and 5.2; elements of MDX; containers with colons; MkDocs. */
const markdownBlock =
	/^(?:#{1,6}(?:\s|$)|`{3}|~{3}|:::|\$\$|(?:!!!|\?\?\?\+?|===) |<!--|<\/?(?:[A-Z]|(?:article|aside|blockquote|center|dd|details|div|dl|dt|fig(?:caption|ure)|footer|h[1-6]|header|hr|li|main|nav|ol|p|section|summary|table|t(?:body|d|h|head|r)|ul)\b))/;
/** Services 4.1 and 4.3; the delimiters of front matter. */
const thematicBreak = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|-[ \t]+-[ \t]*-[- \t]*)$/;
/** A footnote, or a definition: more of its blocks are indented by four columns. */
const note = /^(?:\[\^[^\]\s]+\]:|[:~][ \t])/;
const underline = /^(?:=+|-{2,}|\+{3})$/;

const markdown: PlaceRules = {
	...paragraphs,
	quotes: true,
	listMarker: /(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n]|$)/y,
	// Admonitions and tabs of MkDocs, footnotes, definitions.
	indenting: new RegExp(`^(?:!!!|\\?\\?\\?\\+?|===) |${note.source}`),
	startsBlock: new RegExp(`${markdownBlock.source}|${thematicBreak.source}|${note.source}`),
	isWholeBlock: new RegExp(`${markdownBlock.source}|${thematicBreak.source}|${underline.source}`),
};

/** Between tags there are no paragraphs that a line break could tear. */
const html: PlaceRules = { ...paragraphs, withinParagraph: 'between', blankLines: false };

/** Also of a list of descriptions. */
const asciidocItem =
	/^(?:(?:\*{1,5}|-|\.{1,5}|\d+\.|<\d*\.?>)\s|[^\s/:].{0,200}?(?:::|;;)(?:\s|$))/;

const asciidocDelimiter =
	/^(?:-{2}|-{4,}|={4,}|\*{4,}|_{4,}|\.{4,}|\+{4,}|\/{4,}|[|,:!]={3,}|`{3,})$/;

/** The rules of each format. */
export const placeRules: Readonly<Record<DocumentFormat, PlaceRules>> = {
	markdown,
	mdx: markdown,
	html,
	vue: html,
	asciidoc: {
		...paragraphs,
		indents: false,
		unindentedItem: asciidocItem,
		continuation: '+',
		delimiter: asciidocDelimiter,
		// Items of lists, delimiters, attributes of blocks, comments; below a paragraph, titles and
		// macros are its text.
		startsBlock: new RegExp(
			`${asciidocItem.source}|${asciidocDelimiter.source}|${/^(?:\[.*\]$|\/\/|\+$)/.source}`,
		),
		isWholeBlock: /^(?:={2,6}\s|\w+::|\/\/)/,
	},
	restructuredText: {
		...paragraphs,
		// Within a line there are only names of images that are defined elsewhere.
		withinLine: false,
		listMarker: /(?:[-+*•‣⁃]|\(?(?:\d{1,3}|#|[a-z]|[ivx]{1,5})[.)])(?=[ \t\r\n]|$)/iy,
		itemEndsBlock: false,
		startsBlock: /^\.\. /,
	},
	latex: {
		...paragraphs,
		// A figure floats: the text around it goes on.
		withinLine: false,
		withinParagraph: 'between',
		comment: /(?<!\\)%/,
	},
	typst: {
		...paragraphs,
		listMarker: /(?:[-+]|\d{1,9}\.)(?=[ \t\r\n]|$)/y,
		startsBlock: /^(?:={1,6}\s|#|`{3})/,
		isWholeBlock: /^(?:={1,6}\s|#|`{3})/,
	},
};
