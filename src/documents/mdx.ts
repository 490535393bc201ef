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
		alt: markdownAlt(alt),
		after: `](${markdownDestination(path)})`,
	};
}
