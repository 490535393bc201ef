import { chmod, lstat } from 'node:fs/promises';
import { isNotFound } from './fsErrors.js';
import { privateFolder } from './writeWhole.js';

/**
 * Keeps others out of a folder of our storage that an older version, or somebody's mask, has let
 * them into. What lies in it needs no look: nobody comes to it past a closed folder. Where there is
 * no such folder yet, nothing is done; we make ours closed.
 *
 * @throws the system's error where it stays open, for example in a folder of somebody else
 */
export async function closeFolder(folder: string, system = process.platform): Promise<void> {
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
