import { lstatSync } from 'node:fs';
import { localPath } from '../localPath.js';

/**
 * Tells which references name a file that does not exist. Missing is what the file system says it
 * did not find, so that it can be made there; a broken link, or what lies in a folder that may not
 * be looked into, is not. What was found out is remembered: keep it for one run only.
 */
export class MissingFiles {
	readonly #known = new Map<string, boolean>();

	/**
	 * The file that a reference of a document names and that is not there, absolute.
	 *
	 * @param href as in `FoundImage`
	 */
	of(href: string, document: string, workspaceFolder: string | undefined): string | undefined {
		const file = localPath({ href }, document, workspaceFolder);
		return file !== undefined && this.#isMissing(file) ? file : undefined;
	}

	#isMissing(file: string): boolean {
		let missing = this.#known.get(file);
		if (missing === undefined) {
			try {
				missing = lstatSync(file, { throwIfNoEntry: false }) === undefined;
			} catch {
				missing = false;
			}
			if (this.#known.size >= 10_000) {
				this.#known.clear();
			}
			this.#known.set(file, missing);
		}
		return missing;
	}
}
