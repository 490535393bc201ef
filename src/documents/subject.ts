import { withoutDanglingWords } from '../images/danglingWords.js';
import { beginningOf } from '../images/shorten.js';
import { altText } from './altText.js';
import { isStyle, styleAtEnd } from './styleWords.js';

/**
 * What an image shows, as its prompt says it: the first clause that is not about style, without
 * what asks for an image ("Create an illustration of …"), and without words of style at its end.
 * "Flat illustration of a harbor at dusk, no text" becomes "A harbor at dusk". Commas of a list do
 * not end a clause ("a fox, a hen and a rabbit"), and a clause of one word takes the next one along.
 *
 * In one line of at most 125 characters (UTF-16 code units), cut between words, and then without
 * words that would wait for the next one. Words of style are English; of a prompt in another
 * language it is the first clause. Empty where the prompt has nothing to see; else never.
 */
export function subjectOf(prompt: string): string {
	const clauses = clausesOf(beginningOf(prompt.trimStart(), longestRead));
	for (const clause of clauses) {
		const subject = subjectIn(clause);
		if (subject !== '') {
			return cut(subject);
		}
	}
	// All of it is about style: better that than nothing.
	return cut(altText(partsOf(clauses[0] ?? '')[0] ?? '')) || altText(prompt);
}

/** More than that, of which 125 characters are to be seen, nobody writes. */
const longestRead = 4000;

/**
 * Ends of sentences, semicolons, dashes between words, and line breaks but for those within a
 * sentence. No full stop of an abbreviation or an initial, and none before a small letter.
 */
const clauseEnds =
	/(?<!(?:^|[\s("])(?:\p{L}|Mrs?|Ms|Dr|St|vs|etc|ca|approx|No|e\.g|i\.e))\.["”’)]*(?=\s+[^\s\p{Ll}]|\s*$)|[!?…]+["”’)]*(?=\s|$)|[;；。！？؟।]|\s[-–—]+\s|—|\n\s*\n|\n(?!\s*\p{Ll})/u;

function clausesOf(text: string): string[] {
	return text
		.replace(/\r\n?|[\u2028\u2029]/g, '\n')
		.split(clauseEnds)
		.filter(saysSomething);
}

/** Between commas; one within a number or within parentheses is none. */
function partsOf(clause: string): string[] {
	return clause
		.split(/,(?=\s|$)(?![^()]*\))|[，،]/)
		.map((part) => altText(part, longestRead))
		.filter(saysSomething);
}

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
	return items.every((part) => part.split(' ').length <= longestItem) ? end + 1 : 0;
}

/** In words. */
const longestItem = 4;

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
	if (!saysSomething(text) || isStyle(text)) {
		return '';
	}
	return begun !== part && /^\p{Lu}/u.test(part)
		? text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
		: text;
}

/** What asks for an image of the subject: "Please draw a flat illustration of …", "Icon style: …". */
function withoutBeginning(text: string): string {
	const asked = text.replace(
		/^(?:please )?(?:create|generate|draw|make|paint|render|illustrate|design|show) (?:me |us )?(?=(?:an?|the|one|two|three|some) )/i,
		'',
	);
	const [, kind, subject] =
		/^([^:]{1,80}?)(?::| of| showing| depicting| that shows) (.+)$/.exec(asked) ?? [];
	const isKind =
		kind !== undefined &&
		(isStyle(kind) ||
			/^(?:(?:an?|the) )?(?:(?:\S+) )?(?:image|picture|prompt|subject)$/i.test(kind));
	return isKind && subject !== undefined ? subject : asked;
}

function withoutEnd(text: string): string {
	for (let rest = text; ;) {
		const patterns = styleAtEnd.reduce((kept, pattern) => kept.replace(pattern, ''), rest);
		const [, before, end = ''] = /^(.+) ((?:as|in|on|with) .+?)$/.exec(patterns) ?? [];
		const shorter = before !== undefined && isStyle(end) ? before : patterns;
		if (shorter === rest) {
			return rest;
		}
		rest = shorter;
	}
}

function cut(subject: string): string {
	const text = altText(subject);
	const whole = altText(subject, longestRead);
	const kept = text.length < whole.length ? withoutDanglingWords(text.split(' ')).join(' ') : text;
	return kept.replace(/[\s\p{Pd},;:(]+$/u, '');
}
