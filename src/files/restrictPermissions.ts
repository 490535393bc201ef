import { chmod, lstat } from 'node:fs/promises';
import { isNotFound } from './fsErrors.js';
import { privateFolder } from './writeWhole.js';

/**
 * Takes the access of other users away from a folder of our storage, where there is one, which an
 * older version or the user's mask may have left open. What lies in it cannot be reached then.
 *
 * @throws the system's error where it stays open, for example in a folder of another user
 */
export async function restrictPermissions(
	folder: string,
	system = process.platform,
): Promise<void> {
	// Windows has access lists, which a profile's folders inherit.
	if (system === 'win32') {
		return;
	}
	try {
		const found = await lstat(folder);
		if (found.isDirectory() && (found.mode & 0o077) !== 0) {
			await chmod(folder, found.mode & privateFolder);
		}
	} catch (error) {
		if (!isNotFound(error)) {
			throw error;
		}
	}
}
