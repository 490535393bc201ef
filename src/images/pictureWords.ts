import { distance } from 'fastest-levenshtein';

/** A word or line of a picture that is other than it should be. */
export interface WrongWords {
	/** As the picture has it; `undefined` where it is missing altogether. */
	readonly seen: string | undefined;
	readonly expected: string;
}

/** Shorter words differ in too little to be told apart, in characters. */
const minWordLength = 4;

/** How much of an expected text may differ where the picture means it, as a share of its length. */
const maxShare = 0.4;

/** Texts of a prompt, and of a document, beyond this are not looked through, in UTF-16 code units. */
const maxTextLength = 32_000;

/**
 * Compares the words of a picture with those that it should have. What a prompt has in quotation marks
 * is expected as it is; a word of the picture that is nearly one of the document or of the glossary is
 * probably that one.
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
	const texts = seen.map(oneLine).filter(Boolean);
	const quoted = quotedIn(prompt);
	const found: WrongWords[] = [];
	const taken = new Set<string>();
	for (const expected of quoted) {
		const whole = texts.join(' ');
		if (fold(whole).includes(fold(expected))) {
			continue;
		}
		const near = nearest(expected, texts, Math.ceil(expected.length * maxShare));
		found.push({ seen: near, expected });
		if (near !== undefined) {
			taken.add(near);
		}
	}
	const right = new Set([...wordsIn(known), ...wordsIn(prompt)]);
	const folded = new Set([...right].map(fold));
	for (const text of texts.filter((one) => !taken.has(one))) {
		for (const word of wordsIn(text)) {
			if (word.length >= minWordLength && !folded.has(fold(word))) {
				const expected = nearest(word, [...right], word.length < 8 ? 1 : 2);
				if (expected !== undefined) {
					found.push({ seen: word, expected });
				}
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

/** @param maxDistance in characters that are added, removed or replaced */
function nearest(text: string, others: readonly string[], maxDistance: number): string | undefined {
	const [best] = others
		.map((other) => ({ other, steps: distance(fold(text), fold(other)) }))
		.filter(({ steps }) => steps <= maxDistance)
		.sort((one, other) => one.steps - other.steps);
	return best?.other;
}

/** Pictures often have capitals where a text has none, and one kind of mark for another. */
function fold(text: string): string {
	return oneLine(text).normalize('NFKC').toLocaleLowerCase('en').replaceAll('’', "'");
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}
