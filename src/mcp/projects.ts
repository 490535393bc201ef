import { access } from 'node:fs/promises';
import path from 'node:path';
import { readBounded } from '../files/boundedRead.js';
import { isBelow } from '../files/containment.js';

/** Files and folders at the top of a project; `.vscode` of the home folder is VS Code's own, and does not count. */
const markers = [
	...['.git', '.hg', '.svn', '.vscode', '.idea', 'AGENTS.md', 'CLAUDE.md'],
	...['package.json', 'deno.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'pom.xml'],
	...['build.gradle', 'composer.json', 'Gemfile', 'mkdocs.yml'],
];

/**
 * Returns whether a folder belongs to a project of its own: it, or one above it, has what projects
 * have. The home folder and those above it are no projects, whatever is in them.
 *
 * @param home that of the user; both are absolute, without links
 */
export async function isProject(folder: string, home: string): Promise<boolean> {
	for (const one of upwards(folder)) {
		if (isBelow(one, home, process.platform)) {
			return false;
		}
		if ((await Promise.all(markers.map((name) => has(one, name)))).includes(true)) {
			return true;
		}
	}
	return false;
}

/**
 * Returns whether a folder lies in a further worktree of git below a folder of a repository. It has
 * files of the same names, so what is meant for it must not go to those.
 *
 * @param outer what `folder` lies below; both are absolute, without links
 */
export async function isOtherWorktree(folder: string, outer: string): Promise<boolean> {
	for (const one of upwards(folder)) {
		if (isBelow(one, outer, process.platform)) {
			return false;
		}
		if (await has(one, '.git')) {
			const link = await readBounded(path.join(one, '.git'), { maxBytes: 16 * 1024 }).catch(
				() => '',
			);
			return /[/\\]worktrees[/\\]/.test(link.toString()) && isInRepository(outer);
		}
	}
	return false;
}

async function isInRepository(folder: string): Promise<boolean> {
	for (const one of upwards(folder)) {
		if (await has(one, '.git')) {
			return true;
		}
	}
	return false;
}

/** Returns the folder and those above it, the nearest first. */
function upwards(folder: string): string[] {
	const parent = path.dirname(folder);
	return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

function has(folder: string, name: string): Promise<boolean> {
	return access(path.join(folder, name)).then(
		() => true,
		() => false,
	);
}
