import { asciidocTarget } from './asciidoc.js';
import { htmlSource } from './html.js';
import { formatOf, type DocumentFormat } from './languages.js';
import { latexPath } from './latex.js';
import { decodePercent } from './localPath.js';
import { restructuredTextUri, sphinxPath } from './restructuredText.js';
import type { Span } from './span.js';
import { typstString } from './typst.js';

/** Old and new name: without a folder, as the file system has them. */
interface Renaming {
	readonly from: string;
	readonly to: string;
}

/** A piece of a text, and what stands there instead. */
interface Replaced extends Span {
	readonly newText: string;
}

/**
 * Returns the references to a file as they are written when it has another name. A place that
 * several images share, such as a definition of Markdown, is changed once.
 *
 * @param places of the paths as they are written; of Markdown, `<` and `>` included
 * @param languageId the editor's identifier of the text's language
 * @returns changes in the order of the text, none of which touches another
 * @throws {RangeError} where two places overlap: they cannot be changed together
 */
export function renamedReferences(
	text: string,
	places: readonly Span[],
	languageId: string,
	names: Renaming,
): Replaced[] {
	const distinct = new Map(places.map((place) => [`${place.start} ${place.end}`, place]));
	const ordered = [...distinct.values()].sort((a, b) => a.start - b.start || a.end - b.end);
	if (ordered.some(({ start }, index) => start < (ordered[index - 1]?.end ?? 0))) {
		throw new RangeError('paths of images overlap');
	}
	return ordered.map(({ start, end }) => ({
		start,
		end,
		newText: renamedPath(text.slice(start, end), languageId, names),
	}));
}

/**
 * Puts the new name into a path. What the names have in common stays as it is written, so that the
 * way back leads to the same text. Where the rest of the old name is not written plainly, the whole
 * name is written as the format has it.
 */
function renamedPath(written: string, languageId: string, { from, to }: Renaming): string {
	// A `#` behind `&` belongs to a character reference.
	const [, open = '', path = '', behind = ''] =
		/^(<?)([^]*?)((?:(?:\?|(?<!&)#)[^]*?)?>?)$/.exec(written) ?? [];
	const kept = lengthInCommon(from, to);
	const oldEnd = from.slice(kept);
	const newEnd = to.slice(kept);
	if (kept > 0 && plainEnd.test(newEnd) && path.endsWith(oldEnd)) {
		return open + path.slice(0, path.length - oldEnd.length) + newEnd + behind;
	}
	const folder = path.slice(0, path.lastIndexOf('/') + 1);
	return open + folder + nameIn(languageId, path, to) + behind;
}

/** Reads the same in every format, and whatever escapes stand before it. */
const plainEnd = /^[-.][\da-z.-]*$/i;

/** Up to where both go on with `-` or `.`, which are in the middle of no escape; 0 where nowhere. */
function lengthInCommon(from: string, to: string): number {
	let length = 0;
	while (length < from.length && from[length] === to[length]) {
		length++;
	}
	while (length > 0 && !(/[-.]/.test(from[length] ?? '') && /[-.]/.test(to[length] ?? ''))) {
		length--;
	}
	return length;
}

/** The name as it stands in a path. @param path as the old one is written */
function nameIn(languageId: string, path: string, name: string): string {
	const format = formatOf(languageId);
	return format === undefined ? name : writers[format](name, path);
}

const writers: Readonly<Record<DocumentFormat, (name: string, path: string) => string>> = {
	markdown: webName,
	mdx: webName,
	html: webName,
	vue: webName,
	asciidoc: asciidocTarget,
	// Docutils decodes a path, Sphinx does not.
	restructuredText: (name, path) =>
		decodePercent(path) === path ? sphinxPath(name) : restructuredTextUri(name),
	latex: latexPath,
	typst: typstString,
};

/** As all destinations of Markdown take it, and all attributes of HTML, whichever marks enclose them. */
function webName(name: string): string {
	return htmlSource(name).replace(
		/['()]/g,
		(mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}
