import { createHash } from 'node:crypto';
import type { StyleGuide } from './styleGuide.js';

/** Part of a style guide that goes into a request. */
export type AppliedStyle = Pick<StyleGuide, 'text' | 'size'> & {
	/** SHA-256 of each of its reference images, hexadecimal, in order. */
	readonly references: readonly string[];
};

/**
 * Returns the text that is sent in the place of a prompt. The person's words come first, as they
 * are; then, behind an empty line, those of the style. Its reference images come behind the
 * person's own, so they are the last ones; that only their style counts has to be said, because the
 * service takes any reference image for something to show.
 *
 * @param references how many reference images the style has
 */
export function effectivePrompt(prompt: string, text: string, references: number): string {
	if (text === '' && references === 0) {
		return prompt;
	}
	const heading =
		references === 0
			? 'Style:'
			: references === 1
				? 'Style, as in the last image. Take the style of that image, not what it shows:'
				: `Style, as in the last ${String(references)} images. Take the style of these images, not what they show:`;
	return text === '' ? `${prompt}\n\n${heading.slice(0, -1)}.` : `${prompt}\n\n${heading}\n${text}`;
}

/** SHA-256 of all that a style guide applies, hexadecimal: another text of the same effect is the same. */
export function styleHash({ text, size, references }: AppliedStyle): string {
	return createHash('sha256')
		.update(JSON.stringify([text, size ?? null, references]))
		.digest('hex');
}

/** Returns whether it changes anything that is asked for. */
export function isEmptyStyle({ text, size, references }: StyleGuide): boolean {
	return text === '' && size === undefined && references.length === 0;
}
