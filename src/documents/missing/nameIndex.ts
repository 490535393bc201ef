import { decodePercent } from '../localPath.js';

/**
 * Makes one of what people and systems take for the same path: without regard to letter case, the
 * forms of Unicode, the kinds of blanks, percent-encoding, and backslashes for slashes. Of what is
 * longer than any path, the end counts.
 */
export function foldedPath(written: string): string {
	// Putting combining marks in order takes the square of their number.
	return decodePercent(written.slice(-longestFolded))
		.replaceAll('\\', '/')
		.toLowerCase()
		.normalize('NFC')
		.replace(/[\s\u200b]+/gu, ' ');
}

/** In UTF-16 code units. */
const longestFolded = 2048;

/** The last part of a folded path. */
export function lastName(folded: string): string {
	return folded.slice(folded.lastIndexOf('/') + 1);
}

/** More folders than that tell no file from another. */
const deepest = 8;
/** So many files that a path may mean are named. */
const mostFiles = 20;

/** Files by the ends of their folded paths. */
export class NameIndex {
	readonly #files = new Map<string, string[]>();

	add(file: string): void {
		const folded = foldedPath(file);
		let start = folded.length;
		for (let depth = 0; depth < deepest && start > 0; depth++) {
			start = folded.lastIndexOf('/', start - 1);
			const end = folded.slice(start + 1);
			const files = this.#files.get(end) ?? [];
			this.#files.set(end, files);
			if (files.length < mostFiles) {
				files.push(file);
			}
		}
	}

	/**
	 * The files that have most of a path's last parts in common with it.
	 *
	 * @param folded without what it begins with that is the name of no folder
	 * @returns whether that is all of the path; at most 20 files, none where not even the name is the same
	 */
	find(folded: string): { readonly files: readonly string[]; readonly isWhole: boolean } {
		const parts = folded.split('/').slice(-deepest);
		for (let first = 0; first < parts.length; first++) {
			const files = this.#files.get(parts.slice(first).join('/'));
			if (files !== undefined) {
				return { files, isWhole: first === 0 };
			}
		}
		return { files: [], isWhole: false };
	}
}
