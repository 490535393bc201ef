import type { ImageLink } from './imageLink.js';

/** A range of a text, as offsets in UTF-16 code units; the start alone where both are equal. */
export interface TextRange {
	readonly start: number;
	readonly end: number;
}

/** A change of a text: what stood at the range is replaced by so many code units. */
export interface TextChange extends TextRange {
	readonly length: number;
}

/**
 * Follows a place through one change of its text. What is typed at the very place comes after it,
 * because a person goes on writing where the command was given.
 *
 * @returns `undefined` where the text around the place was deleted, and the place with it
 */
export function moved(place: TextRange, change: TextChange): TextRange | undefined {
	const { start, end, length } = change;
	const shift = length - (end - start);
	if (start >= place.end) {
		return place;
	}
	if (end <= place.start) {
		return { start: place.start + shift, end: place.end + shift };
	}
	if (start >= place.start && end <= place.end) {
		return { start: place.start, end: place.end + shift };
	}
	return undefined;
}

/** The end of the paragraph around an offset: before the next blank line, or the text's end. */
export function paragraphEnd(text: string, offset: number): number {
	const blank = /\r?\n[ \t]*\r?\n/g;
	blank.lastIndex = offset;
	const index = blank.exec(text)?.index ?? text.length;
	return text.slice(0, index).trimEnd().length;
}

/**
 * Adds to an image link the line ends that a block needs around it, where they do not stand already.
 *
 * @param block whether it is one here, although the format does not demand it
 */
export function surrounded(
	link: ImageLink,
	text: string,
	{ start, end }: TextRange,
	block = link.block,
): ImageLink {
	if (!block) {
		return link;
	}
	const above = /\n[ \t]*(?:\r?\n[ \t]*)?$/.exec(text.slice(0, start));
	const atTop = text.slice(0, start).trim() === '';
	const before = atTop ? '' : above === null ? '\n\n' : isBlankLine(above[0]) ? '' : '\n';
	const rest = text.slice(end);
	const after =
		rest.trim() === '' ? '' : /^[ \t]*\r?\n[ \t]*\r?\n/.test(rest) ? '' : lineEnds(rest);
	return { ...link, before: before + link.before, after: link.after + after };
}

function isBlankLine(found: string): boolean {
	return /\n[ \t]*\r?\n/.test(found);
}

function lineEnds(rest: string): string {
	return /^[ \t]*\r?\n/.test(rest) ? '\n' : '\n\n';
}
