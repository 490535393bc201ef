import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from '../host/run.js';

/**
 * Installs packages that Easel does not need but is measured beside, away from the repository.
 *
 * @returns the folder that can be imported from
 * @throws where they cannot be had here
 */
export async function installBeside(scratch: string, packages: readonly string[]): Promise<string> {
	const folder = path.join(scratch, 'packages');
	await mkdir(folder);
	await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
	await runNpm(['install', '--no-audit', '--no-fund', ...packages], folder);
	return folder;
}
