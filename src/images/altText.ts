import { beginningOf, shorten } from './shorten.js';

/**
 * Turns a text into alt text: one line, cut between words where possible. Control characters are
 * gone, and so are those that turn the direction of text, because they would make the rest of the
 * line read as something else. Empty where the text is. Of a prompt, take {@link firstClause}.
 *
 * @param longest in UTF-16 code units, at least 1; the default is what screen readers read in one go
 */
export function altText(text: string, longest = maxAltLength): string {
	const line = beginningOf(text.trimStart(), maxReadLength)
		.replace(/\p{Bidi_Control}/gu, '')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return line.length <= longest
		? line
		: shorten(line, (beginning) => beginning.length <= longest).replace(/[\s\p{Pd},;:(]+$/u, '');
}

/**
 * Returns the first clause of a prompt as alt text: until the end of a sentence, a semicolon, a dash
 * between words, or a line break before anything but a small letter. Headings, lists and emphasis of
 * Markdown lose their marks. At most 125 UTF-16 code units; empty where {@link altText} is.
 */
export function firstClause(prompt: string): string {
	const text = beginningOf(prompt.trimStart(), maxReadLength).replace(/\r\n?/g, '\n');
	const lines = text.replace(lineMarks, '').replace(emphasis, '');
	const clauses = lines.split(clauseEnds).map((clause) => altText(clause, maxReadLength));
	const first = clauses.find((clause) => /[\p{L}\p{N}]/u.test(clause));
	return altText(first?.replace(/[.!?…]+$/, '') ?? prompt);
}

const lineMarks = /^[ \t]*(?:>[ \t]*)*(?:#{1,6}[ \t]+|[-+*•][ \t]+|\d{1,3}[.)][ \t]+)?/gm;
const emphasis = /\*\*|__|~~|`|(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu;
/** Behind it a full stop ends no sentence: an initial, an ordinal ("im 2. Weltkrieg"), a title. */
const abbreviations =
	/(?<!(?:^|[\s("])(?:(?:\p{L}\.){0,5}\p{L}|\d{1,2}|Mrs?|Ms|Dr|Prof|St|Jr|Sr|[vV]s|etc|ca|[aA]pprox|Nos?|Nr|[Ff]igs?)\.)/u;
const clauseEnds = new RegExp(
	[
		`${abbreviations.source}(?<=[.!?…]["”’)]*)\\s+(?=[^\\s\\p{Ll}])`,
		/[;；。！？؟।]|\s[-–—]+\s|—/u.source,
		/\n(?!\s*\p{Ll})/u.source,
	].join('|'),
	'u',
);

const maxAltLength = 125;
/** More than that, of which 125 characters are to be seen, is not written. */
const maxReadLength = 4000;
