import type { Line } from './lines.js';
import type { Span } from './span.js';

/** Place of an image link, with the text around it. */
export interface LinkPlace {
	/** Replaced span: the one asked for, and blanks around it. */
	readonly span: Span;
	readonly form: LinkForm;
	readonly above: string;
	readonly below: string;
	/** Prefix of its other lines. */
	readonly prefix: string;
	/** True if `|` would end a cell there. */
	readonly isInCell: boolean;
}

/**
 * As a block of its own, or within a line of text; in Markdown, among HTML that hides Markdown, or as a
 * value of front matter.
 */
export type LinkForm = 'block' | 'inline' | 'html' | 'value';

/** A place that was asked for. */
export interface AskedPlace extends Span {
	/** Another link was written just before. */
	readonly behind?: boolean | undefined;
}

/** A place for which a line of its own is to be found. */
export interface BlockPlace {
	readonly span: Span;
	/** The line whose list or quotation it belongs to. */
	readonly first: Line;
	/** The lines in which the span begins and ends. */
	readonly line: Line;
	readonly last: Line;
	/** Text beside the span in these, without blanks and marks of lists and quotations. */
	readonly left: string;
	readonly right: string;
}
