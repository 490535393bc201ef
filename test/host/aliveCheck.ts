import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import type * as Typescript from 'typescript';

const load = createRequire(__filename);

/**
 * Says what is dead in test files: those of which no test ran, and `.only` or `.skip`, which switch
 * tests off silently. A suite that passes without having run is worse than none.
 *
 * @param root what the names are relative to.
 * @param files that should have run, relative to `root`.
 * @param executed files of which at least one test ran, relative to `root`.
 * @returns one sentence per complaint; none if all is well.
 */
export function findDeadTests(
	root: string,
	files: readonly string[],
	executed: Iterable<string>,
): string[] {
	const ran = new Set(executed);
	return files.flatMap((file) => [
		...(ran.has(file) ? [] : [`${file} did not execute any test.`]),
		...findSwitchedOff(readFileSync(join(root, file), 'utf8')).map(
			({ line, call }) => `${file}:${line} has “${call}”.`,
		),
	]);
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
