import { relative, sep } from 'node:path';
import { decodePercent, isInside } from '../localPath.js';
import type { DocumentReader } from '../reading/reader.js';
import { search } from '../reading/search.js';
import type { SearchOrder } from '../reading/searchOrder.js';
import type { MissingImage } from './missingIn.js';
import { lastName, NameIndex } from './nameIndex.js';

/** Extensions of all image files that browsers show. */
export const linkedExtensions = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'svg', 'avif', 'bmp', 'ico'];

/**
 * Decides about images that are not where their documents have them, before any of them may be paid
 * for: leaves out those that are there after all, and finds for the others the files that their links
 * may mean. What Git ignores is not looked through.
 *
 * @param folders those of the workspace, absolute
 * @throws what `search` throws
 */
export async function decideMissing(
	images: readonly MissingImage[],
	folders: readonly string[],
	reader: DocumentReader,
): Promise<MissingImage[]> {
	const names = [...new Set(images.flatMap((image) => image.names.map(lastName)))];
	if (names.length === 0) {
		return [...images];
	}
	const index = await indexFiles(folders, reader, names);
	return images.flatMap((image) => decide(image, index));
}

/**
 * Builds the index of the images in folders.
 *
 * @param names of those that are wanted, folded; by default all
 * @throws what `search` throws
 */
export async function indexFiles(
	folders: readonly string[],
	reader: DocumentReader,
	names?: readonly string[],
): Promise<NameIndex> {
	const index = new NameIndex();
	const roots = folders.map((path) => ({ path, workspaceFolder: path, exclude: {} }));
	const wanted = { extensions: linkedExtensions, ...(names && { names }) };
	const read = (order: SearchOrder) => reader.read('find', { ...order, ...wanted });
	for await (const { files } of search(roots, read)) {
		files.forEach((file) => index.add(file));
	}
	return index;
}

/**
 * Returns what can be done about an image that is not where its document has it:
 * - `unknown`: it may be there all the same;
 * - `fix`, `choose`: the link may mean one or several files that are there;
 * - `obstructed`: none can be made there;
 * - `doubtful`: one can be made, which may not be wanted;
 * - `missing`: one can be made.
 */
export function verdictOn({ unknown, obstacle, candidates, doubt }: MissingImage) {
	if (unknown !== undefined || obstacle === 'unknown') {
		return 'unknown';
	}
	if (candidates.length > 0) {
		return candidates.length === 1 ? 'fix' : 'choose';
	}
	return obstacle !== undefined ? 'obstructed' : doubt === undefined ? 'missing' : 'doubtful';
}

function decide(image: MissingImage, index: NameIndex): readonly MissingImage[] {
	const found = image.names.map((name) => index.find(name));
	const best =
		found.find(({ isWhole }) => isWhole) ?? found.find(({ files }) => files.length > 0) ?? found[0];
	const { files = [], isWhole = false } = best ?? {};
	const { anywhereIn, reference } = image;
	// Where files are served from, letter case counts.
	const served = reference.href.startsWith('/') ? decodePercent(reference.href) : '';
	const isMeant = (file: string) =>
		anywhereIn !== undefined &&
		isInside(file, anywhereIn) &&
		file.replaceAll('\\', '/').endsWith(served);
	if (isWhole && files.some(isMeant)) {
		return [];
	}
	if (image.unknown !== undefined || image.obstacle === 'unknown') {
		return [image];
	}
	const candidates = files.filter((file) => isReached(file, image));
	// What is there is not bought; where it is, the link cannot mean it.
	const isElsewhere = files.length > candidates.length && candidates.length === 0;
	return [{ ...image, candidates, unknown: isElsewhere ? 'unpublished' : undefined }];
}

/** Returns whether the link of an image may be made to mean a file. */
function isReached(file: string, { reach, document }: MissingImage): boolean {
	return reach.some((folder) => isInside(file, folder) && !isOtherLanguage(file, document, folder));
}

/** Returns whether the ways to two files part at the folders of two languages. */
function isOtherLanguage(file: string, document: string, folder: string): boolean {
	const [one, other] = [file, document].map((path) => relative(folder, path).split(sep));
	const at = one!.findIndex((name, index) => name !== other![index]);
	return [one, other].every((names) => languageFolder.test(names![at] ?? ''));
}

const languageFolder = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i;
