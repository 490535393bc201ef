import { link, open, rename, rm } from 'node:fs/promises';
import { codeOf } from './refusal.js';

/**
 * Gives a whole file a second name by a hard link: the one way to name it that fails where the name
 * exists. `unsupported` where this file system, or the way between two, has no hard links.
 *
 * @throws the system's error
 */
export async function linkTo(
	source: string,
	file: string,
): Promise<'linked' | 'taken' | 'unsupported'> {
	try {
		await link(source, file);
		return 'linked';
	} catch (error) {
		const code = codeOf(error);
		if (code === 'EEXIST') {
			return 'taken';
		}
		if (withoutLinks.has(code)) {
			return 'unsupported';
		}
		throw error;
	}
}

/** `EPERM` and `EACCES` also where the system lets nobody link to files of others. */
const withoutLinks: ReadonlySet<string> = new Set([
	...['EXDEV', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'UNKNOWN'],
]);

/**
 * Gives a whole file another name where there are no hard links: the name is made, which fails where
 * it exists, and then filled in one step.
 *
 * @param onReserve called with the name when it is made and still empty
 * @returns whether it was done; `false` where the name is taken
 * @throws the system's error; the file has its old name then
 */
export async function moveTo(
	source: string,
	file: string,
	onReserve?: (file: string) => Promise<void>,
): Promise<boolean> {
	try {
		await (await open(file, 'wx')).close();
	} catch (error) {
		if (codeOf(error) === 'EEXIST') {
			return false;
		}
		throw error;
	}
	try {
		await onReserve?.(file);
		await rename(source, file);
		return true;
	} catch (error) {
		await rm(file).catch(() => undefined);
		throw error;
	}
}
