import { access, constants, lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, isNotThere } from './refusal.js';

/**
 * Why a file cannot go to a place:
 * - `outside`: it does not lie within the folder that it must not leave;
 * - `notAFolder`: something that is no folder stands in the way;
 * - `brokenLink`: a symbolic link there leads to nothing that exists;
 * - `circle`: symbolic links there lead in a circle;
 * - `tooLong`: a name or the path is longer than the system allows;
 * - `notWritable`: the folder, or the one that it would be made in, takes no files.
 */
export type PlaceProblem =
	'outside' | 'notAFolder' | 'brokenLink' | 'circle' | 'tooLong' | 'notWritable';

/** A file cannot go to this place, whatever is tried. */
export class PlaceError extends Error {
	override readonly name = 'PlaceError';

	constructor(
		readonly problem: PlaceProblem,
		/** Absolute. */
		readonly place: string,
		cause?: unknown,
	) {
		super(`${place}: ${problem}`, { cause });
	}
}

/**
 * Checks where a file will go before anything is spent on it: that its folder, as far as it exists,
 * lies within `root` with every symbolic link followed, that folders can be made where none are,
 * that it is writable, and that the name is not too long.
 *
 * @param root absolute; `undefined` where it may go anywhere
 * @param folder absolute
 * @throws {PlaceError} where it cannot; the system's error where that cannot be told
 */
export async function checkPlace(
	root: string | undefined,
	folder: string,
	name?: string,
	system: NodeJS.Platform = process.platform,
): Promise<void> {
	if (name !== undefined && isTooLong(name, system)) {
		throw new PlaceError('tooLong', flavorOf(system).join(folder, name));
	}
	const real = await realPathOf(folder, system);
	const found = await stat(real).catch((error: unknown) => {
		if (!isNotThere(error)) {
			throw error;
		}
	});
	if (found?.isDirectory() === false) {
		throw new PlaceError('notAFolder', folder);
	}
	await assertBelow(root, real, folder, system);
	await assertWritable(real, folder, system);
}

/**
 * Checks that something lies within `root`, with every symbolic link followed, whether or not it
 * exists.
 *
 * @param root absolute
 * @param target absolute
 * @throws {PlaceError} where it does not; the system's error where that cannot be told
 */
export async function checkInside(
	root: string,
	target: string,
	system: NodeJS.Platform = process.platform,
): Promise<void> {
	await assertBelow(root, await realPathOf(target, system), target, system);
}

async function assertBelow(
	root: string | undefined,
	real: string,
	target: string,
	system: NodeJS.Platform,
): Promise<void> {
	if (root !== undefined && !isBelow(await realpath(root), real, system)) {
		throw new PlaceError('outside', target);
	}
}

/** Checks that the deepest folder that exists is writable, as far as that can be told beforehand. */
async function assertWritable(
	real: string,
	folder: string,
	system: NodeJS.Platform,
): Promise<void> {
	try {
		await access(real, constants.W_OK);
	} catch (error) {
		const parent = flavorOf(system).dirname(real);
		if (isNotThere(error) && parent !== real) {
			await assertWritable(parent, folder, system);
		} else if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) {
			throw new PlaceError('notWritable', folder, error);
		} else {
			throw error;
		}
	}
}

/**
 * Whether a path is that of the root or lies below it. Compares text alone, without letter case on
 * Windows and macOS; links are not followed.
 */
export function isBelow(root: string, target: string, system: NodeJS.Platform): boolean {
	const flavor = flavorOf(system);
	const [from, to] =
		system === 'darwin' ? [root.toLowerCase(), target.toLowerCase()] : [root, target];
	const way = flavor.relative(from, to);
	return way !== '..' && !way.startsWith(`..${flavor.sep}`) && !flavor.isAbsolute(way);
}

/**
 * The path with every symbolic link followed, as far as it exists; the rest stays as it is.
 *
 * @throws {PlaceError} where it leads nowhere; the system's error where that cannot be told
 */
async function realPathOf(target: string, system: NodeJS.Platform): Promise<string> {
	try {
		return await realpath(target);
	} catch (error) {
		switch (codeOf(error)) {
			case 'ENOTDIR':
				throw new PlaceError('notAFolder', target, error);
			case 'ELOOP':
				throw new PlaceError('circle', target, error);
			case 'ENAMETOOLONG':
				throw new PlaceError('tooLong', target, error);
		}
		if (!isNotThere(error)) {
			throw error;
		}
		if (await isLink(target)) {
			throw new PlaceError('brokenLink', target, error);
		}
		const flavor = flavorOf(system);
		const parent = flavor.dirname(target);
		if (parent === target) {
			throw error;
		}
		if (isTooLong(flavor.basename(target), system)) {
			throw new PlaceError('tooLong', target, error);
		}
		return flavor.join(await realPathOf(parent, system), flavor.basename(target));
	}
}

async function isLink(target: string): Promise<boolean> {
	try {
		return (await lstat(target)).isSymbolicLink();
	} catch (error) {
		if (isNotThere(error)) {
			return false;
		}
		throw codeOf(error) === 'ENAMETOOLONG' ? new PlaceError('tooLong', target, error) : error;
	}
}

/** Linux and macOS count bytes, Windows UTF-16 code units; all of them up to 255. */
function isTooLong(name: string, system: NodeJS.Platform): boolean {
	return (system === 'win32' ? name.length : Buffer.byteLength(name)) > 255;
}

function flavorOf(system: NodeJS.Platform): path.PlatformPath {
	return system === 'win32' ? path.win32 : path.posix;
}
