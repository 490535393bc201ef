import { behindCharacter, behindIndivisible } from './indivisible.js';
import type { ImageLink } from './imageLink.js';
import { aboveBlock, belowBlock, betweenLines, block, onEmptyLine } from './blockPlace.js';
import { isInHtmlBlock, isTableRow, isWithinParagraph } from './blocks.js';
import { surroundingsAt } from './delimited.js';
import { formatOf, type DocumentFormat } from './languages.js';
import { codeIndent, columns, lineAt, lineBelow, type Line } from './lines.js';
import { linkAround } from './linkAround.js';
import type { AskedPlace, BlockPlace, LinkPlace } from './place.js';
import { placeRules } from './placeRules.js';
import { restructuredTextAround } from './restructuredTextAround.js';
import type { Span } from './span.js';
import { metadataValueAt } from './metadata.js';
import { placeInText } from './placeInText.js';

/**
 * Finds the place of an image link: on a line of its own, with a blank line around it where the
 * format needs one, in the list or quotation that it was asked for in. A paragraph stays whole: what
 * was asked for within it comes behind it. So does whatever else a link would tear, such as another
 * image link or code. Within a line, with a space where it would touch a word, it stands in cells,
 * headings, rows of badges and HTML, and in the place of a part of a line that was selected. Among the
 * HTML of a Markdown document it is HTML. In languages without image links it stands where it was
 * asked for; before the text begins, where it begins.
 *
 * @param ownParagraph whether it stands alone, also in languages that have no image links. As the last
 *   one, it leaves the document the line end that it has.
 */
export function linkPlace(
	languageId: string,
	text: string,
	asked: AskedPlace,
	ownParagraph = false,
): LinkPlace {
	const format = formatOf(languageId);
	if (format !== undefined) {
		const place = inMetadata(format, text, asked) ?? placeIn(format, text, asked);
		const isLast = ownParagraph && place.span.end === text.length && text.endsWith('\n');
		return isLast ? { ...place, below: `${place.below}\n` } : place;
	}
	const isSelected = asked.start < asked.end;
	const span = isSelected ? asked : emptySpan(behindCharacter(text, asked.start));
	return ownParagraph ? alone(text, span) : inText(languageId, text, span, asked.behind === true);
}

function placeIn(format: DocumentFormat, text: string, asked: AskedPlace): LinkPlace {
	const isSelected = asked.start < asked.end;
	// A selection is replaced; any other place is moved out of what has no room.
	const spot = isSelected
		? asked
		: emptySpan(behindIndivisible(format, text, placeInText(format, text, asked.start)));
	const link = linkAround(format, text, spot);
	// In reStructuredText, what would take the link as its own.
	const owner =
		format === 'restructuredText' && (link !== undefined || !isSelected)
			? restructuredTextAround(text, spot.end)
			: undefined;
	const around = owner ?? link;
	const span = around === undefined ? spot : emptySpan(around.end);
	const isBehind = around !== undefined || asked.behind === true;
	const rules = placeRules[format];
	const surroundings = surroundingsAt(format, text, span.start);
	if (surroundings === 'verbatim') {
		return block(span, '', isBehind ? '\n' : '', '');
	}
	if (surroundings === 'cells') {
		return inCell(inLine(text, span, isBehind), text);
	}
	const line = lineAt(text, span.start, rules);
	const last = lineAt(text, span.end, rules);
	const left = text.slice(Math.min(line.contentStart, span.start), span.start).trim();
	const right = text.slice(Math.max(last.contentStart, span.end), last.end).trim();
	const first = around === undefined ? line : lineAt(text, around.start, rules);
	const place = { span, first, line, last, left, right };
	if (format !== 'markdown' || !isHidingMarkdown(place)) {
		return placeBy(place, isBehind);
	}
	const inHtml = (one: Line): Line => ({ ...one, rules: placeRules.html });
	const html = { ...place, first: inHtml(first), line: inHtml(line), last: inHtml(last) };
	return { ...placeBy(html, isBehind), form: 'html' };
}

