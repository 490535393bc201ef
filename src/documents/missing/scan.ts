import { statSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../files/fsErrors.js';
import { readBoundedSync } from '../../files/boundedRead.js';
import type { LinkingDocument } from '../localPath.js';
import { languages, markdownLanguages, type DocumentLanguage } from '../languages.js';
import { partsOf } from '../notebook.js';
import { checkDocument, type CheckedDocument } from '../check/checkDocument.js';
import type { Finding } from '../check/finding.js';
import { ImageFiles, type MadeImages } from '../check/imageFiles.js';
import type { CheckSettings } from '../check/rules.js';
import { Folders } from '../reading/folders.js';
import { sitesAbove } from '../reading/sitesAbove.js';
import type { Site } from '../sites.js';
import type { SearchOrder } from '../reading/searchOrder.js';
import { missingFile, missingIn, type MissingImage } from './missingIn.js';
import { everyImageIsThere } from './quickLook.js';

/** One step of a search for missing images, or of a check of documents. */
export interface ScanOrder extends SearchOrder {
	/** With them, documents of all formats are checked; without, Markdown is searched. */
	readonly check?: CheckSettings | undefined;
	/** As in `ImageFiles`. */
	readonly made?: MadeImages | undefined;
}

/** Result of a step. */
export interface ScanAnswer {
	/** Places that are left: documents, and folders with `/` at the end. */
	readonly open: readonly string[];
	/** Number of documents that were read. */
	readonly documents: number;
	readonly images: readonly MissingImage[];
	readonly findings: readonly Finding[];
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
const maxFindings = 2000;
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
export async function scan(order: ScanOrder): Promise<ScanAnswer> {
	const { root, places, respectGitignore, check, made } = order;
	const startedAt = performance.now();
	const open = [...places];
	const inside: string[] = [];
	const images: MissingImage[] = [];
	const findings: Finding[] = [];
	const files = new ImageFiles(made);
	const problems: ScanProblem[] = [];
	const sites = new Map<string, readonly Site[]>();
	let documents = 0;
	let complete = true;
	const onProblem = (where: string, error: unknown) => {
		problems.push({ path: path.normalize(where), code: codeOf(error) || String(error) });
	};
	const names = check === undefined ? markdownName : documentName;
	const folders = new Folders(root, { names, respectGitignore, onProblem });
	for (let place; (place = open.pop()) !== undefined;) {
		try {
			if (place.endsWith('/') || (place === root.path && statSync(place).isDirectory())) {
				inside.push(...folders.inside(place));
			} else {
				documents++;
				const document = path.normalize(place);
				const folder = path.dirname(document);
				sites.set(folder, sites.get(folder) ?? sitesAbove(folder, root.workspaceFolder));
				const { workspaceFolder, publicFolder } = root;
				const linking = { document, workspaceFolder, publicFolder, sites: sites.get(folder) };
				const text = read(document);
				const found: CheckedDocument =
					check === undefined
						? { missing: missingImages(text, linking), findings: [] }
						: await checkDocument(text, linking, check, files);
				images.push(...found.missing.slice(0, maxImages));
				findings.push(...found.findings.slice(0, maxFindings));
				complete &&= found.missing.length <= maxImages && found.findings.length <= maxFindings;
			}
		} catch (error) {
			onProblem(place, error);
		}
		if (images.length + findings.length >= maxImages || performance.now() - startedAt > maxStepMs) {
			break;
		}
	}
	return { open: [...open, ...inside], documents, images, findings, complete, problems };
}

function nameOf(all: readonly DocumentLanguage[]): RegExp {
	return new RegExp(`\\.(?:ipynb|${all.flatMap(({ extensions }) => extensions).join('|')})$`, 'i');
}

const markdownName = nameOf(markdownLanguages);
const documentName = nameOf(languages);

/** Reads a document as the editor does: in UTF-8, or UTF-16 where it says so by its first bytes. */
function read(document: string): string {
	const bytes = readBoundedSync(document, { maxBytes: maxDocumentBytes });
	const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
	// As positions in the editor, those of the references do not count a byte order mark.
	return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
}

function missingImages(text: string, linking: LinkingDocument): MissingImage[] {
	const isThere = (href: string) => missingFile(href, linking) === undefined;
	return partsOf(linking.document, text).flatMap((part) =>
		everyImageIsThere(part.text, isThere)
			? []
			: [...missingIn(part.text, linking)].map((image) => {
					const { span, destinationSpan } = image.reference;
					const places = { span: part.place(span), destinationSpan: part.place(destinationSpan) };
					return { ...image, reference: { ...image.reference, ...places } };
				}),
	);
}
