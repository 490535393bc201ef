import { existsSync, readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import { isNotThere } from '../../files/refusal.js';
import { markdownLanguages } from '../languages.js';

/** What to look through. */
export interface ScanRoot {
	/** A folder or a document, absolute. A document is read whatever excludes it. */
	readonly path: string;
	/** The workspace folder that it lies in, absolute; the globs are relative to it. */
	readonly workspaceFolder: string | undefined;
}

/** The form of the setting `files.exclude`. */
export type Exclude = Readonly<Record<string, boolean | { readonly when: string }>>;

export interface WalkOptions {
	readonly exclude: Exclude;
	readonly respectGitignore: boolean;
	/** Gets what cannot be read; the walk goes on. */
	readonly onProblem: (path: string, error: unknown) => void;
}

export interface Documents {
	readonly root: ScanRoot;
	/** With `/`, on Windows too. */
	readonly folder: string;
	readonly names: readonly string[];
}

/**
 * Walks through folders, deepest roots first, and returns the Markdown documents of each. Left out
 * is what the globs exclude, what git ignores (`.gitignore` files on every level, those above a
 * root up to its repository, and `.git/info/exclude`), and always `.git` and `node_modules`.
 *
 * Symbolic links are not followed: what they lead to inside a root is visited at its own place, and
 * outside of it no image may be written.
 */
export function* documentsIn(
	roots: readonly ScanRoot[],
	options: WalkOptions,
): Generator<Documents> {
	const seen = new Set<string>();
	const deepestFirst = [...roots].sort((a, b) => b.path.length - a.path.length);
	for (const root of deepestFirst) {
		const start = withSlashes(path.resolve(root.path));
		try {
			if (!statSync(start).isDirectory()) {
				const folder = path.posix.dirname(start);
				if (!seen.has(start)) {
					yield { root, folder, names: [path.posix.basename(start)] };
				}
				seen.add(start);
				continue;
			}
		} catch (error) {
			options.onProblem(start, error);
			continue;
		}
		const base = root.workspaceFolder ?? root.path;
		const excludedFolder = excludedBy(options.exclude, base);
		// Most globs are about folders and other files; running them on each document takes long.
		const excludedDocument = excludedBy(aboutDocuments(options.exclude), base);
		const levels = options.respectGitignore ? levelsAbove(start, root.workspaceFolder) : [];
		const open: { folder: string; levels: readonly Level[] }[] = [{ folder: start, levels }];
		for (let next; (next = open.pop()) !== undefined;) {
			const { folder } = next;
			if (seen.has(folder)) {
				continue;
			}
			seen.add(folder);
			let entries: Dirent[];
			try {
				entries = readdirSync(folder, { withFileTypes: true });
			} catch (error) {
				options.onProblem(folder, error);
				continue;
			}
			const inside = options.respectGitignore
				? levelsIn(folder, entries, next.levels, options.onProblem)
				: [];
			const siblings = () => new Set(entries.map(({ name }) => name));
			const names: string[] = [];
			for (const entry of entries) {
				const { name } = entry;
				const isFolder = entry.isDirectory();
				if (isFolder ? name === '.git' || name === 'node_modules' : !isDocument(entry)) {
					continue;
				}
				const full = `${folder === '/' ? '' : folder}/${name}`;
				const excluded = isFolder ? excludedFolder : excludedDocument;
				if (excluded(full, siblings) || isIgnored(inside, full, isFolder)) {
					continue;
				}
				if (!isFolder) {
					if (!seen.has(full)) {
						names.push(name);
					}
				} else {
					open.push({ folder: full, levels: inside });
				}
			}
			if (names.length > 0) {
				yield { root, folder, names };
			}
		}
	}
}

const extensions = markdownLanguages.flatMap((language) =>
	language.extensions.map((extension) => `.${extension}`),
);
const documentName = new RegExp(`(?:${extensions.join('|').replaceAll('.', '\\.')})$`, 'i');

function isDocument(entry: Dirent): boolean {
	return documentName.test(entry.name) && entry.isFile();
}

/** The rules of one `.gitignore`. */
interface Level {
	/** Its folder, with a slash at the end. */
	readonly base: string;
	readonly rules: Ignore;
	/** Whether one of them can be about a document; most are about folders and other files. */
	readonly aboutDocuments: boolean;
}

/** As git does it, the nearest file that says something decides. */
function isIgnored(levels: readonly Level[], full: string, isFolder: boolean): boolean {
	for (let index = levels.length - 1; index >= 0; index--) {
		const { base, rules, aboutDocuments } = levels[index] as Level;
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

function levelsIn(
	folder: string,
	entries: readonly Dirent[],
	outer: readonly Level[],
	onProblem: WalkOptions['onProblem'],
): readonly Level[] {
	const isRepository = entries.some(({ name }) => name === '.git');
	const hasRules = entries.some((entry) => entry.name === '.gitignore' && !entry.isDirectory());
	// Another repository inside this one, such as a submodule, has rules of its own.
	let levels = isRepository ? [] : outer;
	if (levels.some(({ base, rules }) => isExcludedItself(base, rules, folder))) {
		// A nearer file has let this folder in again; the farther ones have no say below it.
		levels = levels.filter(({ base, rules }) => !isExcludedItself(base, rules, folder));
	}
	const files = [
		...(isRepository ? [`${folder}/.git/info/exclude`] : []),
		...(hasRules ? [`${folder}/.gitignore`] : []),
	];
	return files.length === 0 ? levels : [...levels, ...files.flatMap(readLevel(folder, onProblem))];
}

function isExcludedItself(base: string, rules: Ignore, folder: string): boolean {
	return folder.length >= base.length && rules.test(`${folder.slice(base.length)}/`).ignored;
}

/** The rules of the folders above, from the repository's own folder or the workspace folder down. */
function levelsAbove(folder: string, workspaceFolder: string | undefined): Level[] {
	const above: string[] = [];
	let repository: string | undefined;
	if (existsSync(`${folder}/.git`)) {
		return [];
	}
	for (let at = folder; path.posix.dirname(at) !== at && repository === undefined;) {
		at = path.posix.dirname(at);
		above.unshift(at);
		repository = existsSync(`${at}/.git`) ? at : undefined;
	}
	const top = repository ?? (workspaceFolder && withSlashes(path.resolve(workspaceFolder)));
	if (top === undefined || !`${folder}/`.startsWith(`${top}/`)) {
		return [];
	}
	return above
		.filter((each) => `${each}/`.startsWith(`${top}/`))
		.flatMap((each) =>
			[...(each === repository ? ['.git/info/exclude'] : []), '.gitignore']
				.map((name) => `${each}/${name}`)
				.flatMap(readLevel(each, () => undefined)),
		);
}

function readLevel(folder: string, onProblem: WalkOptions['onProblem']): (file: string) => Level[] {
	return (file) => {
		try {
			const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
			const rules = ignore({ ignorecase: ignoresCase }).add(text);
			const aboutDocuments = text.split(/\r?\n/).some(canMatchDocument);
			return [{ base: folder === '/' ? '/' : `${folder}/`, rules, aboutDocuments }];
		} catch (error) {
			if (!isNotThere(error)) {
				onProblem(file, error);
			}
			return [];
		}
	};
}

/** Looks at the literal end of a pattern: that of `*.log` and `node_modules` is no document's. */
function canMatchDocument(pattern: string): boolean {
	const end = /[^*?[\]\\/ ]*$/.exec(pattern.trimEnd().toLowerCase())?.[0] ?? '';
	return (
		!/^(?:#|\s*$)|\/\s*$/.test(pattern) &&
		extensions.some((extension) => extension.endsWith(end) || end.endsWith(extension))
	);
}

function aboutDocuments(exclude: Exclude): Exclude {
	// What braces and parentheses end in is too much to find out here.
	const canMatch = (glob: string) => /[{}()]/.test(glob) || canMatchDocument(glob);
	return Object.fromEntries(Object.entries(exclude).filter(([glob]) => canMatch(glob)));
}

const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/** A glob with `when` counts only beside a file of that name, as in `files.exclude`. */
function excludedBy(
	exclude: Exclude,
	base: string,
): (full: string, siblings: () => ReadonlySet<string>) => boolean {
	const start = `${withSlashes(path.resolve(base))}/`.replace(/\/{2}$/, '/');
	const options = { dot: true, nocase: ignoresCase };
	const matcher = (glob: string) => picomatch(glob.replace(/^\.\/|\/$/g, ''), options);
	const always = Object.keys(exclude)
		.filter((glob) => exclude[glob] === true)
		.map(matcher);
	const beside = Object.entries(exclude).flatMap(([glob, condition]) =>
		typeof condition === 'object' ? [{ matches: matcher(glob), when: condition.when }] : [],
	);
	return (full, siblings) => {
		const relative = full.startsWith(start) ? full.slice(start.length) : full;
		return (
			always.some((matches) => matches(relative)) ||
			beside.some(
				({ matches, when }) =>
					matches(relative) &&
					siblings().has(when.replaceAll('$(basename)', path.posix.parse(full).name)),
			)
		);
	};
}

function withSlashes(file: string): string {
	return path.sep === '\\' ? file.replaceAll('\\', '/') : file;
}
