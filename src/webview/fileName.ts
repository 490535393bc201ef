/** Enough to tell `harbor-night-1.png` from `harbor-night-2.png`. */
const tailLength = 12;

/**
 * Divides a file name so that it can be shortened in the middle: the first part gives way where
 * there is no room, the second, which tells one version from another, stays.
 *
 * @param tail how long the second part is, in graphemes
 */
export function divideName(
	name: string,
	tail = tailLength,
): readonly [start: string, tail: string] {
	const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
	const parts = [...graphemes.segment(name)].map(({ segment }) => segment);
	return parts.length <= 2 * tail
		? [name, '']
		: [parts.slice(0, -tail).join(''), parts.slice(-tail).join('')];
}
