import type { Span } from '../span.js';
import type { RuleId, Severity } from './rules.js';

/** A place in lines and columns, both from 1; columns count UTF-16 code units. */
export interface LineRange {
	readonly line: number;
	readonly column: number;
	readonly endLine: number;
	readonly endColumn: number;
}

/** Result of a rule in a document, as plain data. */
export interface Finding {
	readonly rule: RuleId;
	readonly severity: Severity;
	/** Absolute path. */
	readonly document: string;
	/** Place of the image, or of its path where that is at fault. */
	readonly span: Span;
	readonly lines: LineRange;
	/** Absolute path of the image, where it is a file that exists. */
	readonly image: string | undefined;
	/** The image as the document names it, decoded; empty where only a program knows it. */
	readonly destination: string;
	readonly message: string;
	/** Text that is to take the place of a span of the document. */
	readonly fix: (Span & { readonly newText: string }) | undefined;
	/** The whole link as it is written, at most 3,000 UTF-16 code units. */
	readonly link: string;
	/** Offset of that. */
	readonly linkStart: number;
	/** Link that marks the image as decorative, where its own form cannot say that. */
	readonly decorative: string | undefined;
	/** Plain text that the document itself says of the image: its caption, or its title. */
	readonly caption: string | undefined;
}

/** Makes a function that says where spans of a text lie, as lines. */
export function linesIn(text: string): (span: Span) => LineRange {
	let starts: number[] | undefined;
	const placeOf = (offset: number): [line: number, column: number] => {
		starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
		let low = 0;
		let high = starts.length;
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			[low, high] = starts[middle]! <= offset ? [middle, high] : [low, middle];
		}
		return [low + 1, offset - starts[low]! + 1];
	};
	return ({ start, end }) => {
		const [line, column] = placeOf(start);
		const [endLine, endColumn] = placeOf(end);
		return { line, column, endLine, endColumn };
	};
}
