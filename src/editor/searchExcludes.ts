import * as vscode from 'vscode';

/** What nobody counts among the files of a workspace, whatever the settings say. */
const always = ['**/node_modules', '**/.git'];

/** More ways to read one pattern are not worth the time that they take. */
const mostAlternatives = 64;

/**
 * Finds files of the workspace, without those of packages and of git, and without what the user's
 * `files.exclude` and `search.exclude` leave out. VS Code's own `findFiles` leaves out only what the
 * first of these settings says.
 *
 * @param include glob, relative to each workspace folder
 * @param most how many are found at most, in all folders together
 */
export async function findWorkspaceFiles(include: string, most: number): Promise<vscode.Uri[]> {
	// A workspace folder may lie within another one.
	const found = new Map<string, vscode.Uri>();
	for (const folder of vscode.workspace.workspaceFolders ?? []) {
		if (found.size < most) {
			const pattern = new vscode.RelativePattern(folder, include);
			for (const uri of await vscode.workspace.findFiles(
				pattern,
				searchExcludes(folder.uri),
				most,
			)) {
				found.set(uri.toString(), uri);
			}
		}
	}
	return [...found.values()].slice(0, most);
}

/**
 * The glob of what a search in this folder leaves out. Entries with a condition (`when`) are not
 * part of it: a glob cannot say them.
 *
 * @param folder of the workspace; settings may differ from one to another
 */
export function searchExcludes(folder: vscode.Uri): string {
	const configuration = vscode.workspace.getConfiguration(undefined, folder);
	const settings = ['files.exclude', 'search.exclude'].flatMap((name) =>
		Object.entries(configuration.get<Record<string, unknown>>(name) ?? {})
			.filter(([, excluded]) => excluded === true)
			.flatMap(([pattern]) => alternatives(pattern)),
	);
	return `{${[...new Set([...always, ...settings])].join(',')}}`;
}

/** One pattern without braces for each thing that its braces stand for: braces do not nest. */
function alternatives(pattern: string): string[] {
	let all = [''];
	for (const piece of pattern.split(/(\{[^{}]*\})/)) {
		const choices = /^\{.*\}$/s.test(piece) ? piece.slice(1, -1).split(',') : [piece];
		if (all.length * choices.length > mostAlternatives || choices.some(hasBrace)) {
			return [];
		}
		all = all.flatMap((start) => choices.map((choice) => start + choice.replaceAll(',', '[,]')));
	}
	return all.filter((one) => one !== '');
}

function hasBrace(text: string): boolean {
	return /[{}]/.test(text);
}
