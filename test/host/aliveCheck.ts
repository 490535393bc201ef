import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import type * as Typescript from 'typescript';

const load = createRequire(__filename);

/**
 * Says what is dead in folders of tests: files of which no test ran, and `.only` or `.skip`, which
 * switch tests off silently. A suite that passes without having run is worse than none.
 *
 * @param root what the names are relative to.
 * @param folders where to look, relative to `root`.
 * @param executed files of which at least one test ran, relative to `root`.
 * @returns one sentence per complaint; none if all is well.
 */
export async function findDeadTests(
	root: string,
	folders: readonly string[],
	executed: Iterable<string>,
): Promise<string[]> {
	const ran = new Set(executed);
	const files = await findTestFiles(root, folders);
	const complaints = files.flatMap((file) => [
		...(ran.has(file) ? [] : [`${file} did not execute any test.`]),
		...findSwitchedOff(readFileSync(join(root, file), 'utf8')).map(
			({ line, call }) => `${file}:${line} has “${call}”.`,
		),
	]);
	if (files.length === 0) complaints.push(`There is no test file in ${folders.join(', ')}.`);
	return complaints;
}

/** All `*.test.ts` below the folders, sorted, relative to `root`, with forward slashes. */
export async function findTestFiles(root: string, folders: readonly string[]): Promise<string[]> {
	const found = await Promise.all(
		folders.map(async (folder) => {
			const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
			return entries
				.filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
				.map((entry) => sourceName(root, join(entry.parentPath, entry.name)));
		}),
	);
	return found.flat().sort();
}

/** The name that this module uses for a file: relative to `root`, with forward slashes. */
export function sourceName(root: string, file: string): string {
	return relative(root, file).split(sep).join('/');
}

/** Finds calls that switch tests off; text in strings and comments does not count. */
export function findSwitchedOff(source: string): { line: number; call: string }[] {
	// Most files have none of these words, and then TypeScript need not be loaded.
	if (!/\.\s*(only|skip)\b/.test(source)) return [];
	const ts = load('typescript') as typeof Typescript;
	const file = ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest);
	const found: { line: number; call: string }[] = [];
	const visit = (node: Typescript.Node): void => {
		if (ts.isPropertyAccessExpression(node) && /^(only|skip)$/.test(node.name.text)) {
			const owner = node.expression.getText(file);
			if (/^(suite|test|describe|context|it|specify|this)$/.test(owner)) {
				const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
				found.push({ line: line + 1, call: `${owner}.${node.name.text}` });
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}
