import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { imageReferences, mayHaveImage, type ImageReference } from '../imageReferences.js';
import { localPath } from '../localPath.js';
import { everyImageIsThere } from './quickLook.js';
import { documentsIn, type Exclude, type ScanRoot } from './walk.js';

/** What one of the workers is told to do. */
export interface ScanOrder {
	readonly roots: readonly ScanRoot[];
	readonly exclude: Exclude;
	readonly respectGitignore: boolean;
	/** It reads the documents that fall to it, of so many workers. */
	readonly share: { readonly index: number; readonly of: number };
}

/** A reference to a file that does not exist. */
export interface MissingImage {
	/** Absolute path of the document. */
	readonly document: string;
	readonly reference: ImageReference;
	/** Absolute path of the file that is not there. */
	readonly path: string;
	/**
	 * Why no image can be made there: `format` where the name does not end in `.png`, `outside`
	 * where the path leaves the workspace folder (symbolic links not considered).
	 */
	readonly obstacle: 'format' | 'outside' | undefined;
}

/** A folder or document that could not be read; the others were. */
export interface ScanProblem {
	readonly path: string;
	/** A code of the operating system such as `EACCES`, or `TooLarge`. */
	readonly code: string;
}

/** What was found since the last report. */
export interface ScanReport {
	readonly documents: number;
	readonly images: readonly MissingImage[];
	readonly problems: readonly ScanProblem[];
}

/** Documents above that many bytes are not read: nobody wrote them, and a parser holds them whole. */
export const largestDocument = 8 * 1024 * 1024;

/**
 * Looks through documents for images that are not there, without a pause: run it in a worker.
 * @param report called at least every 100 ms while documents are read, and at the end
 */
export function scan(order: ScanOrder, report: (report: ScanReport) => void): void {
	let documents = 0;
	let images: MissingImage[] = [];
	let problems: ScanProblem[] = [];
	let reportedAt = performance.now();
	const send = () => {
		report({ documents, images, problems });
		documents = 0;
		images = [];
		problems = [];
		reportedAt = performance.now();
	};
	const onProblem = (where: string, error: unknown) => {
		const code = (error as NodeJS.ErrnoException).code ?? String(error);
		problems.push({ path: path.normalize(where), code });
	};
	const { index, of } = order.share;
	const mine = (document: string) => of === 1 || hash(document) % of === index;
	const isMissing = missingFiles();

	for (const { root, folder, names } of documentsIn(order.roots, { ...order, onProblem, mine })) {
		for (const name of names) {
			const document = path.normalize(`${folder}/${name}`);
			documents++;
			try {
				const text = readText(document);
				if (text !== undefined) {
					for (const image of missingIn(text, document, root.workspaceFolder, isMissing)) {
						images.push(image);
						if (images.length >= longestReport) {
							send();
						}
					}
				}
			} catch (error) {
				onProblem(document, error);
			}
			if (performance.now() - reportedAt > 50) {
				send();
			}
		}
	}
	send();
}

/** The missing images of one document, for example of one that is open. */
export function* missingIn(
	text: string,
	document: string,
	workspaceFolder: string | undefined,
	isMissing: (path: string) => boolean = missingFiles(),
): Generator<MissingImage> {
	const missingPath = (href: string) => {
		const file = localPath({ href }, document, workspaceFolder);
		return file !== undefined && isMissing(file) ? file : undefined;
	};
	if (everyImageIsThere(text, (href) => missingPath(href) === undefined)) {
		return;
	}
	for (const reference of imageReferences(text, (href) => missingPath(href) !== undefined)) {
		const file = missingPath(reference.href);
		if (file !== undefined) {
			const obstacle = obstacleTo(file, workspaceFolder);
			yield { document, reference, path: file, obstacle };
		}
	}
}

/** So many images go in one message, so that taking it takes the other side no time. */
const longestReport = 50;

function obstacleTo(file: string, workspaceFolder: string | undefined): MissingImage['obstacle'] {
	if (!/\.png$/i.test(file)) {
		return 'format';
	}
	const relative = workspaceFolder === undefined ? '' : path.relative(workspaceFolder, file);
	return /^\.\.(?:[\\/]|$)/.test(relative) || path.isAbsolute(relative) ? 'outside' : undefined;
}

/**
 * Missing is what the file system says it did not find, so that it can be made there; a broken link,
 * or what lies in a folder that may not be looked into, is not.
 */
function missingFiles(): (file: string) => boolean {
	const known = new Map<string, boolean>();
	return (file) => {
		let missing = known.get(file);
		if (missing === undefined) {
			try {
				missing = lstatSync(file, { throwIfNoEntry: false }) === undefined;
			} catch {
				missing = false;
			}
			if (known.size >= 10_000) {
				known.clear();
			}
			known.set(file, missing);
		}
		return missing;
	};
}

// One buffer for all documents: they are read one after the other.
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** `undefined` where there is nothing in it that might be an image. */
function readText(file: string): string | undefined {
	const bytes = readBytes(file);
	const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
	if (!isUtf16 && !bytes.includes('![') && !bytes.includes('<i') && !bytes.includes('<I')) {
		return undefined;
	}
	// As positions in the editor, those of the references do not count a byte order mark.
	const text = bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
	return mayHaveImage(text) ? text : undefined;
}

function readBytes(file: string): Buffer {
	const descriptor = openSync(file, 'r');
	try {
		let length = readSync(descriptor, buffer, 0, buffer.length, null);
		if (length === buffer.length) {
			const { size } = fstatSync(descriptor);
			if (size > largestDocument) {
				throw Object.assign(new Error('The document is too large.'), { code: 'TooLarge' });
			}
			const larger = Buffer.allocUnsafeSlow(size + 1);
			buffer.copy(larger);
			for (let count = 1; count > 0 && length < larger.length; length += count) {
				count = readSync(descriptor, larger, length, larger.length - length, null);
			}
			return larger.subarray(0, length);
		}
		return buffer.subarray(0, length);
	} finally {
		closeSync(descriptor);
	}
}

/** FNV-1a: spreads documents evenly, the same for every worker. */
function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
	}
	return (value ^ (value >>> 15)) >>> 0;
}
