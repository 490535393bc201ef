import { statSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../files/fsErrors.js';
import { readBoundedSync } from '../../files/boundedRead.js';
import { markdownLanguages } from '../languages.js';
import { partsOf } from '../notebook.js';
import { Folders } from '../reading/folders.js';
import { sitesAbove } from '../reading/sitesAbove.js';
import type { Site } from '../sites.js';
import type { SearchOrder, SearchRoot } from '../reading/searchOrder.js';
import { missingFile, missingIn, type MissingImage } from './missingIn.js';
import { everyImageIsThere } from './quickLook.js';

/** Result of a step. */
export interface ScanAnswer {
	/** Places that are left: documents, and folders with `/` at the end. */
	readonly open: readonly string[];
	/** Number of documents that were read. */
	readonly documents: number;
	readonly images: readonly MissingImage[];
	/** True if that are all of them; of one document there are 500 at most. */
	readonly complete: boolean;
	readonly problems: readonly ScanProblem[];
}

/** A folder or document that could not be read; the others were. */
export interface ScanProblem {
	readonly path: string;
	/** A code of the operating system such as `EACCES`, or `TooLarge`. */
	readonly code: string;
}

/** In milliseconds; the user sees no difference to now. */
const maxStepMs = 50;
/** Number of images of a document, and about that of a step: taking them takes time as well. */
const maxImages = 500;
/** Documents above that many bytes are not read: no user wrote them, and a parser holds them whole. */
export const maxDocumentBytes = 8 * 1024 * 1024;

/**
 * Looks at places for about 50 ms, or at one if that takes longer: in folders for folders and
 * Markdown documents and notebooks, in these for images that they refer to and that do not exist. Left out is
 * what the settings exclude, what git ignores, and always `.git` and `node_modules`.
 *
 * Symbolic links are not followed: what they lead to inside a root is visited at its own place, and
 * outside of it no image may be written.
 */
export function scan({ root, places, respectGitignore }: SearchOrder): ScanAnswer {
	const startedAt = performance.now();
	const open = [...places];
	const inside: string[] = [];
	const images: MissingImage[] = [];
	const problems: ScanProblem[] = [];
	const sites = new Map<string, readonly Site[]>();
	let documents = 0;
	let complete = true;
	const onProblem = (where: string, error: unknown) => {
		problems.push({ path: path.normalize(where), code: codeOf(error) || String(error) });
	};
	const folders = new Folders(root, { names: documentName, respectGitignore, onProblem });
	for (let place; (place = open.pop()) !== undefined;) {
		try {
			if (place.endsWith('/') || (place === root.path && statSync(place).isDirectory())) {
				inside.push(...folders.inside(place));
			} else {
				documents++;
				const document = path.normalize(place);
				const folder = path.dirname(document);
				sites.set(folder, sites.get(folder) ?? sitesAbove(folder, root.workspaceFolder));
				const found = missingImages(document, root, sites.get(folder) ?? []);
				images.push(...found.slice(0, maxImages));
				complete &&= found.length <= maxImages;
			}
		} catch (error) {
			onProblem(place, error);
		}
		if (images.length >= maxImages || performance.now() - startedAt > maxStepMs) {
			break;
		}
	}
	return { open: [...open, ...inside], documents, images, complete, problems };
}

const documentName = new RegExp(
	`\\.(?:ipynb|${markdownLanguages.flatMap(({ extensions }) => extensions).join('|')})$`,
	'i',
);

/** Reads a document as the editor does: in UTF-8, or UTF-16 where it says so by its first bytes. */
function missingImages(
	document: string,
	{ workspaceFolder, publicFolder }: SearchRoot,
	sites: readonly Site[],
): MissingImage[] {
	const bytes = readBoundedSync(document, { maxBytes: maxDocumentBytes });
	const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
	// As positions in the editor, those of the references do not count a byte order mark.
	const text = bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
	const linking = { document, workspaceFolder, publicFolder, sites };
	const isThere = (href: string) => missingFile(href, linking) === undefined;
	return partsOf(document, text).flatMap((part) =>
		everyImageIsThere(part.text, isThere)
			? []
			: [...missingIn(part.text, linking)].map((image) => {
					const { span, destinationSpan } = image.reference;
					const places = { span: part.place(span), destinationSpan: part.place(destinationSpan) };
					return { ...image, reference: { ...image.reference, ...places } };
				}),
	);
}
