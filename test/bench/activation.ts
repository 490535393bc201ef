// What Easel costs a window in which nobody uses it: how long the editor needed to activate it, beside
// the built-in Git and an extension that does nothing in the same window, as its list of running
// extensions says; and what is loaded.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '../host/cache.js';
import { Workbench } from '../e2e/workbench.js';
import type { Run } from './bench.js';
import { emptyExtension, emptyName } from './emptyExtension.js';
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
	const workbench = await Workbench.open({ vsix, otherVsix: [await emptyExtension(scratch)] });
	try {
		for (let round = 0; round < rounds; round++) {
			const [easel, git, empty] = await newWindow(workbench, 'Easel', 'Git', emptyName);
			record('activation', easel!, git);
			record('empty', easel!, empty);
		}
	} finally {
		await workbench.close();
	}
}

async function kilobytes(file: string): Promise<number> {
	return (await stat(file)).size / 1000;
}
