import { hideSecrets, maxEncodedLength } from './redact.js';

/** Length of the service's words that are shown and stored, in UTF-16 code units. */
const maxWordsLength = 2000;

/**
 * Returns a text of the service as it goes on from here: in one line, without what a terminal or a
 * log would take for more than text, or what turns the direction of the text around it, without
 * secrets, of a bounded length, in UTF-16 code units. It ends with a whole character.
 *
 * @param text at most some tens of thousands of characters
 * @param secrets what the service was sent and may repeat
 */
export function serviceText(
	text: string,
	secrets: readonly string[],
	maxLength = maxWordsLength,
): string {
	const flat = text
		.toWellFormed()
		.replace(sequences, '')
		.replace(/[\s\u0085]+/g, ' ')
		.replace(unseen, '')
		.trim();
	// Not before: without what was between them, two halves of a key are one; nor behind the cut.
	return cut(hideSecrets(flat, secrets), maxLength);
}

/**
 * Yields a text of the service that comes in pieces: with its line breaks and all of its length, else
 * as {@link serviceText}, also where a secret is split over pieces. Its last characters wait for what
 * follows them.
 */
export async function* serviceTextPieces(
	pieces: AsyncIterable<string>,
	secrets: readonly string[],
): AsyncGenerator<string, void> {
	const heads = secrets.map((secret) => secret.slice(0, headLength));
	const maxSecretLength = Math.max(0, ...secrets.map(maxEncodedLength));
	let held = '';
	let broken: { readonly by: unknown } | undefined;
	try {
		for await (const piece of pieces) {
			held += piece.replace(unseenInLines, '');
			if (held.length <= maxHeadLength || halfCharacter.test(held)) {
				continue;
			}
			const clean = hideSecrets(held, secrets);
			const end = clean.slice(-maxSecretLength);
			// Where a secret has begun, its rest is waited for, but not for ever.
			if (hideSecrets(end, heads) === end || held.length > maxHeldLength) {
				const shown = clean.slice(0, -maxHeadLength).replace(halfCharacter, '');
				yield shown;
				held = clean.slice(shown.length);
			}
		}
	} catch (error) {
		broken = { by: error };
	}
	if (held !== '') {
		yield hideSecrets(held, secrets);
	}
	if (broken !== undefined) {
		throw broken.by;
	}
}

/** Characters of a secret by which its start is recognised, and their longest form (`\u0041`). */
const headLength = 8;
const maxHeadLength = 6 * headLength;

/** The first half of a character at the end of a text; without the other one it would be lost. */
const halfCharacter = /[\ud800-\udbff]$/;

/** More than a key has in any form that is found, in UTF-16 code units. */
const maxHeldLength = 4096;

/**
 * Sequences that a terminal obeys (ECMA-48, part 5). No scan passes the beginning of another sequence, so that
 * none takes longer than its text is long, as Node's own `stripVTControlCharacters` can.
 */
const sequences =
	// eslint-disable-next-line no-control-regex -- these are the characters that must go
	/(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009b-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

/** Control characters, and what has no look of its own, but for that which joins letters. */
const unseen = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** The same, without tabs and line breaks. */
const unseenInLines = new RegExp(`(?![\\t\\n])${unseen.source}`, 'gu');

function cut(text: string, maxLength: number): string {
	if (text.length <= maxLength) {
		return text;
	}
	const characters = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);
	const { index: last } = characters.containing(maxLength - 1)!;
	// One that is longer than all that is shown is cut all the same.
	return `${last > 0 ? text.slice(0, last) : text.slice(0, maxLength - 1).toWellFormed()}…`;
}
