import { access, constants, lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { statIfExists } from './exists.js';
import { lengthOf, nameProblem, type NameProblem } from './nameProblem.js';
import { codeOf, isNotFound } from './fsErrors.js';

/**
 * Why a file cannot go to a place: it is outside of the folder that it must not leave; a file, a link
 * to nothing or a circle of links stands in the way; a folder takes no files, or other programs manage
 * it; or a name in its path, or the path, is none on this system.
 */
export type PlaceProblem =
	'outside' | 'notAFolder' | 'brokenLink' | 'circle' | 'notWritable' | 'managed' | NameProblem;

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
 * is a writable one within `root`, with every symbolic link followed, that the others can be made,
 * and that the system can have a file of that name and path, with room for the number that a name
 * gets which is taken.
 *
 * @param root absolute, as `folder` is; `undefined` where it may go anywhere
 * @param name of the file, with something before its extension
 * @throws {PlaceError} where it cannot; the system's error where it cannot say so
 */
export async function checkPlace(
	root: string | undefined,
	folder: string,
	name?: string,
	system: NodeJS.Platform = process.platform,
): Promise<void> {
	assertNames(root, folder, name, system);
	const real = await realPathOf(folder, system);
	const found = await statIfExists(real);
	if (found?.isDirectory() === false) {
		throw new PlaceError('notAFolder', folder);
	}
	await assertBelow(root, real, folder, system);
	await assertWritable(real, folder);
}

/**
 * Checks that something lies within `root`, with every symbolic link followed, whether or not it
 * exists. Both are absolute.
 *
 * @throws {PlaceError} where it does not; the system's error where it cannot say so
 */
export async function checkInside(
	root: string,
	target: string,
	system: NodeJS.Platform = process.platform,
): Promise<void> {
	await assertBelow(root, await realPathOf(target, system), target, system);
}

/**
 * Checks that a folder is none whose content belongs to other programs, with every symbolic link
 * followed, whether or not it exists: a file in `.git/refs` ends each `git fetch`.
 *
 * @param root absolute, as `folder` is; the folders around it do not count
 * @throws {PlaceError} where it is one; the system's error where it cannot say so
 */
export async function checkUnmanaged(
	root: string | undefined,
	folder: string,
	system: NodeJS.Platform = process.platform,
): Promise<void> {
	const real = await realPathOf(folder, system);
	const from = root === undefined ? flavorOf(system).parse(real).root : await realpath(root);
	if (isManaged(flavorOf(system).relative(from, real))) {
		throw new PlaceError('managed', folder);
	}
}

/** Returns whether a path leads through a folder whose content belongs to other programs. */
export function isManaged(relative: string): boolean {
	return relative.split(/[/\\]/).some((name) => managedFolders.has(name.toLowerCase()));
}

/** Folders of version control, of editors, and those that the next installation removes. */
const managedFolders = new Set(['.git', '.hg', '.svn', '.jj', '.vscode', '.idea', 'node_modules']);

/**
 * Checks what is known without a look at the disk, which may mean something else by such a name.
 */
function assertNames(
	root: string | undefined,
	folder: string,
	name: string | undefined,
	system: NodeJS.Platform,
): void {
	const flavor = flavorOf(system);
	if (name !== undefined) {
		const nothingElse = /^\.[^.]*$/.test(name);
		const problem = nothingElse ? 'notAName' : nameProblem(name, system);
		const numbered = `${name}${'0'.repeat(roomForNumber)}`;
		if (problem !== undefined || nameProblem(numbered, system) === 'tooLong') {
			throw new PlaceError(problem ?? 'tooLong', `${folder}${flavor.sep}${name}`);
		}
		const neededLength = Math.max(lengthOf(numbered, system), roomForPart);
		if (lengthOf(folder, system) + 1 + neededLength > (maxPathLengths[system] ?? 4095)) {
			throw new PlaceError('tooLong', `${folder}${flavor.sep}${name}`);
		}
	}
	// Elsewhere such folders may be there already; those that are not are looked at one by one.
	if (system === 'win32') {
		const from = root ?? flavor.parse(folder).root;
		const way = flavor.relative(from, folder).split(flavor.sep);
		const names = way.filter((one) => !['', '..'].includes(one) && !drive.test(one));
		const problem = names.map((one) => nameProblem(one, system)).find(Boolean);
		if (problem !== undefined) {
			throw new PlaceError(problem, folder);
		}
	}
}

/** As in `image-999.png`. */
const roomForNumber = 4;
/** An image is made under such a name first: `.easel-`, an identifier, `.part`. */
const roomForPart = 48;

/** As of {@link lengthOf}, without the zero at the end; elsewhere it is that of Linux. */
const maxPathLengths: Partial<Record<NodeJS.Platform, number>> = {
	darwin: 1023,
	// Node asks for long paths, for which Windows adds four characters.
	win32: 32_762,
};

/** The first part of a path to another drive. */
const drive = /^[a-z]:$/i;

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

/** Checks that the deepest folder that exists is writable, as far as that is known beforehand. */
async function assertWritable(real: string, folder: string): Promise<void> {
	try {
		await access(real, constants.W_OK);
	} catch (error) {
		const parent = path.dirname(real);
		if (isNotFound(error) && parent !== real) {
			await assertWritable(parent, folder);
		} else if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) {
			throw new PlaceError('notWritable', folder, error);
		} else {
			throw error;
		}
	}
}

