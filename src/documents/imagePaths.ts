import type { Span } from './span.js';

/** A path of an image as it stands in a text. */
interface ImagePath extends Span {
	/** As it is written. */
	readonly path: string;
}

/**
 * Finds what looks like the path of an image in a text of any format: the fallback for formats
 * without a parser of ours, and at most 10,000 of them. Quotes, brackets, white space and the signs before a path end it, so a
 * path with blanks in it is found only where the format encodes them.
 */
export function imagePaths(text: string): ImagePath[] {
	const found: ImagePath[] = [];
	let last: Span | undefined;
	const add = (span: Span) => found.push({ ...span, path: text.slice(span.start, span.end) });
	// From the endings back to the beginnings: from there on, a long word would be read again and again.
	for (const { 0: ending, index } of text.matchAll(endings)) {
		const start = startOf(text, index, last?.end ?? 0);
		const end = index + ending.length;
		if (last !== undefined && start === last.end) {
			// It goes on, as in `a.png.png`.
			last = { start: last.start, end };
		} else {
			if (last !== undefined && add(last) === maxFound) {
				return found;
			}
			last = start < index ? { start, end } : undefined;
		}
	}
	if (last !== undefined) {
		add(last);
	}
	return found;
}

/** No document is written with more. */
const maxFound = 10_000;

const endings = /\.(?:png|jpe?g|webp)(?![\p{L}\p{N}])/giu;

/** Characters that no path in a text has. */
const separators = /[\s"'`(){}[\]<>:=|,;]/;

/** Returns the start of the path before `end`. */
function startOf(text: string, end: number, from: number): number {
	let start = end;
	while (start > from && !separators.test(text[start - 1]!)) {
		start--;
	}
	return start;
}
