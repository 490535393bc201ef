import { html, type TemplateResult } from 'lit';

/** Enough to tell `harbor-night-1.png` from `harbor-night-2.png`. */
const defaultTailLength = 12;

/**
 * A file name that is shortened in the middle where there is no room.
 *
 * @param tailLength how much of its end is always seen, in graphemes
 */
export function shortenedName(name: string, tailLength?: number): TemplateResult {
	const [start, tail] = divideName(name, tailLength);
	return html`
		<bdi class="name" title=${name}>
			<span class="whole">${name}</span>
			<span class="start" aria-hidden="true">${start}</span>
			<span class="tail" aria-hidden="true">${tail}</span>
		</bdi>
	`;
}

/**
 * Divides a file name so that it can be shortened in the middle: the first part gives way where
 * there is no room, the second, which tells one version from another, stays.
 */
export function divideName(
	name: string,
	tailLength = defaultTailLength,
): readonly [start: string, tail: string] {
	const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
	const parts = [...graphemes.segment(name)].map(({ segment }) => segment);
	return parts.length <= 2 * tailLength
		? [name, '']
		: [parts.slice(0, -tailLength).join(''), parts.slice(-tailLength).join('')];
}
