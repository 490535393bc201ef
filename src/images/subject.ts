import { withoutDanglingWords } from './danglingWords.js';
import { beginningOf } from './shorten.js';
import { altText } from './altText.js';
import { isStyle, styleAtEnd } from './styleWords.js';
import { withoutMarkdown } from './withoutMarkdown.js';

/**
 * What an image shows, as its prompt says it: the first clause that is not about style, without
 * what asks for an image ("Create an illustration of …"), and without words of style at its end.
 * "Flat illustration of a harbor at dusk, no text" becomes "A harbor at dusk". Commas of a list do
 * not end a clause ("a fox, a hen and a rabbit"), and a clause of one word takes the next one along.
 * Prompts are often written in Markdown, whose marks are left out.
 *
 * In one line of at most 125 characters (UTF-16 code units), cut between words, and then without
 * words that would wait for the next one. Words of style are English; of a prompt in another
 * language it is the first clause. Empty where the prompt has nothing to see; else never.
 */
export function subjectOf(prompt: string): string {
	const clauses = clausesOf(prompt);
	for (const clause of clauses) {
		const subject = withoutQuotationMarks(subjectIn(clause));
		if (subject !== '') {
			return cut(subject);
		}
	}
	// All of it is about style: better that than nothing.
	return cut(altText(partsOf(clauses[0] ?? '')[0] ?? '')) || altText(prompt);
}

/** More than that, of which 125 characters are to be seen, is not written. */
const maxReadLength = 4000;

