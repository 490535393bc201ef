import * as vscode from 'vscode';
import { readEditorSetting } from './settings.js';

/** What nobody means who looks for files of a workspace, whatever the settings say. */
const always = ['**/node_modules', '**/.git'];

/** More than anybody writes: what a workspace brings along must not grow without a limit. */
const mostGlobs = 500;
const longestGlob = 1000;

/** Characters to choose from, in the ways that cannot be wrong. */
const characters = /\[[!^]?(?:a-z|A-Z|0-9|[^[\]\\-])+\]/g;

/**
 * The settings that hide files from a person who looks for some, with their globs, as many and as
 * long as anybody writes. They can go into a worker.
 *
 * @param scope the folder or file whose settings count; without it those of the workspace
 */
export function excludeSettings(
	scope?: vscode.Uri,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
	const globsOf = (name: string) =>
		Object.fromEntries(
			Object.entries(readEditorSetting(name, scope))
				.filter(([glob]) => glob.length <= longestGlob)
				.slice(0, mostGlobs),
		);
	const settings = {
		'files.exclude': globsOf('files.exclude'),
		'search.exclude': globsOf('search.exclude'),
	};
	// What VS Code returns are proxies, which cannot be sent to a worker.
	return JSON.parse(JSON.stringify(settings)) as typeof settings;
}

/**
 * What `findFiles` leaves out where a person looks for files: what the settings `files.exclude` and
 * `search.exclude` hide, packages, and what Git keeps.
 *
 * @param scope the folder or file whose settings count; without it those of the workspace
 */
export function searchExcludes(scope?: vscode.Uri): vscode.GlobPattern {
	const globs = new Set(always);
	for (const setting of Object.values(excludeSettings(scope))) {
		for (const [glob, on] of Object.entries(setting)) {
			// What depends on the files beside it, `{ when: … }`, no glob can say.
			if (on === true && isSound(glob)) {
				withoutBraces(glob, mostGlobs - globs.size).forEach((one) => globs.add(one));
			}
		}
	}
	return `{${[...globs].join(',')}}`;
}

/**
 * Finds files of the workspace as a person would look for them, see {@link searchExcludes}; VS Code's
 * own `findFiles` leaves out only what `files.exclude` says.
 *
 * @param include glob, relative to each workspace folder
 * @param most how many are found at most, in all folders together
 */
export async function findWorkspaceFiles(include: string, most: number): Promise<vscode.Uri[]> {
	// Each folder may hide something else.
	const found = await Promise.all(
		(vscode.workspace.workspaceFolders ?? []).map((folder) =>
			vscode.workspace.findFiles(
				new vscode.RelativePattern(folder, include),
				searchExcludes(folder.uri),
				most,
			),
		),
	);
	// One folder may lie in another.
	const unique = new Map(found.flat().map((uri) => [uri.toString(), uri]));
	return [...unique.values()].slice(0, most);
}

/** One unsound glob, and the search finds nothing at all. */
function isSound(glob: string): boolean {
	return !/[[\]\\]/.test(glob.replace(characters, ''));
}

/** `a.{b,c}` as `a.b` and `a.c`: within braces VS Code understands no others. None if there are more. */
function withoutBraces(glob: string, most: number): string[] {
	const done: string[] = [];
	const left = [glob];
	for (let one = left.pop(); one !== undefined; one = left.pop()) {
		if (done.length + left.length >= most) {
			return [];
		}
		const [braces, choices = ''] = /\{([^{}]*)\}/.exec(one) ?? [];
		if (braces === undefined) {
			// A comma, or a brace without its counterpart, would end what it stands in.
			done.push(one.replace(/[{},]/g, '?'));
		} else {
			const rest = one;
			left.push(...choices.split(',').map((choice) => rest.replace(braces, () => choice)));
		}
	}
	return done;
}
