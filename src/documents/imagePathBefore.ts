import { asciidocTarget } from './asciidoc.js';
import { htmlSource } from './html.js';
import type { DocumentFormat } from './languages.js';
import { latexPath } from './latex.js';
import { markdownDestination } from './markdown.js';
import { restructuredTextUri } from './restructuredText.js';
import { typstString } from './typst.js';

interface Syntax {
	/** Text before the cursor where a path of an image is expected; the group is its start. */
	readonly before: RegExp;
	readonly write: (path: string) => string;
}

/** The path of an image that the user is about to write. */
interface UnfinishedPath {
	/** Part of it that stands there. */
	readonly typed: string;
	/** Writes a path as it has to stand there; see `LinkParts.path`. */
	readonly write: (path: string) => string;
}

const markdown: Syntax = { before: /!\[[^\]]*\]\(<?([^)\s]*)$/, write: markdownDestination };
const html: Syntax = { before: /<img\b[^>]*\bsrc=["']([^"']*)$/i, write: htmlSource };

const syntaxes: Readonly<Record<DocumentFormat, readonly Syntax[]>> = {
	markdown: [markdown, html],
	mdx: [markdown, html],
	html: [html],
	vue: [html],
	asciidoc: [{ before: /image::?([^[\s]*)$/, write: asciidocTarget }],
	restructuredText: [{ before: /\.\. (?:image|figure):: *(\S*)$/, write: restructuredTextUri }],
	latex: [{ before: /\\includegraphics(?:\[[^\]]*\])?\{([^}]*)$/, write: latexPath }],
	typst: [{ before: /image\("([^"]*)$/, write: typstString }],
};

/**
 * The path of an image that is about to be written at the end of a text.
 *
 * @param line up to the cursor; of a longer one the last 1,000 UTF-16 code units are looked at
 * @returns `undefined` where none is
 */
export function imagePathBefore(format: DocumentFormat, line: string): UnfinishedPath | undefined {
	const near = line.slice(-maxLookLength);
	for (const { before, write } of syntaxes[format]) {
		const typed = before.exec(near)?.[1];
		if (typed !== undefined) {
			return { typed, write };
		}
	}
	return undefined;
}

/** In UTF-16 code units. The time that it takes grows with its square. */
const maxLookLength = 1000;
