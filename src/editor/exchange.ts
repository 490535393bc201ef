import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { candidateNames } from '../images/fileName.js';
import type { KeptFiles } from './keptFiles.js';

/** A file by its name and folder, whether it exists or not, on whatever file system. */
export interface FilePlace {
	readonly name: string;
	/** Another name in the same folder. */
	beside(name: string): FilePlace;
	/** SHA-256 of the bytes, hexadecimal; `undefined` where there is no file, and only then. */
	sha256(): Promise<string | undefined>;
	/** Keeps the bytes and returns their SHA-256; `undefined` where there is no file. */
	keep(kept: KeptFiles): Promise<string | undefined>;
	/** Makes the file, and its folder, from a whole one of our own storage. */
	copyFrom(file: string): Promise<void>;
	/** Renames the file to what nobody else uses; `false` where there is none. */
	renameTo(name: string): Promise<boolean>;
	/** Renames the file, or throws {@link TakenError} where there is another one of that name. */
	renameToFree(name: string): Promise<void>;
	remove(): Promise<void>;
}

/** There is a file of that name; it is as it was. */
export class TakenError extends Error {
	override readonly name = 'TakenError';
}

/** The file is gone, or not the one that was expected; it is as it was. */
export class ChangedError extends Error {
	override readonly name = 'ChangedError';
}

/** What was to be put there is not kept any more; nothing was changed. */
export class NotKeptError extends Error {
	override readonly name = 'NotKeptError';
}

/** Something went wrong in the middle, and the file has another name now. */
export class MovedError extends Error {
	override readonly name = 'MovedError';

	constructor(
		readonly to: string,
		cause: unknown,
	) {
		super(`The file is “${to}” now.`, { cause });
	}
}

/**
 * Makes a new file of what is kept. There is no moment in which the name holds half a file.
 *
 * @throws {TakenError} where the name is taken
 * @throws {NotKeptError}
 */
export async function putNew(place: FilePlace, kept: KeptFiles, sha256: string): Promise<void> {
	await withPart(place, kept, sha256, (part) => part.renameToFree(place.name));
}

/**
 * Makes a new file of what is kept, under a free name: the place's own, else numbered. Where one of
 * them holds the same bytes already, that is it.
 *
 * @returns the name
 * @throws {NotKeptError}
 */
export async function putUnderFreeName(
	place: FilePlace,
	kept: KeptFiles,
	sha256: string,
): Promise<string> {
	for (const name of candidateNames(place.name)) {
		const found = await place.beside(name).sha256();
		if (found === sha256) {
			return name;
		}
		try {
			if (found === undefined) {
				await putNew(place.beside(name), kept, sha256);
				return name;
			}
		} catch (error) {
			if (!(error instanceof TakenError)) {
				throw error;
			}
		}
	}
	throw new Error('there is no free name');
}

/**
 * Puts what is kept in the place of a file, if that is the one expected, which is kept then, too. The
 * file is taken aside and looked at again before it is removed, so that not even what somebody writes
 * at this very moment is lost.
 *
 * @param expected SHA-256 of the file that is there
 * @param sha256 of what takes its place
 * @returns where somebody has just changed the file, the name under which that lies now
 * @throws {ChangedError} where another file, or none, is there
 * @throws {NotKeptError}
 * @throws {MovedError} where it failed and the file could not get its name back
 */
export async function exchange(
	place: FilePlace,
	kept: KeptFiles,
	expected: string,
	sha256: string,
): Promise<string | undefined> {
	if ((await place.sha256()) !== expected) {
		throw new ChangedError('The file has changed.');
	}
	return withPart(place, kept, sha256, async (part) => {
		const aside = await takeAside(place, kept, expected);
		try {
			await part.renameToFree(place.name);
		} catch (error) {
			await giveBack(aside, place, error);
			throw error instanceof TakenError ? new ChangedError('Another file is there.') : error;
		}
		// What cannot be removed stays, as what was changed does; it is told under which name.
		const removed = await removeIfExpected(aside, expected).catch(() => false);
		return removed ? undefined : aside.name;
	});
}

/**
 * Removes a file, if it is the one expected, which is kept before.
 *
 * @param expected SHA-256 of the file that is there
 * @throws {ChangedError} where another file, or none, is there
 * @throws {MovedError} where it failed and the file could not get its name back
 */
export async function takeAway(place: FilePlace, kept: KeptFiles, expected: string): Promise<void> {
	const aside = await takeAside(place, kept, expected);
	try {
		if (!(await removeIfExpected(aside, expected))) {
			throw new ChangedError('It was changed at that very moment.');
		}
	} catch (error) {
		await giveBack(aside, place, error);
		throw error;
	}
}

/** Writes a whole file beside the place, under a name of its own, which goes in the end. */
async function withPart<T>(
	place: FilePlace,
	kept: KeptFiles,
	sha256: string,
	use: (part: FilePlace) => Promise<T>,
): Promise<T> {
	if (!(await kept.holds(sha256))) {
		throw new NotKeptError('It is not kept any more.');
	}
	const part = place.beside(`.easel-${randomUUID()}.part`);
	try {
		await part.copyFrom(kept.file(sha256));
		if ((await part.sha256()) !== sha256) {
			throw new NotKeptError('It could not be copied whole.');
		}
		return await use(part);
	} finally {
		await part.remove().catch(() => undefined);
	}
}

/** From here to the end the file has a name that tells people what it is, should all end here. */
async function takeAside(place: FilePlace, kept: KeptFiles, expected: string): Promise<FilePlace> {
	// Right before, and what is there in any case: it may have changed while the new one was written.
	if ((await place.keep(kept)) !== expected) {
		throw new ChangedError('The file has changed.');
	}
	const { name: stem, ext } = path.posix.parse(place.name);
	const aside = place.beside(`${stem}-${randomBytes(4).toString('hex')}${ext}`);
	if (!(await place.renameTo(aside.name))) {
		throw new ChangedError('The file is gone.');
	}
	return aside;
}

async function giveBack(aside: FilePlace, place: FilePlace, cause: unknown): Promise<void> {
	try {
		await aside.renameToFree(place.name);
	} catch {
		throw new MovedError(aside.name, cause);
	}
}

/** `false` where it has changed after all, so that these bytes may be the only ones. */
async function removeIfExpected(aside: FilePlace, expected: string): Promise<boolean> {
	if ((await aside.sha256()) !== expected) {
		return false;
	}
	await aside.remove();
	return true;
}
