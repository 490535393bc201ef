import { existsSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isNotFound } from '../files/fsErrors.js';
import { readBoundedSync } from '../files/boundedRead.js';

/** True if the file systems of this machine take `A` and `a` for the same name, as a rule. */
export const ignoresCase = ignoresCaseOn(process.platform);

/** In bytes; more rules are not written by hand. */
const maxRulesBytes = 1024 * 1024;

/** The rules that count in a folder, its own and those from above; the last that matches decides. */
interface Rules {
	/** Folder that they are relative to. */
	readonly top: string;
	readonly ignore: Ignore;
}

/**
 * Rules by which git ignores files: by the `.gitignore` files on every level up to the repository,
 * and by its `.git/info/exclude`; where there is no repository, up to the workspace folder. All
 * folders are absolute, with `/` between and at the end.
 */
export class GitRules {
	readonly #known = new Map<string, Rules>();
	readonly #top: string;

	constructor(
		/** The folder that is looked through. */
		private readonly root: string,
		/** The one that it lies in. */
		workspaceFolder: string,
		/** Gets a file with rules that cannot be read. */
		private readonly onProblem: (file: string, error: unknown) => void,
	) {
		let top = root;
		while (!existsSync(`${top}.git`) && top !== above(top)) {
			top = above(top);
		}
		this.#top = existsSync(`${top}.git`) ? top : workspaceFolder;
	}

	/** @param place below the root, a folder with `/` at the end */
	ignores(place: string): boolean {
		const { top, ignore } = this.#rulesIn(above(place));
		return ignore.ignores(place.slice(top.length));
	}

	#rulesIn(folder: string): Rules {
		const known = this.#known.get(folder);
		if (known !== undefined) {
			return known;
		}
		const isRepository = existsSync(`${folder}.git`);
		let outer: Rules | undefined;
		// Another repository inside this one, such as a submodule, has rules of its own.
		if (!isRepository && folder !== this.#top) {
			outer = this.#rulesIn(above(folder));
		}
		// What is looked through although it is ignored was asked for.
		if (outer === undefined || (folder === this.root && this.ignores(folder))) {
			outer = { top: folder, ignore: ignore({ ignorecase: ignoresCase }) };
		}
		const lines = [
			...(isRepository ? this.#linesOf(`${folder}.git/info/exclude`) : []),
			...this.#linesOf(`${folder}.gitignore`),
		];
		const { top } = outer;
		const rules = lines.length === 0 ? outer : { top, ignore: extended(outer, folder, lines) };
		this.#known.set(folder, rules);
		return rules;
	}

	#linesOf(file: string): string[] {
		try {
			// As git does it: no link counts in a folder that it looks after, its own files may be some.
			const followLinks = path.posix.basename(file) !== '.gitignore';
			const bytes = readBoundedSync(file, { maxBytes: maxRulesBytes, followLinks });
			return bytes
				.toString('utf8')
				.replace(/^\ufeff/, '')
				.split(/\r?\n/);
		} catch (error) {
			if (!isNotFound(error)) {
				this.onProblem(file, error);
			}
			return [];
		}
	}
}

export function ignoresCaseOn(system: NodeJS.Platform): boolean {
	return system === 'win32' || system === 'darwin';
}

/** The rules of a folder added to those from above it, as if all stood in the topmost file. */
function extended({ top, ignore: outer }: Rules, folder: string, lines: readonly string[]): Ignore {
	const prefix = folder.slice(top.length).replace(/[\\*?[\]]/g, '\\$&');
	const all = prefix === '' ? lines : lines.map((line) => prefixed(prefix, line));
	return ignore({ ignorecase: ignoresCase }).add(outer).add(all);
}

function prefixed(prefix: string, line: string): string {
	const [, not = '', rule = ''] = /^(!?)([^]*)$/.exec(line) ?? [];
	if (rule.startsWith('#') || rule.trim() === '') {
		return '';
	}
	// With a slash that is not its last character it is about this very folder.
	return /\/(?= *[^ ])/.test(rule)
		? `${not}/${prefix}${rule.replace(/^\//, '')}`
		: `${not}/${prefix}**/${rule.replace(/^\\(?=[#!])/, '')}`;
}

/** The folder that a place lies in; the topmost one lies in itself. */
function above(place: string): string {
	return place.slice(0, place.lastIndexOf('/', place.length - 2) + 1) || place;
}
