/** A piece of a text: from `start` up to, not including, `end`, in UTF-16 code units. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** A change of a text: the span is replaced by so many UTF-16 code units. */
interface TextChange extends Span {
	readonly length: number;
}

/**
 * Follows a span through one change of its text. What is typed at an empty span comes after it,
 * because the user goes on writing where the command was given.
 *
 * @returns `undefined` where the text around it was deleted, and the span with it
 */
export function moveSpan(span: Span, { start, end, length }: TextChange): Span | undefined {
	const shift = length - (end - start);
	if (start >= span.end) {
		return span;
	}
	if (end <= span.start) {
		return { start: span.start + shift, end: span.end + shift };
	}
	if (start >= span.start && end <= span.end) {
		return { start: span.start, end: span.end + shift };
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
