import { stat } from 'node:fs/promises';
import { patiently } from './patiently.js';
import { isNotThere } from './refusal.js';

/**
 * Whether there is a file or folder.
 *
 * @throws the system's error where that cannot be told
 */
export async function isThere(file: string): Promise<boolean> {
	try {
		await patiently(() => stat(file));
		return true;
	} catch (error) {
		if (isNotThere(error)) {
			return false;
		}
		throw error;
	}
}

/**
 * Whether there is a file of so many bytes.
 *
 * @throws the system's error where that cannot be told
 */
export async function isFileOf(file: string, bytes: number): Promise<boolean> {
	try {
		const found = await patiently(() => stat(file));
		return found.isFile() && found.size === bytes;
	} catch (error) {
		if (isNotThere(error)) {
			return false;
		}
		throw error;
	}
}

/**
 * Whether an error means that a whole folder is gone, not only a file in it. The code is the same
 * for both, so it looks again. Where that cannot be told, the folder counts as there.
 */
export async function saysGone(error: unknown, folder: string): Promise<boolean> {
	return isNotThere(error) && !(await isThere(folder).catch(() => true));
}
