import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export const repository = resolve(__dirname, '../..');

/** Where prepared editors and browsers are kept: `EASEL_TEST_CACHE`, else `.vscode-test`. */
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

/** A line of progress, on the error output so that what a command prints stays clean. */
export function say(line: string): void {
	process.stderr.write(`${line}\n`);
}
