import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from '../host/run.js';

/**
 * Installs what Easel does not need but is measured beside, away from the repository.
 *
 * @returns the folder that can be imported from; `undefined` where they cannot be had here
 */
export async function installBeside(
	scratch: string,
	packages: readonly string[],
): Promise<string | undefined> {
	const folder = path.join(scratch, 'packages');
	await mkdir(folder);
	await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
	try {
		await runNpm(['install', '--no-audit', '--no-fund', ...packages], folder);
		return folder;
	} catch (error) {
		process.stderr.write(`${packages.join(', ')} cannot be had: ${(error as Error).message}\n`);
		return undefined;
	}
}
