import { existsSync, type Dirent } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isNotThere } from '../../files/refusal.js';
import { readBoundedSync } from '../../files/regularFile.js';
import { canMatchDocument } from './documentNames.js';

/** The rules of one file: a `.gitignore`, or `.git/info/exclude`. */
export interface GitRules {
	/** The folder that they are about, with a slash at the end. */
	readonly base: string;
	readonly rules: Ignore;
	/** Whether one of them can be about a document. */
	readonly aboutDocuments: boolean;
}

/** Whether the file systems of this machine take `A` and `a` for the same name, as a rule. */
export const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/**
 * Whether git ignores something: the nearest file that says something about it decides.
 *
 * @param files the nearest first
 * @param full absolute, with `/`
 */
export function isIgnored(files: readonly GitRules[], full: string, isFolder: boolean): boolean {
	for (const { base, rules, aboutDocuments } of files) {
		if (!isFolder && !aboutDocuments) {
			continue;
		}
		const relative = full.slice(base.length);
		const { ignored, unignored } = rules.test(isFolder ? `${relative}/` : relative);
		if (ignored || unignored) {
			return ignored;
		}
	}
	return false;
}

/**
 * The rules for what lies in a folder, the nearest first.
 *
 * @param entries what lies in it
 * @param outer the rules for the folder itself
 * @param onProblem gets a file with rules that cannot be read
 */
export function rulesIn(
	folder: string,
	entries: readonly Dirent[],
	outer: readonly GitRules[],
	onProblem: (file: string, error: unknown) => void,
): readonly GitRules[] {
	const isRepository = entries.some(({ name }) => name === '.git');
	const hasRules = entries.some((entry) => entry.name === '.gitignore' && !entry.isDirectory());
	// Another repository inside this one, such as a submodule, has rules of its own.
	let inherited = isRepository ? [] : outer;
	if (inherited.some((each) => isExcludedItself(each, folder))) {
		// A nearer file has let this folder in again; the farther ones have no say below it.
		inherited = inherited.filter((each) => !isExcludedItself(each, folder));
	}
	const files = [
		...(hasRules ? [`${folder}/.gitignore`] : []),
		...(isRepository ? [`${folder}/.git/info/exclude`] : []),
	];
	return files.length === 0
		? inherited
		: [...files.flatMap((file) => readRules(file, folder, onProblem)), ...inherited];
}

function isExcludedItself({ base, rules }: GitRules, folder: string): boolean {
	return folder.length >= base.length && rules.test(`${folder.slice(base.length)}/`).ignored;
}

/**
 * The rules of the folders above, the nearest first, up to the repository's own folder; where there
 * is no repository, up to the workspace folder.
 */
export function rulesAbove(folder: string, workspaceFolder: string | undefined): GitRules[] {
	if (existsSync(`${folder}/.git`)) {
		return [];
	}
	const above: string[] = [];
	let repository: string | undefined;
	for (let at = folder; path.posix.dirname(at) !== at && repository === undefined;) {
		at = path.posix.dirname(at);
		above.push(at);
		repository = existsSync(`${at}/.git`) ? at : undefined;
	}
	const top = repository ?? workspaceFolder;
	if (top === undefined || !`${folder}/`.startsWith(`${top}/`)) {
		return [];
	}
	return above
		.filter((each) => `${each}/`.startsWith(`${top}/`))
		.flatMap((each) =>
			['.gitignore', ...(each === repository ? ['.git/info/exclude'] : [])].flatMap((name) =>
				readRules(`${each}/${name}`, each, () => undefined),
			),
		);
}

/** Nobody writes more rules by hand; what git ignores in thousands of lines is generated. In bytes. */
const largestRules = 1024 * 1024;

function readRules(
	file: string,
	folder: string,
	onProblem: (file: string, error: unknown) => void,
): GitRules[] {
	try {
		// As git does it: no link counts in a folder that it looks after, its own files may be some.
		const followLinks = path.posix.basename(file) !== '.gitignore';
		const bytes = readBoundedSync(file, { largest: largestRules, followLinks });
		const text = bytes.toString('utf8').replace(/^\ufeff/, '');
		const rules = ignore({ ignorecase: ignoresCase }).add(text);
		const aboutDocuments = text.split(/\r?\n/).some(canMatchDocument);
		return [{ base: folder === '/' ? '/' : `${folder}/`, rules, aboutDocuments }];
	} catch (error) {
		if (!isNotThere(error)) {
			onProblem(file, error);
		}
		return [];
	}
}
