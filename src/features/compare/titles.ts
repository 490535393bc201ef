import { safeText } from '../../editor/untrustedText.js';
import { segments } from '../../images/segments.js';

/** A tab is as wide as its title. In graphemes, of each of the two. */
const maxTitleLength = 40;

/** As much of the end of a name is shown in any case: versions of an image differ there. */
const maxEndLength = 14;

/**
 * The names of two files, fit for one title: what is too long is shortened in the middle, so that the
 * part where they differ stays.
 */
export function titleOfPair(left: string, right: string): string {
	const names = [left, right].map((name) =>
		[...segments(safeText(name), 'grapheme')].map(({ segment }) => segment),
	);
	const [first = [], second = []] = names;
	const differ = first.findIndex((grapheme, index) => grapheme !== second[index]);
	const from = differ < 0 ? first.length : differ;
	return names.map((name) => shortenedAround(name, from)).join(' ↔ ');
}

/** @param differ where the name begins to differ from the other one */
function shortenedAround(name: readonly string[], differ: number): string {
	if (name.length <= maxTitleLength) {
		return name.join('');
	}
	const lengthOfStart = maxTitleLength - maxEndLength - 1;
	const startOfEnd = name.length - maxEndLength;
	const end = name.slice(1 - maxTitleLength);
	if (differ >= lengthOfStart && differ >= name.length - end.length && differ < startOfEnd) {
		return ['…', ...end].join('');
	}
	// What differs in the part that would go is shown in the place of the beginning.
	const start =
		differ < lengthOfStart || differ >= startOfEnd
			? name.slice(0, lengthOfStart)
			: ['…', ...name.slice(differ, Math.min(differ + lengthOfStart - 1, startOfEnd))];
	return [...start, '…', ...name.slice(-maxEndLength)].join('');
}
