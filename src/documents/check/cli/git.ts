import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Longest list of changed files, in bytes. */
const maxOutputBytes = 64 * 1024 * 1024;

/** Returns the repository that a folder lies in; the folder itself where there is none. */
export function repositoryOf(folder: string): string {
	for (let at = folder; ; at = path.dirname(at)) {
		if (existsSync(path.join(at, '.git'))) {
			return at;
		}
		if (at === path.dirname(at)) {
			return folder;
		}
	}
}

/**
 * Returns the files that were changed, added or removed since a commit or a branch, absolute: what is not
 * committed yet is among them.
 *
 * @throws {Error} in Git's own words
 */
export function changedSince(ref: string, root: string): Set<string> {
	const base = git(root, ['merge-base', '--', ref, 'HEAD']).trim();
	const names = [
		...git(root, [
			'diff',
			'--no-ext-diff',
			'--no-textconv',
			'--name-only',
			'--no-renames',
			'-z',
			base,
			'--',
		]).split('\0'),
		...git(root, ['ls-files', '--others', '--exclude-standard', '-z']).split('\0'),
	];
	return new Set(names.filter((name) => name !== '').map((name) => path.join(root, name)));
}

/** A repository may bring settings along by which Git starts programs. */
const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

function git(root: string, args: readonly string[]): string {
	try {
		return execFileSync('git', [...safe, ...args], {
			cwd: root,
			encoding: 'utf8',
			maxBuffer: maxOutputBytes,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
		});
	} catch (error) {
		const { stderr } = error as { stderr?: string };
		const words = (stderr ?? '').trim() || 'Git could not be run.';
		throw new Error(words, { cause: error });
	}
}
