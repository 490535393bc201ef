import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The start of every PNG, as base64. */
const base64OfPng = 'iVBORw0KGgo';

/**
 * Searches every file below the folders, as text in UTF-8 and in UTF-16, for keys and for base64
 * of an image. Returns how many files were searched.
 */
export async function assertNoSecrets(
	folders: readonly string[],
	keys: readonly string[],
): Promise<number> {
	let searched = 0;
	for (const folder of folders) {
		for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
			if (!entry.isFile()) {
				continue;
			}
			const file = path.join(entry.parentPath, entry.name);
			const bytes = await readFile(file).catch(() => Buffer.alloc(0));
			searched += 1;
			for (const secret of [...keys, base64OfPng]) {
				for (const encoding of ['utf8', 'utf16le'] as const) {
					assert.ok(
						!bytes.includes(Buffer.from(secret, encoding)),
						`${file} contains ${secret === base64OfPng ? 'base64 of an image' : 'a key'}`,
					);
				}
			}
		}
	}
	return searched;
}
