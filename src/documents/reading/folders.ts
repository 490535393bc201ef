import { readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { excludedBy } from '../missing/exclude.js';
import { GitRules } from '../gitignore.js';
import type { SearchRoot } from './searchOrder.js';

interface Options {
	/** Names of the files that are wanted. */
	readonly names: RegExp;
	readonly respectGitignore: boolean;
	/** Called where rules of Git could not be read. */
	readonly onProblem: (place: string, error: unknown) => void;
}

/**
 * Content of the folders of a root, without what its settings exclude, what git ignores, and always
 * `.git` and `node_modules`. Symbolic links are not followed: what they lead to inside of a root is
 * there at its own place.
 */
export class Folders {
	readonly #isExcluded: (place: string, beside: readonly Dirent[]) => boolean;
	readonly #rules: GitRules;

	constructor(
		root: SearchRoot,
		private readonly options: Options,
	) {
		const base = withSlash(root.workspaceFolder ?? root.path);
		this.#isExcluded = excludedBy(root.exclude, base);
		this.#rules = new GitRules(withSlash(root.path), base, options.onProblem);
	}

	/**
	 * The files in a folder, and its folders with `/` at the end.
	 *
	 * @throws the system's error where it cannot be read
	 */
	inside(place: string): string[] {
		const folder = withSlash(place);
		const entries = readdirSync(folder, { withFileTypes: true });
		return entries.flatMap((entry) => {
			const one = this.#placeOf(folder, entry);
			const isLeftOut =
				one === undefined ||
				this.#isExcluded(one, entries) ||
				(this.options.respectGitignore && this.#rules.ignores(one));
			return isLeftOut ? [] : [one];
		});
	}

	/** `undefined` for what is never looked at. */
	#placeOf(folder: string, entry: Dirent): string | undefined {
		const { name } = entry;
		if (entry.isDirectory()) {
			return name === '.git' || name === 'node_modules' ? undefined : `${folder}${name}/`;
		}
		return entry.isFile() && this.options.names.test(name) ? folder + name : undefined;
	}
}

/** With `/` on Windows too, and at the end. */
function withSlash(folder: string): string {
	return `${path.resolve(folder).replaceAll(path.sep, '/')}/`.replace(/\/\/$/, '/');
}
