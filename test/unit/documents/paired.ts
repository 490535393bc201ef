import { darkPairs } from '../../../src/documents/darkPair.js';
import { findImages } from '../../../src/documents/findImages.js';
import { imagePaths } from '../../../src/documents/imagePaths.js';
import type { Site } from '../../../src/documents/sites.js';
import { file } from './troublesome.js';

/** The place of a text, with absolute paths. */
interface Options {
	readonly site?: Site | undefined;
	readonly document?: string;
	readonly workspaceFolder?: string;
	readonly languageId?: string | undefined;
	/** Folder of the pictures `a.png` and `a-dark.png`. */
	readonly folder?: string;
}

/** Returns the text with all its pictures as pairs; `undefined` where one has no form. */
export function paired(text: string, options: Options = {}): string | undefined {
	const {
		site,
		document = '/w/docs/page.md',
		workspaceFolder = '/w',
		languageId = 'markdown',
		folder = '/w/docs',
	} = options;
	const links =
		languageId === 'markdown' || languageId === 'mdx'
			? findImages(text).map(({ span, destinationSpan: pathSpan, alt }) => ({
					span,
					pathSpan,
					alt,
				}))
			: imagePaths(text).map((span) => ({ span, pathSpan: span, alt: '' }));
	const pair = {
		...{ document: file(document), workspaceFolder: file(workspaceFolder) },
		...{ sites: site ? [site] : [] },
		...{ light: file(`${folder}/a.png`), dark: file(`${folder}/a-dark.png`) },
	};
	const light = links.filter(
		({ pathSpan: { start, end } }) => !text.slice(start, end).includes('a-dark'),
	);
	const { changes, left } = darkPairs(text, light, languageId, pair);
	const written = changes.reduceRight(
		(now, { start, end, newText }) => now.slice(0, start) + newText + now.slice(end),
		text,
	);
	return left === 0 ? written : undefined;
}
