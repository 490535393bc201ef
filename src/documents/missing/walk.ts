import { readdirSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import type { ActivityNote } from './activity.js';
import { canMatchDocument, isDocumentName } from './documentNames.js';
import { ignoresCase, isIgnored, rulesAbove, rulesIn, type GitRules } from './gitignore.js';

/** What to look through. */
export interface ScanRoot {
	/** A folder or a document, absolute. A document is read whatever excludes it. */
	readonly path: string;
	/** The workspace folder that it lies in, absolute; the globs are relative to it. */
	readonly workspaceFolder: string | undefined;
}

/** The form of the setting `files.exclude`. */
export type Exclude = Readonly<Record<string, boolean | { readonly when: string }>>;

interface WalkOptions {
	readonly exclude: Exclude;
	readonly respectGitignore: boolean;
	/** Gets what cannot be read; the walk goes on. */
	readonly onProblem: (path: string, error: unknown) => void;
	readonly note: Pick<ActivityNote, 'matching' | 'waiting'>;
}

interface Documents {
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
		const start = resolved(root.path);
		let isFolder: boolean;
		try {
			isFolder = statSync(start).isDirectory();
		} catch (error) {
			options.onProblem(start, error);
			continue;
		}
		if (isFolder) {
			yield* documentsBelow(start, root, seen, options);
		} else if (!seen.has(start)) {
			seen.add(start);
			yield { root, folder: path.posix.dirname(start), names: [path.posix.basename(start)] };
		}
	}
}

/** @param seen folders and documents that need no other visit */
function* documentsBelow(
	start: string,
	root: ScanRoot,
	seen: Set<string>,
	{ exclude, respectGitignore, onProblem, note }: WalkOptions,
): Generator<Documents> {
	const workspaceFolder = root.workspaceFolder && resolved(root.workspaceFolder);
	const globs = globsOf(exclude, note);
	note.waiting();
	const excludedFolder = excludedBy(globs, workspaceFolder ?? start);
	// Most globs are about folders and other files; running them on each document takes long.
	const excludedDocument = excludedBy(globs.filter(canBeDocument), workspaceFolder ?? start);
	const above = respectGitignore ? rulesAbove(start, workspaceFolder) : [];
	const open: { folder: string; outer: readonly GitRules[] }[] = [{ folder: start, outer: above }];
	for (let next; (next = open.pop()) !== undefined;) {
		const { folder, outer } = next;
		if (seen.has(folder)) {
			continue;
		}
		seen.add(folder);
		let entries: Dirent[];
		try {
			entries = readdirSync(folder, { withFileTypes: true });
		} catch (error) {
			onProblem(folder, error);
			continue;
		}
		const rules = respectGitignore ? rulesIn(folder, entries, outer, onProblem) : [];
		const siblings = () => new Set(entries.map(({ name }) => name));
		const names: string[] = [];
		for (const entry of entries) {
			const { name } = entry;
			const isFolder = entry.isDirectory();
			if (
				isFolder
					? name === '.git' || name === 'node_modules'
					: !isDocumentName(name) || !entry.isFile()
			) {
				continue;
			}
			const full = `${folder === '/' ? '' : folder}/${name}`;
			const excluded = isFolder ? excludedFolder : excludedDocument;
			const isExcluded = excluded(full, siblings);
			note.waiting();
			if (isExcluded || isIgnored(rules, full, isFolder)) {
				continue;
			}
			if (isFolder) {
				open.push({ folder: full, outer: rules });
			} else if (!seen.has(full)) {
				names.push(name);
			}
		}
		if (names.length > 0) {
			yield { root, folder, names };
		}
	}
}

/** A glob of the setting. */
interface Glob {
	readonly text: string;
	/** The name of the file beside which it counts, where it counts only there. */
	readonly when: string | undefined;
	readonly matches: (relative: string) => boolean;
}

/** Those that are switched on. */
function globsOf(exclude: Exclude, note: WalkOptions['note']): Glob[] {
	return Object.entries(exclude).flatMap(([text, condition], number) => {
		const when = condition === true ? undefined : whenOf(condition);
		if (condition !== true && when === undefined) {
			return [];
		}
		note.matching(number);
		const matches = picomatch(text.replace(/^\.\/|\/$/g, ''), { dot: true, nocase: ignoresCase });
		return {
			text,
			when,
			matches: (relative) => {
				note.matching(number);
				return matches(relative);
			},
		};
	});
}

/** What a workspace writes there can be anything. */
function whenOf(condition: unknown): string | undefined {
	const when = (condition as { when?: unknown } | null)?.when;
	return typeof when === 'string' ? when : undefined;
}

/** Whether it may match a document. */
function canBeDocument({ text }: Glob): boolean {
	// What braces and parentheses end in is too much to find out here.
	return /[{}()]/.test(text) || canMatchDocument(text);
}

/**
 * Makes a function that tells what the globs exclude. A glob with `when` counts only beside a file
 * of that name, as in `files.exclude`.
 *
 * @param base the folder that the globs are relative to, absolute, with `/`
 */
function excludedBy(
	globs: readonly Glob[],
	base: string,
): (full: string, siblings: () => ReadonlySet<string>) => boolean {
	const start = base.endsWith('/') ? base : `${base}/`;
	return (full, siblings) => {
		const relative = full.startsWith(start) ? full.slice(start.length) : full;
		return globs.some(
			({ matches, when }) =>
				matches(relative) &&
				(when === undefined ||
					siblings().has(when.replaceAll('$(basename)', path.posix.parse(full).name))),
		);
	};
}

/** The absolute path, with `/` on Windows too. */
function resolved(file: string): string {
	return path.resolve(file).replaceAll(path.sep, '/');
}
