import { altOf, type Alt, type PlainImage } from './alt.js';

/**
 * Finds the images of AsciiDoc: block macros and inline macros, outside of comments, literal paragraphs
 * and verbatim blocks.
 */
export function asciidocImages(text: string): PlainImage[] {
	const found: PlainImage[] = [];
	let verbatim: string | undefined;
	let above = '';
	for (const { 0: whole, index } of text.matchAll(/[^\n]+|\n/g)) {
		const line = whole.trimEnd();
		if (verbatim === undefined && delimiter.test(line)) {
			verbatim = line.startsWith('```') ? '```' : line;
		} else if (line === verbatim) {
			verbatim = undefined;
		} else if (verbatim === undefined && mayShow(line, above)) {
			for (const match of line.matchAll(macro)) {
				found.push(imageOf(match, index, above));
			}
		}
		// A line break of its own is an empty line where another one stands before it.
		above = whole === '\n' ? (text[index - 1] === '\n' ? '' : above) : line;
	}
	return found;
}

const delimiter = /^(?:-{4,}|\.{4,}|\/{4,}|\+{4,}|`{3}.*)$/;
const macro = /(?<![\w\\:])image::?([^:\s[\]][^[\]]{0,2000})\[((?:\\\]|[^\]])*)\]/dg;

function mayShow(line: string, above: string): boolean {
	return line.includes('image:') && !line.startsWith('//') && !(above === '' && /^\s/.test(line));
}

function imageOf(match: RegExpExecArray, lineStart: number, above: string): PlainImage {
	const [whole, target = '', attributes = ''] = match;
	const start = lineStart + match.index;
	const [from, to] = match.indices?.[1] ?? [0, 0];
	const isBlock = whole.startsWith('image::');
	const title = isBlock ? /^\.([^\s.].*)$/.exec(above)?.[1] : undefined;
	return {
		span: { start, end: start + whole.length },
		path: { start: lineStart + from, end: lineStart + to },
		// Attributes may come from anywhere.
		href: /\{[\w-]+\}/.test(target) ? '' : target,
		alt: altIn(attributes),
		caption: title ?? /(?:^|,)\s*title="([^"]*)"/.exec(attributes)?.[1],
	};
}

/** The alternative text is the first attribute without a name, or the one of that name. */
function altIn(attributes: string): Alt {
	const named = /(?:^|,)\s*alt\s*=\s*(?:"((?:\\"|[^"])*)"|([^,]*))/.exec(attributes);
	const [, quoted, bare = ''] = /^\s*(?:"((?:\\"|[^"])*)"|((?![\w-]+\s*=)[^,]*))/.exec(
		attributes,
	) ?? ['', undefined, ''];
	const written =
		named === null ? (quoted ?? (bare.trim() === '' ? undefined : bare)) : (named[1] ?? named[2]);
	const text = written?.replace(/\\(["\]])/g, '$1');
	return /\{[\w-]+\}/.test(text ?? '') ? { type: 'unknown' } : altOf(text);
}
