import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runNpm } from './run';

export const repository = resolve(__dirname, '../..');

/** Folder of prepared editors and browsers: `EASEL_TEST_CACHE`, else `.vscode-test`. */
export const cacheFolder = resolve(
	repository,
	process.env['EASEL_TEST_CACHE'] || join(repository, '.vscode-test'),
);

/**
 * The folder `name` in the cache. If it is not there, `fill` makes it in a folder beside it, which
 * is renamed when it is whole: a set-up that was interrupted is never taken for a finished one.
 */
export async function inCache(
	name: string,
	fill: (folder: string) => Promise<void>,
): Promise<string> {
	const folder = join(cacheFolder, name);
	if (existsSync(folder)) return folder;
	await mkdir(cacheFolder, { recursive: true });
	const unfinished = await mkdtemp(`${folder}.unfinished-`);
	try {
		await fill(unfinished);
		await rename(unfinished, folder).catch((error: unknown) => {
			// Another runner was faster; its folder is as good as ours.
			if (!existsSync(folder)) throw error;
		});
	} finally {
		await rm(unfinished, { recursive: true, force: true });
	}
	return folder;
}

/**
 * Installs packages that only a rare run needs, once and away from those of the repository.
 *
 * @param packages with their versions, such as `sharp@0.35.0`
 * @returns the `node_modules` folder that has them
 * @throws an Error with npm's output where they cannot be had
 */
export async function cachedPackages(packages: readonly string[]): Promise<string> {
	const name = `packages-${packages.join('+').replace(/[^\w.@+-]/g, '-')}`;
	const folder = await inCache(name, async (unfinished) => {
		say(`Installing ${packages.join(', ')} (once)`);
		// Without a manifest here, npm would look for one further up and find the repository's.
		await writeFile(join(unfinished, 'package.json'), '{ "private": true }');
		await runNpm(
			['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages],
			unfinished,
		);
	});
	return join(folder, 'node_modules');
}

/** A line of progress, on the error output so that what a command prints stays clean. */
export function say(line: string): void {
	process.stderr.write(`${line}\n`);
}
