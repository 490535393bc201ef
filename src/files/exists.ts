import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { retryTransient } from './retryTransient.js';
import { isNotFound } from './fsErrors.js';

/**
 * Returns what the file system says of a file or folder, with links followed; `undefined` where there
 * is none.
 *
 * @throws the system's error where it cannot say so
 */
export async function statIfExists(file: string): Promise<BigIntStats | undefined> {
	try {
		return await retryTransient(() => stat(file, { bigint: true }));
	} catch (error) {
		if (isNotFound(error)) {
			return undefined;
		}
		throw error;
	}
}

/** Returns whether there is a file or folder. @throws as {@link statIfExists} */
export async function exists(file: string): Promise<boolean> {
	return (await statIfExists(file)) !== undefined;
}

/** Returns whether there is a file of so many bytes. @throws as {@link statIfExists} */
export async function isFileOf(file: string, bytes: number): Promise<boolean> {
	const found = await statIfExists(file);
	return found?.isFile() === true && found.size === BigInt(bytes);
}

/**
 * Returns whether an error means that a whole folder is gone, not only a file in it. The code is
 * the same for both, so it looks again. Where the system cannot say so, the folder counts as there.
 */
export async function isFolderGone(error: unknown, folder: string): Promise<boolean> {
	return isNotFound(error) && !(await exists(folder).catch(() => true));
}
