import { isLiteral } from '../restructuredTextAround.js';
import { altOf, type PlainImage } from './alt.js';

/** Finds the images of reStructuredText: its directives `image` and `figure`, also of substitutions. */
export function restructuredTextImages(text: string): PlainImage[] {
	if (!/\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?(?:image|figure)::/.test(text)) {
		return [];
	}
	const lines = [...text.matchAll(/^.*$/gm)].map(({ 0: line, index }) => ({
		start: index,
		line: line.trimEnd(),
		indent: /^[ \t]*/.exec(line)?.[0].length ?? 0,
	}));
	const found: PlainImage[] = [];
	/** Indentation of what a literal block belongs to. */
	let literal: number | undefined;
	for (const [at, { start, line, indent }] of lines.entries()) {
		if (line === '' || (literal !== undefined && indent > literal)) {
			continue;
		}
		literal = isLiteral(line.trim()) && !shown.test(line) ? indent : undefined;
		const match = directive.exec(line);
		if (match === null) {
			continue;
		}
		const [whole, before = '', name, type, argument = ''] = match;
		// In the cell of a table only its own columns count.
		const isCell = before.includes('|');
		const target = isCell ? argument.replace(/\s*\|.*$/, '') : argument;
		const first = start + before.length;
		const end = first + whole.length - before.length - argument.length + target.length;
		const { options, last, caption } = isCell
			? { options: '', last: undefined, caption: undefined }
			: contentBelow(lines.slice(at + 1, at + 1 + maxLines), indent);
		const written = /(?:^|\n)[ \t]*:alt:([^]*?)(?=\n[ \t]*:[\w-]+:|$)/.exec(options)?.[1] ?? name;
		found.push({
			span: { start: first, end: last === undefined ? end : last.start + last.line.length },
			path: { start: end - target.length, end },
			href: hrefOf(target),
			alt: isCell ? { type: 'unknown' } : altOf(written),
			caption: type === 'figure' ? caption : undefined,
		});
	}
	return found;
}

const directive =
	/^([ \t]*(?:\S{1,5}[ \t]+){0,3})\.\.[ \t]+(?:\|([^|]+)\|[ \t]+)?(image|figure)::[ \t]*(.*)$/;
/** Directives whose content is shown, though no image may be put into it. */
const shown = /\.\.\s+(?:list-table|table|image|figure)::|\|\s+image::/;
/** No directive has more options. */
const maxLines = 40;

interface TextLine {
	readonly start: number;
	readonly line: string;
	readonly indent: number;
}

/** The options of a directive, its last line, and the first paragraph of its content. */
function contentBelow(lines: readonly TextLine[], indent: number) {
	const isOutside = (one: TextLine) => one.line !== '' && one.indent <= indent;
	const below = lines.slice(
		0,
		lines.findIndex(isOutside) < 0 ? undefined : lines.findIndex(isOutside),
	);
	const blank = below.findIndex(({ line }) => line === '');
	const block = below.slice(0, blank < 0 ? undefined : blank);
	const content = below.slice(block.length).filter(({ line }) => line !== '');
	return {
		options: block.map(({ line }) => line).join('\n'),
		last: block.at(-1),
		caption: content[0]?.line.trim().replace(/^\.\..*/, ''),
	};
}

/** Escaped blanks count, others do not (Docutils, `directives.uri`). Names are not decoded by Sphinx. */
function hrefOf(argument: string): string {
	return argument.replace(/\\(.)|\s/g, '$1');
}
