import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes files, given by their paths with `/` and their contents, below `folder`. */
export async function writeTree(
	folder: string,
	files: Record<string, string | Uint8Array>,
): Promise<void> {
	for (const [name, content] of Object.entries(files)) {
		const file = path.join(folder, name);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, content);
	}
}
