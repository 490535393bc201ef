import { distance } from 'fastest-levenshtein';

/** A word or line of a picture that is other than it should be. */
export interface WrongWords {
	/** As the picture has it; `undefined` where it is missing altogether. */
	readonly seen: string | undefined;
	readonly expected: string;
}

/** Shorter words differ in too little to be distinguished, in characters. */
const minWordLength = 4;

/** Share of an expected text that may differ where the picture means it. */
const maxShare = 0.4;
/** The same for a text that the picture need not have. */
const maxSharePossible = 0.25;

/** More words and texts of one picture are not looked at. */
const maxSeen = 200;

/** Length of one text of a picture, in UTF-16 code units. */
const maxLineLength = 300;

/** Texts of a prompt, and of a document, beyond this are not looked through, in UTF-16 code units. */
const maxTextLength = 32_000;

/**
 * Compares the words of a picture with those that it should have. What a prompt has in quotation marks
 * is expected as it is. What the document or the glossary has in quotation marks, and each of their
 * words, need not be there; where the picture has nearly the same, it probably means that.
 *
 * @param seen the texts of the picture, each as it stands there
 * @param prompt what the picture was made from
 * @param known text whose words are right: the section of the document, the glossary
 */
export function findWrongWords(
	seen: readonly string[],
	prompt: string,
	known: string,
): WrongWords[] {
	const texts = seen
		.slice(0, maxSeen)
		.map((text) => oneLine(text.slice(0, maxLineLength)))
		.filter(Boolean);
	const whole = fold(texts.join(' '));
	const found: WrongWords[] = [];
	const taken = new Set<string>();
	for (const expected of quotedIn(prompt).slice(0, maxSeen)) {
		if (!whole.includes(fold(expected))) {
			const near = nearest(expected, foldedOf(texts), Math.ceil(expected.length * maxShare));
			found.push({ seen: near, expected });
			taken.add(near ?? '');
		}
	}
	for (const possible of quotedIn(known).slice(0, maxSeen)) {
		if (!whole.includes(fold(possible))) {
			const near = nearest(
				possible,
				foldedOf(texts),
				Math.floor(possible.length * maxSharePossible),
			);
			if (near !== undefined && !taken.has(near)) {
				found.push({ seen: near, expected: possible });
				taken.add(near);
			}
		}
	}
	const right = foldedOf([...wordsIn(known), ...wordsIn(prompt)]);
	const words = texts.filter((text) => !taken.has(text)).flatMap((text) => [...wordsIn(text)]);
	for (const word of words.slice(0, maxSeen)) {
		if (word.length >= minWordLength && !right.has(fold(word))) {
			const expected = nearest(word, right, word.length < 8 ? 1 : 2);
			if (expected !== undefined) {
				found.push({ seen: word, expected });
			}
		}
	}
	return found;
}

/** Returns what a text has in quotation marks, each once. */
export function quotedIn(text: string): string[] {
	const marks =
		/"(?=\S)([^"\n]{1,200})"|“([^”\n]{1,200})”|„([^“”\n]{1,200})[“”]|«([^»\n]{1,200})»|「([^」\n]{1,200})」/g;
	const found = [...text.slice(0, maxTextLength).matchAll(marks)].map((match) =>
		oneLine(match.slice(1).find((one) => one !== undefined) ?? '').replace(/[.,;:]$/, ''),
	);
	return [...new Set(found)].filter(Boolean);
}

function wordsIn(text: string): Set<string> {
	return new Set(text.slice(0, maxTextLength).match(/[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu));
}

/** Texts by what is compared of them. */
function foldedOf(texts: readonly string[]): ReadonlyMap<string, string> {
	return new Map(texts.map((text) => [fold(text), text]));
}

/** @param maxDistance in characters that are added, removed or replaced, and neighbors that are swapped */
function nearest(
	text: string,
	others: ReadonlyMap<string, string>,
	maxDistance: number,
): string | undefined {
	const folded = fold(text);
	let best: { readonly steps: number; readonly other: string } | undefined;
	for (const [candidate, other] of others) {
		if (Math.abs(candidate.length - folded.length) <= maxDistance) {
			const steps = isSwapped(folded, candidate) ? 1 : distance(folded, candidate);
			if (steps <= maxDistance && steps < (best?.steps ?? Infinity)) {
				best = { steps, other };
			}
		}
	}
	return best?.other;
}

/** Returns whether two texts differ in two neighboring characters that have changed places. */
function isSwapped(one: string, other: string): boolean {
	let at = 0;
	while (at < one.length && one[at] === other[at]) {
		at++;
	}
	const swapped = one.charAt(at + 1) + one.charAt(at);
	return at + 1 < one.length && one.slice(0, at) + swapped + one.slice(at + 2) === other;
}

/** Pictures often have capitals where a text has none, and one kind of mark for another. */
function fold(text: string): string {
	return oneLine(text).normalize('NFKC').toLocaleLowerCase('en').replaceAll('’', "'");
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}