/**
 * Returns whether a path is that of the root or lies below it. Compares text alone, without letter
 * case on Windows and macOS; links are not followed.
 */
export function isBelow(root: string, target: string, system: NodeJS.Platform): boolean {
	const flavor = flavorOf(system);
	const [from, to] =
		system === 'darwin' ? [root.toLowerCase(), target.toLowerCase()] : [root, target];
	const way = flavor.relative(from, to);
	return way !== '..' && !way.startsWith(`..${flavor.sep}`) && !flavor.isAbsolute(way);
}

/**
 * Returns a path with every symbolic link followed, as far as it exists; the rest stays as it is.
 *
 * @throws {PlaceError} where it leads nowhere; the system's error where it cannot say so
 */
export async function realPathOf(
	target: string,
	system: NodeJS.Platform = process.platform,
): Promise<string> {
	try {
		return await realpath(target);
	} catch (error) {
		const parent = path.dirname(target);
		const known = problems[codeOf(error)];
		if (known !== undefined && parent !== target) {
			// The system says so of the whole path: where a part above has the problem, this throws first.
			await realPathOf(parent, system);
			throw new PlaceError(known, known === 'notAFolder' ? parent : target, error);
		}
		if (!isNotFound(error)) {
			throw error;
		}
		if (await isLink(target)) {
			throw new PlaceError('brokenLink', target, error);
		}
		if (parent === target) {
			throw error;
		}
		const name = path.basename(target);
		const problem = ['.', '..'].includes(name) ? undefined : nameProblem(name, system);
		if (problem !== undefined) {
			throw new PlaceError(problem, target, error);
		}
		return path.join(await realPathOf(parent, system), name);
	}
}

const problems: Readonly<Record<string, PlaceProblem>> = {
	ENOTDIR: 'notAFolder',
	ELOOP: 'circle',
	ENAMETOOLONG: 'tooLong',
	// No system has a path with a zero in it.
	ERR_INVALID_ARG_VALUE: 'notAName',
};

async function isLink(target: string): Promise<boolean> {
	try {
		return (await lstat(target)).isSymbolicLink();
	} catch (error) {
		if (isNotFound(error)) {
			return false;
		}
		throw codeOf(error) === 'ENAMETOOLONG' ? new PlaceError('tooLong', target, error) : error;
	}
}

function flavorOf(system: NodeJS.Platform): path.PlatformPath {
	return system === 'win32' ? path.win32 : path.posix;
}
