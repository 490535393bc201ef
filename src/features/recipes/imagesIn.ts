import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { WordedError } from '../../editor/errorTexts.js';
import { stripMessages } from '../messages.js';

/** A user who chooses a folder does not mean more files. */
const defaultMaxFiles = 100_000;

/** There are more images than a user can mean; nothing was done. */
export class TooManyImagesError extends WordedError {
	override readonly name = 'TooManyImagesError';
}

export interface ImagesFound {
	/** Absolute, sorted. */
	readonly files: readonly string[];
	/** Number of folders in it that could not be read. */
	readonly unreadable: number;
}

/**
 * Finds the images in a folder and in the folders in it, by their names: all of them, because
 * a user who removes something from files before they are published relies on that. Git's own folder and
 * packages are left out, and links are not followed.
 *
 * @param folder absolute
 * @param maxFiles of them
 * @throws {TooManyImagesError} where there are more
 */
export async function imagesIn(folder: string, maxFiles = defaultMaxFiles): Promise<ImagesFound> {
	const files: string[] = [];
	let unreadable = 0;
	const open = [folder];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const entries = await readdir(next, { withFileTypes: true }).catch(() => undefined);
		unreadable += entries === undefined ? 1 : 0;
		for (const entry of entries ?? []) {
			const file = path.join(next, entry.name);
			if (entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name)) {
				open.push(file);
			} else if (entry.isFile() && isImage.test(entry.name)) {
				files.push(file);
			}
		}
		if (files.length > maxFiles) {
			throw new TooManyImagesError(stripMessages.tooMany(maxFiles, path.basename(folder)));
		}
	}
	return { files: files.sort(), unreadable };
}

/** Endings of the kinds of files that Easel saves. */
export const isImage = /\.(?:png|jpe?g|webp)$/i;
