import { lineBounds } from './lines.js';
import type { Span } from './span.js';

/**
 * The metadata at the beginning of a document, between its delimiters: `---` with YAML or a script,
 * `+++` with TOML.
 */
export function frontMatter(text: string): { opening: Span; closing: Span } | undefined {
	const found = /^(---|\+\+\+)[ \t]{0,100}(?=\r?\n)/.exec(text);
	if (found === null) {
		return undefined;
	}
	const [opening, delimiter] = found;
	const end = delimiter === '---' ? /^(?:---|\.\.\.)[ \t]{0,100}\r?$/m : /^\+\+\+[ \t]{0,100}\r?$/m;
	const closing = end.exec(text.slice(opening.length));
	if (closing === null || !/\S/.test(text.slice(opening.length, opening.length + closing.index))) {
		return undefined;
	}
	const start = opening.length + closing.index;
	return {
		opening: { start: 0, end: opening.length },
		closing: { start, end: start + closing[0].trimEnd().length },
	};
}

/** Length of a line that is read, in UTF-16 code units. */
const maxLineLength = 1000;

/** Behind what begins a value of YAML or TOML: the value, in quotation marks or bare. */
const values =
	/(?:^[ \t]*-|[=[,{]|:(?=[ \t]|$))[ \t]*((?:"[^"]*"|'[^']*'|[^"'[\]{},#=\s](?:[^"'[\]{},#:=]|[:=](?=[^\s"']))*)?)(?=[ \t]*(?:[,\]}#]|$))/dg;

const imageName = /\.(?:png|jpe?g|webp|gif|svg|avif)$/i;

/** Returns where front matter names images, without quotation marks. */
export function metadataImages(text: string): Span[] {
	const { opening, closing } = frontMatter(text) ?? {};
	if (opening === undefined || closing === undefined) {
		return [];
	}
	const found: Span[] = [];
	let at = opening.end + 1;
	while (at < closing.start) {
		found.push(
			...valuesOf(text, at).filter(({ start, end }) => imageName.test(text.slice(start, end))),
		);
		// It ends before the closing delimiter.
		at = text.indexOf('\n', at) + 1;
	}
	return found;
}

/**
 * Returns the value of front matter that a place lies in and that an image's path can take the place of: one
 * that names an image, or none yet; without quotation marks.
 */
export function metadataValueAt(text: string, asked: Span): Span | undefined {
	const { opening, closing } = frontMatter(text) ?? {};
	if (opening === undefined || asked.start <= opening.end || asked.end >= closing!.start) {
		return undefined;
	}
	const value = valuesOf(text, asked.start).find(
		({ start, end }) => start - 1 <= asked.start && asked.end <= end + 1,
	);
	const written = value && text.slice(value.start, value.end);
	return written === '' || imageName.test(written ?? '') ? value : undefined;
}

/** The values of a line. */
function valuesOf(text: string, offset: number): Span[] {
	const { start, end } = lineBounds(text, offset);
	const line = text.slice(start, end);
	return end - start > maxLineLength || /^\s*#/.test(line)
		? []
		: [...line.matchAll(values)].map(({ 1: value = '', indices }) => {
				const from = start + (indices?.[1]?.[0] ?? 0);
				const isQuoted = /^["']/.test(value);
				const length = value.trimEnd().length;
				return isQuoted
					? { start: from + 1, end: from + length - 1 }
					: { start: from, end: from + length };
			});
}
