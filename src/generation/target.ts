import * as vscode from 'vscode';
import { foldedPath } from '../documents/missing/nameIndex.js';
import { assertImageFolder, assertPlace, uriExists } from '../editor/files.js';
import { fileStem, parseUri, targetFile, type Target } from '../editor/imageRequest.js';
import { realPathOf } from '../files/containment.js';
import type { ImageRequest } from '../jobs/request.js';

/** More images of one name are in no folder. */
const maxNumber = 100_000;

/**
 * The first of so many numbers in a row of which none is a file, or under way. It ends on a file system
 * that says of every file that it exists: what is taken gets another number when it is saved.
 */
export async function firstFree(
	target: Target,
	count: number,
	taken: ReadonlySet<string>,
): Promise<number> {
	let first = 1;
	while (first < maxNumber) {
		const places = Array.from({ length: count }, (_, index) =>
			targetFile({ ...target, number: first + index }),
		);
		const areTaken = await Promise.all(
			places.map(
				async (place) =>
					taken.has(place.toString()) ||
					// What cannot be looked at now gets another number when it is saved.
					(await uriExists(place).catch(() => false)),
			),
		);
		const last = areTaken.lastIndexOf(true);
		if (last < 0) {
			return first;
		}
		first += last + 1;
	}
	return first;
}

/**
 * Numbers images of one name in the order of their labels, `cards-1` for the first one, whichever
 * arrives first. One alone gets a number when it is saved, where its name is taken.
 */
export async function nameInOrder(
	requests: readonly ImageRequest[],
	coming: readonly ImageRequest[],
): Promise<ImageRequest[]> {
	const placeIn = ({ target }: ImageRequest) => targetFile(target).toString();
	const taken = new Set(coming.map(placeIn));
	const numbers = new Map<string, number>();
	for (const [place, [first, ...others]] of Map.groupBy(requests, placeIn)) {
		if (first !== undefined && others.length > 0) {
			numbers.set(place, await firstFree(first.target, others.length + 1, taken));
		}
	}
	return requests.map((request) => {
		const place = placeIn(request);
		const number = numbers.get(place);
		if (number === undefined) {
			return request;
		}
		numbers.set(place, number + 1);
		return { ...request, target: { ...request.target, number } };
	});
}

/**
 * Checks the whole of a target: before anything is sent, so that what cannot be saved is not paid
 * for, and once more just before saving, because folders can turn into links meanwhile.
 *
 * @throws {OutsideWorkspaceError} saying what is wrong with it
 */
export async function assertTarget(
	{ folder, root, stem }: Target,
	extension = '.png',
): Promise<void> {
	const [rootUri, uri] = [parseUri(root), vscode.Uri.parse(folder, true)];
	await assertImageFolder(rootUri, uri);
	await assertPlace(rootUri, uri, stem + extension);
}

/** Returns the same text for all names of a target's file: links are followed, letters folded. */
export async function canonicalPlace(target: Target): Promise<string> {
	const folder = vscode.Uri.parse(target.folder, true);
	const place = folder.scheme === 'file' ? await realPathOf(folder.fsPath) : folder.toString();
	return foldedPath(`${place}/${fileStem(target)}`);
}
