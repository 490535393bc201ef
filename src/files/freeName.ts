import { link, open, rename, rm } from 'node:fs/promises';
import { codeOf } from './fsErrors.js';

/**
 * Gives a whole file a second name by a hard link, which, unlike a rename, fails where the name
 * exists. Returns `unsupported` where no link can be made here at all.
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

/** `EPERM` also comes from Linux with `fs.protected_hardlinks`, for files of another owner. */
const withoutLinks: ReadonlySet<string> = new Set([
	...['EXDEV', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'UNKNOWN'],
]);

/**
 * Gives a whole file another name where there are no hard links: makes an empty file of that name,
 * awaits `onReserve`, and renames the whole file over it. Returns `false` where the name is taken.
 *
 * @throws the system's error, or that of `onReserve`; the file has its old name then
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
