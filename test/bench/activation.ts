// What Easel costs a window that does not use it: how long the editor needed to activate it, beside
// the built-in Git and an extension that does nothing in the same window, as its list of running
// extensions says; and what is loaded. The list counts from the moment at which all that start at the
// same time begin to be loaded, one after another: Easel's figure has in it what the editor's own among
// them take, which come first. The one that does nothing shows how much that is: no extension can have
// less. How long its own code takes to load alone, the editor has noted as well.
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '../host/cache.js';
import { until } from '../host/until.js';
import { Workbench } from '../e2e/workbench.js';
import type { Run } from './bench.js';
import { emptyExtension, emptyName, marksCommand, marksExtension } from './extensions.js';
import { packaged } from './packaged.js';
import { newWindow } from './window.js';

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	const vsix = await packaged();
	record('package', await kilobytes(vsix));
	for (const [row, file] of [
		['entry', 'extension.js'],
		['main', 'main.js'],
	] as const) {
		record(row, await kilobytes(path.join(repository, 'dist', file)));
	}
	const marks = path.join(scratch, 'marks.json');
	const otherVsix = [await emptyExtension(scratch), await marksExtension(scratch, marks)];
	const workbench = await Workbench.open({ vsix, otherVsix });
	try {
		for (let round = 0; round < rounds; round++) {
			const [easel, git, empty] = await newWindow(workbench, 'Easel', 'Git', emptyName);
			record('activation', easel!, git);
			record('empty', easel!, empty);
			await workbench.runCommand(marksCommand);
			const loading = await loadingIn(marks);
			record('code', loading('easel.easel'), loading('vscode.git'));
			record('floor', empty!, git);
		}
	} finally {
		await workbench.close();
	}
}

/** Loading times of extensions' code in milliseconds, by identifier. */
async function loadingIn(file: string): Promise<(id: string) => number> {
	const text = () => readFile(file, 'utf8').catch(() => '');
	await until(async () => (await text()) !== '', 'the marks');
	const noted = JSON.parse(await text()) as { name: string; startTime: number }[];
	await rm(file);
	const timeOf = (name: string) =>
		noted.find((mark) => mark.name === `code/extHost/${name}`)!.startTime;
	return (id) => timeOf(`didLoadExtensionCode/${id}`) - timeOf(`willLoadExtensionCode/${id}`);
}

async function kilobytes(file: string): Promise<number> {
	return (await stat(file)).size / 1000;
}
