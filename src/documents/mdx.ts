import { markdownAlt, markdownDestination } from './markdown.js';
import type { LinkParts, ImageLink } from './imageLink.js';

/**
 * Returns the MDX of an image. It is Markdown whose alt text must not open an expression or an
 * element: MDX reads `{` and `<` there, while it takes a link destination as Markdown does, `<…>`
 * included (MDX 3, "What is MDX?", part "Markdown").
 */
export function mdxImage({ path, alt }: LinkParts): ImageLink {
	return {
		before: '![',
		alt: mdxAlt(alt),
		after: `](${markdownDestination(path)})`,
	};
}

/** The part between the square brackets. */
export function mdxAlt(alt: string): string {
	// What has a backslash already is taken whole, so that it does not get a second one.
	return markdownAlt(alt).replace(/\\.|[{<]/gu, (part) =>
		part.startsWith('\\') ? part : `\\${part}`,
	);
}
