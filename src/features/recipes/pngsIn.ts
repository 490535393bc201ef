import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** More files are not looked at: nobody has meant all of these. */
const mostFiles = 5000;

/**
 * The PNG files in a folder and in the folders in it, by their names. Git's own folder and packages
 * are left out, and links are not followed; what cannot be read is as if it were empty.
 *
 * @param folder absolute
 */
export async function pngsIn(folder: string): Promise<string[]> {
	const found: string[] = [];
	const open = [folder];
	for (let next = open.pop(); next !== undefined && found.length < mostFiles; next = open.pop()) {
		const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
		for (const entry of entries) {
			const file = path.join(next, entry.name);
			if (entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name)) {
				open.push(file);
			} else if (entry.isFile() && isPng.test(entry.name)) {
				found.push(file);
			}
		}
	}
	return found.sort().slice(0, mostFiles);
}

/** Of the names of files. */
export const isPng = /\.png$/i;
