import { decodePercent } from '../localPath.js';

/**
 * Returns the same text for all paths that users and systems take for one: without regard to letter
 * case, Unicode form, kinds of blanks, percent-encoding, and backslashes for slashes. Of a text that is
 * longer than any path, the end counts.
 */
export function foldedPath(written: string): string {
	// Putting combining marks in order takes the square of their number.
	return decodePercent(written.slice(-maxFoldedLength))
		.replaceAll('\\', '/')
		.toLowerCase()
		.normalize('NFC')
		.replace(/[\s\u200b]+/gu, ' ');
}

/** In UTF-16 code units. */
const maxFoldedLength = 2048;

/** Returns the last part of a folded path. */
export function lastName(folded: string): string {
	return folded.slice(folded.lastIndexOf('/') + 1);
}

/** Number of a path's last parts; more of them distinguish no files. */
const maxDepth = 8;
/** Number of files that one path may mean. */
const maxFiles = 20;

/** Files by the ends of their folded paths. */
export class NameIndex {
	readonly #files = new Map<string, string[]>();

	add(file: string): void {
		const folded = foldedPath(file);
		let start = folded.length;
		for (let depth = 0; depth < maxDepth && start > 0; depth++) {
			start = folded.lastIndexOf('/', start - 1);
			const end = folded.slice(start + 1);
			const files = this.#files.get(end) ?? [];
			this.#files.set(end, files);
			if (files.length < maxFiles) {
				files.push(file);
			}
		}
	}

	/**
	 * Returns the files that have most of a path's last parts in common with it, at most 20, and whether
	 * that is all of the path. There are none where not even the name is the same.
	 *
	 * @param folded without an alias or a slash at its beginning
	 */
	find(folded: string): { readonly files: readonly string[]; readonly isWhole: boolean } {
		const parts = folded.split('/').slice(-maxDepth);
		for (let first = 0; first < parts.length; first++) {
			const files = this.#files.get(parts.slice(first).join('/'));
			if (files !== undefined) {
				return { files, isWhole: first === 0 };
			}
		}
		return { files: [], isWhole: false };
	}
}