/** Not behind an abbreviation, an initial or an ordinal ("im 2. Weltkrieg"). */
const unabbreviated =
	/(?<!(?:^|[\s("])(?:(?:\p{L}\.){0,5}\p{L}|\d{1,2}|Mrs?|Ms|Dr|Prof|St|Jr|Sr|[vV]s|etc|ca|[aA]pprox|Nos?|Nr|[Ff]igs?|Abb|bzw|usw|Inc|Ltd|Co|Vol))/u
		.source;

/** Not before a small letter: the sentence goes on. */
const beforeSentence = /(?=\s+[^\s\p{Ll}]|\s*$)/u.source;

/**
 * Ends of sentences, semicolons, dashes between words, and line breaks but for those within a
 * sentence. What ends a quotation or a parenthesis ends no sentence that goes on ("a “Stop!” sign").
 */
const clauseEnds = new RegExp(
	[
		`${unabbreviated}\\.["”’)]*${beforeSentence}`,
		/[!?…]+(?=\s|$)/u.source,
		`[!?…]+["”’)]+${beforeSentence}`,
		/[;；。！？؟।]|\s[-–—]+\s|—/u.source,
		/\n\s*\n|\n(?!\s*\p{Ll})/u.source,
	].join('|'),
	'gu',
);

/** One within a number is none. */
const commas = /,(?=\s|$)|[，،]/g;

/** What stands in quotation marks or parentheses belongs together. */
const enclosed =
	/"[^"\n]{1,200}"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|「[^」\n]{1,200}」|\([^()\n]{1,200}\)/g;

function clausesOf(prompt: string): string[] {
	const text = withoutMarkdown(beginningOf(prompt.trimStart(), maxReadLength));
	return split(withoutQuotationMarks(text.trim()), clauseEnds);
}

function partsOf(clause: string): string[] {
	return split(clause, commas).map((part) => altText(part, maxReadLength));
}

/** The pieces between separators that are not enclosed; one that ends with what encloses it is not. */
function split(text: string, separator: RegExp): string[] {
	const whole = [...text.matchAll(enclosed)];
	const separators = [...text.matchAll(separator)].filter(
		({ index, 0: mark }) =>
			!whole.some((one) => one.index < index && index + mark.length < one.index + one[0].length),
	);
	const starts = [0, ...separators.map(({ index, 0: mark }) => index + mark.length)];
	return starts
		.map((start, which) => text.slice(start, separators[which]?.index))
		.filter(saysSomething);
}

/** Those around all of a text, and one at its beginning that has lost the other. */
function withoutQuotationMarks(text: string): string {
	const close = closingMarks.get(text.charAt(0));
	if (close === undefined) {
		return text;
	}
	const end = text.slice(1).search(close);
	if (end < 0) {
		return text.startsWith("'") ? text : text.slice(1);
	}
	return end === text.length - 2 ? text.slice(1, -1) : text;
}

/** An apostrophe within a word closes nothing. */
const closingMarks: ReadonlyMap<string, RegExp> = new Map([
	['"', /"/],
	['“', /”/],
	['„', /[“”]/],
	['«', /»/],
	['「', /」/],
	["'", /'(?!\p{L})/u],
]);

function saysSomething(text: string): boolean {
	return /[^\p{P}\p{Z}\p{C}]/u.test(text);
}

function subjectIn(clause: string): string {
	const parts = partsOf(clause).map(withoutStyle);
	const [first, ...others] = parts.filter((part) => part !== '');
	if (first === undefined) {
		return '';
	}
	const isWord = !/\s/.test(first) && /^[\p{Script=Latin}'’-]+$/u.test(first);
	const more = listed(others) || (isWord ? 1 : 0);
	return [first, ...others.slice(0, more)].join(', ');
}

/** How many of the parts behind the first belong to a list that it begins; it ends with an "and". */
function listed(others: readonly string[]): number {
	const end = others.findIndex((part) => /^(?:(?:\S+ ){1,4})?(?:and|or) \S/i.test(part));
	const items = others.slice(0, Math.max(0, end));
	return items.every((part) => part.split(' ').length <= maxItemLength) ? end + 1 : 0;
}

/** In words. */
const maxItemLength = 4;

/** Empty where it is about style alone. */
function withoutStyle(part: string): string {
	if (isStyle(part)) {
		return '';
	}
	const begun = withoutBeginning(
		part.replace(/\s?\(([^()]*)\)/g, (whole, inner: string) =>
			inner.split(',').every(isStyle) ? '' : whole,
		),
	);
	const text = withoutEnd(begun).trim();
	if (!saysSomething(text) || isStyle(text) || title.test(text)) {
		return '';
	}
	return /^\p{Lu}/u.test(part) ? text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : text;
}

/** What asks for an image of the subject: "Please draw a flat illustration of …", "Icon style: …". */
function withoutBeginning(text: string): string {
	const asked = text.replace(request, '');
	const [, kind, subject] =
		/^([^:]{1,80}?)(?::| of| showing| depicting| that shows) (.+)/.exec(asked) ?? [];
	const isKind = kind !== undefined && (isStyle(kind) || label.test(kind));
	return isKind && subject !== undefined ? subject : asked;
}

/** What names the image before it says what that shows. */
const label = /^(?:(?:an?|the) )?(?:\S+ )?(?:image|picture|prompt|subject)$/i;

/** What stands above a prompt. */
const title = /^(?:the )?(?:(?:image|picture) )?(?:prompt|subject|description)$/i;

const request =
	/^(?:please |(?:can|could|would|will) you (?:please )?)?(?:(?:create|generate|draw|make|paint|render|illustrate|design|show|give)(?: me| us)?|i(?: want| need| would like|['’]d like)) (?=(?:an?|the|one|two|three|some) )/i;

function withoutEnd(text: string): string {
	for (let rest = text; ;) {
		const patterns = styleAtEnd.reduce((kept, pattern) => kept.replace(pattern, ''), rest);
		const [, before, end = ''] = /(.+) ((?:as|in|on|with) .+)/.exec(patterns) ?? [];
		const shorter = before !== undefined && isStyle(end) ? before : patterns;
		if (shorter === rest) {
			return rest;
		}
		rest = shorter;
	}
}

function cut(subject: string): string {
	const text = altText(subject);
	const whole = altText(subject, maxReadLength);
	const kept = text.length < whole.length ? withoutDanglingWords(text.split(' ')).join(' ') : text;
	return kept.replace(/[\s\p{Pd},;:(]+$/u, '');
}