/** The value of front matter that was asked for; of TOML with the quotation marks that it needs. */
function inMetadata(
	format: DocumentFormat,
	text: string,
	asked: AskedPlace,
): LinkPlace | undefined {
	const isMarkdown = format === 'markdown' || format === 'mdx';
	const span = isMarkdown && !asked.behind ? metadataValueAt(text, asked) : undefined;
	if (span === undefined) {
		return undefined;
	}
	const before = text[span.start - 1] ?? '';
	const quote = text.startsWith('+++') && !/["']/.test(before) ? '"' : '';
	const above = `${/[:-]/.test(before) ? ' ' : ''}${quote}`;
	return { ...block(span, '', above, quote), form: 'value' };
}

/** Returns whether a place is in HTML where Markdown would be shown as it is written, or as code. */
function isHidingMarkdown({ line, last, left, right }: BlockPlace): boolean {
	const isWithinLine = left !== '' && right !== '';
	const isCode = [line, lineBelow(last)].some(
		(at) => at !== undefined && columns(at.prefix) >= codeIndent,
	);
	return (isWithinLine || isCode) && isInHtmlBlock(line);
}

function placeBy(place: BlockPlace, isBehind: boolean): LinkPlace {
	const { span, line, left, right } = place;
	const { text, rules } = line;
	if (left === '' && right === '') {
		return onEmptyLine(place);
	}
	const isWithin = isWithinParagraph(place);
	const isSelected = span.start < span.end;
	const isBetween = left !== '' && right !== '';
	const isCell = isTableRow(line);
	const staysInLine = isSelected ? isBetween || isWithin : isBetween && (isCell || !isProse(line));
	if (rules.withinLine && staysInLine) {
		const within = inLine(text, span, isBehind);
		return isCell ? inCell(within, text) : within;
	}
	if (left === '' && !isWithin) {
		// What indents a paragraph of Japanese or Chinese is its text.
		const spot = isSelected ? span : emptySpan(Math.min(span.start, line.contentStart));
		return aboveBlock({ ...place, span: spot });
	}
	return rules.withinParagraph === 'between' ? betweenLines(place) : belowBlock(place);
}

/** Returns whether a line is one of a paragraph that a picture would tear, and not a heading or a row of badges. */
function isProse({ content, rules }: Line): boolean {
	const isBadges = content.replaceAll(badge, '').trim() === '';
	return rules.withinParagraph === 'behind' && !rules.isWholeBlock.test(content) && !isBadges;
}

/** An image or a tag, and the address of the link around it. */
const badge =
	/\[?!\[[^[\]]*\](?:\[[^[\]]*\])?|\]?\([^()]*\)|\]\[[^[\]]*\]|\bimage:[^\s[\]]*\[[^[\]]*\]|<[^<>]*>/g;

/** Within a line of text, with a space where the link would touch a word. */
function inLine(text: string, span: Span, isBehind: boolean): LinkPlace {
	const left = text.slice(Math.max(0, span.start - maxMarkupLength), span.start);
	const right = text.slice(span.end, span.end + maxMarkupLength);
	const touchesLeft = isBehind ? !/\s$/.test(left) : wordBefore.test(left);
	const above = touchesLeft ? ' ' : '';
	return { ...block(span, '', above, wordBehind.test(right) ? ' ' : ''), form: 'inline' };
}

/** Within the cell of a table, with a space before the bar that ends it. */
function inCell(place: LinkPlace, text: string): LinkPlace {
	return { ...place, below: text[place.span.end] === '|' ? ' ' : place.below, isInCell: true };
}

/**
 * In a language without image links, where it is a path. What such a text needs is not known, so
 * only what is a word for certain is kept apart, and in plain text the end of a sentence; another path
 * stands on the line above.
 */
function inText(languageId: string, text: string, span: Span, isBehind: boolean): LinkPlace {
	const isWord = (character = '') => /[\p{L}\p{M}\p{N}]/u.test(character);
	const before = text[span.start - 1] ?? '';
	const endsSentence = languageId === 'plaintext' && /[.,;:!?…]/.test(before);
	const above = isBehind ? '\n' : isWord(before) || endsSentence ? ' ' : '';
	const below = isWord(text[span.end]) ? ' ' : '';
	return { ...block(span, '', above, below), form: 'inline' };
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

function emptySpan(offset: number): Span {
	return { start: offset, end: offset };
}

/** Writes a link at its place; the line ends are `\n`. */
export function placed(link: ImageLink, { above, below, prefix, isInCell }: LinkPlace): ImageLink {
	const write = (part: string) => {
		const lines = prefix === '' ? part : part.replaceAll('\n', `\n${prefix}`);
		return isInCell ? lines.replace(/\\?\|/g, '\\|') : lines;
	};
	return {
		before: above + write(link.before),
		alt: link.alt === undefined ? undefined : write(link.alt),
		after: write(link.after) + below,
	};
}

/** A paragraph of its own in any text. */
function alone(text: string, { start, end }: Span): LinkPlace {
	const above = text.slice(0, start).trimEnd();
	const below = text.slice(end).trimStart();
	const missing = (blanks: string) => '\n'.repeat(Math.max(0, 3 - blanks.split('\n').length));
	return block(
		{ start, end },
		'',
		above === '' ? '' : missing(text.slice(above.length, start)),
		below === '' ? '' : missing(text.slice(end, text.length - below.length)),
	);
}
