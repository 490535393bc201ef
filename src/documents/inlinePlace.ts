import { isDelimiterRow, linesFrom } from './blocks.js';
import { lineBelow, type Line } from './lines.js';
import type { LinkPlace } from './place.js';
import type { PlaceRules } from './placeRules.js';
import type { Span } from './span.js';

/** Within a line of text, with a space where the link would touch a word. */
export function inLine(text: string, span: Span, isBehind: boolean): LinkPlace {
	const left = text.slice(Math.max(0, span.start - maxMarkupLength), span.start);
	const right = text.slice(span.end, span.end + maxMarkupLength);
	const touchesLeft = isBehind ? !/\s$/.test(left) : wordBefore.test(left);
	return {
		span,
		form: 'inline',
		above: touchesLeft ? ' ' : '',
		below: wordBehind.test(right) ? ' ' : '',
		prefix: '',
		isInCell: false,
	};
}

/** Within the cell of a table, with a space before the bar that ends it. */
export function inCell(place: LinkPlace, text: string): LinkPlace {
	return { ...place, below: text[place.span.end] === '|' ? ' ' : place.below, isInCell: true };
}

/**
 * In a language without image links, where it is a path. What such a text needs is not known, so
 * only what is a word for certain is kept apart, and in plain text the end of a sentence; another path
 * stands on the line above.
 */
export function inText(languageId: string, text: string, span: Span, isBehind: boolean): LinkPlace {
	const isWord = (character = '') => /[\p{L}\p{M}\p{N}]/u.test(character);
	const before = text[span.start - 1] ?? '';
	const endsSentence = languageId === 'plaintext' && /[.,;:!?…]/.test(before);
	const above = isBehind ? '\n' : isWord(before) || endsSentence ? ' ' : '';
	const below = isWord(text[span.end]) ? ' ' : '';
	return { span, form: 'inline', above, below, prefix: '', isInCell: false };
}

/** Returns whether a line belongs to a table of pipes: one of its lines is made of dashes. */
export function isTableRow(text: string, line: Line, rules: PlaceRules): boolean {
	if (!line.content.includes('|')) {
		return false;
	}
	const below = lineBelow(text, line, rules);
	if (below !== undefined && isDelimiterRow(below)) {
		return true;
	}
	for (const row of linesFrom(text, line, rules)) {
		if (row.isBlank) {
			return false;
		}
		if (isDelimiterRow(row)) {
			return true;
		}
	}
	return false;
}

/** Length of emphasis, code and quotation marks, in UTF-16 code units. */
const maxMarkupLength = 8;

/** Scripts that put no spaces between words. */
const spaceless = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
	.map((script) => `\\p{Script=${script}}`)
	.join('');
const letter = `(?![${spaceless}])[\\p{L}\\p{M}\\p{N}]`;
/** With what ends emphasis and the like, and the marks of a sentence. */
const wordBefore = new RegExp(`(?:${letter}|[.,;:!?)\\]}…$])[*_~\`"'’”]*$`, 'u');
const wordBehind = new RegExp(`^(?:[*_~\`"'‘“]*${letter}|[([]|!\\[)`, 'u');
