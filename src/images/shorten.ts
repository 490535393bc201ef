import { segments } from './segments.js';

/**
 * Returns `text` itself where it fits, else its longest beginning that does. The cut falls between
 * words if that keeps at least half of it, and never inside a grapheme, which is what a reader
 * takes for one character: a letter with its marks, a family emoji (Unicode Standard Annex 29).
 * Languages that write no spaces have words too; the segmenter's dictionary knows them.
 *
 * The result is empty where the first grapheme alone is too long.
 * @param fits whether a beginning with that many graphemes is short enough. Where one is not, a
 * longer one must not be either.
 */
export function shorten(
	text: string,
	fits: (beginning: string, graphemes: number) => boolean,
): string {
	// A grapheme may be as long as the text, so most of a long one is looked at only where it fits.
	const near = beginningOf(text, maxLookedAt);
	const shortened = shortenedWhole(near, fits);
	return near !== text && shortened === near ? shortenedWhole(text, fits) : shortened;
}

function shortenedWhole(
	text: string,
	fits: (beginning: string, graphemes: number) => boolean,
): string {
	const boundaries = new Set([0]);
	let end = 0;
	for (const { index, segment } of segments(text, 'grapheme')) {
		const next = index + segment.length;
		if (!fits(text.slice(0, next), boundaries.size)) {
			return text.slice(0, wordBoundary(text, end, boundaries));
		}
		boundaries.add(next);
		end = next;
	}
	return text;
}

/**
 * The beginning of a text that may be of any length, before anything is done with it that takes time
 * for each character.
 * @param longest in UTF-16 code units; one less where that would cut a pair of surrogates
 */
export function beginningOf(text: string, longest: number): string {
	return text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}

/** In UTF-16 code units. */
const maxLookedAt = 4096;

/** In UTF-16 code units: what stands behind a cut may belong to the word before it. */
const maxLookedAhead = 100;

/** The last boundary between words at or before `end`; `end` itself if that one is too far away. */
function wordBoundary(text: string, end: number, boundaries: ReadonlySet<number>): number {
	let last = 0;
	// Where dictionaries are asked, all of a run of such letters is looked up before the first word.
	for (const { index } of segments(text.slice(0, end + maxLookedAhead), 'word')) {
		if (index > end) {
			break;
		}
		if (boundaries.has(index)) {
			last = index;
		}
	}
	return last * 2 >= end ? last : end;
}
