import { htmlAlt } from './html.js';
import { markdownAlt } from './markdown.js';
import type { Span } from './span.js';

/** Replacement of an alt text; its span is that of the link's text. */
interface Replacement extends Span {
	readonly text: string;
}

/**
 * Returns how the alt text of an image link is replaced; `undefined` for links of other forms than
 * `![…](…)` and `<img alt="…">`.
 *
 * @param link the whole link, as it is written
 * @param alt plain text
 */
export function replaceAlt(link: string, alt: string): Replacement | undefined {
	const markdown = /^!\[((?:\\.|\[(?:\\.|[^\]\\])*\]|[^[\]\\])*)\]/s.exec(link);
	if (markdown !== null) {
		return { start: 2, end: markdown[0].length - 1, text: markdownAlt(alt) };
	}
	const html = /^<img\b(?:[^>"']|"[^"]*"|'[^']*')*?\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(link);
	if (html !== null) {
		const end = html[0].length;
		const written = html[1] ?? html[2] ?? '';
		// With its quotes, of which either may stand there.
		return { start: end - written.length - 2, end, text: `"${htmlAlt(alt)}"` };
	}
	return undefined;
}
