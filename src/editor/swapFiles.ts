import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { copyFlushed } from '../files/copyFlushed.js';
import { linkTo, moveTo } from '../files/freeName.js';
import { isNotFound } from '../files/fsErrors.js';
import { candidateNames } from '../images/fileName.js';
import { sha256Of } from '../images/hash.js';
import { maxImageBytes } from '../images/inspect.js';
import type { BackupStore } from './backupStore.js';
import { texts } from './texts.js';

/** The files as they are before a step, and after it. */
export type SwapSide = 'before' | 'after';

export function otherSide(side: SwapSide): SwapSide {
	return side === 'before' ? 'after' : 'before';
}

/** A file by its name and folder, whether it exists or not, on whatever file system. */
export interface FilePlace {
	readonly name: string;
	/** Another name in the same folder. */
	beside(name: string): FilePlace;
	/** SHA-256 of the bytes, hexadecimal; `undefined` where there is no file, and only then. */
	sha256(): Promise<string | undefined>;
	/** Backs up the bytes and returns their SHA-256; `undefined` where there is no file. */
	backUp(backups: BackupStore): Promise<string | undefined>;
	/** Makes the file, and its folder, from a whole one of our own storage. */
	copyFrom(file: string): Promise<void>;
	/** Renames the file to a name that is free; `false` where there is none. */
	renameTo(name: string): Promise<boolean>;
	/** Renames the file, or throws {@link TakenError} where there is another one of that name. */
	renameToFree(name: string): Promise<void>;
	remove(): Promise<void>;
}

/** There is a file of that name; it is as it was. */
export class TakenError extends Error {
	override readonly name = 'TakenError';
}

/** Another file, or none, is in the place; it is as it was. */
export class ChangedError extends Error {
	override readonly name = 'ChangedError';
}

/** There is no backup of the wanted bytes any more; nothing was changed. */
export class NoBackupError extends Error {
	override readonly name = 'NoBackupError';
}

/** Something went wrong in the middle, and the file has another name now. */
export class MovedError extends Error {
	override readonly name = 'MovedError';

	constructor(
		readonly to: string,
		cause: unknown,
	) {
		super(texts.fileRenamed(to), { cause });
	}
}

/**
 * Puts a backup in the place of the expected file, removes the expected file, or makes a new one. The
 * removed file is backed up. It is moved aside and compared again before it goes, so that not even
 * what another program writes at this very moment is lost; and the name never holds half a file.
 *
 * @param from SHA-256 of the expected file; `undefined` where there should be none
 * @param to SHA-256 of what takes its place; `undefined` where the file goes. Where the place holds
 *   that already, nothing is done.
 * @returns where another program has just changed the file, the name under which that lies now
 * @throws {ChangedError} where another file, or none, is there
 * @throws {NoBackupError}
 * @throws {MovedError} where it failed and the file could not get its name back
 */
export async function swapFile(
	place: FilePlace,
	backups: BackupStore,
	from: string | undefined,
	to: string | undefined,
): Promise<string | undefined> {
	if (await isSwapped(place, from, to)) {
		return undefined;
	}
	const part = place.beside(`.easel-${randomUUID()}.part`);
	try {
		if (to !== undefined) {
			await fillPart(part, backups, to);
		}
		const aside = from === undefined ? undefined : await moveAside(place, backups, from);
		const removeAside = async () => aside === undefined || removeIfUnchanged(aside, from);
		try {
			if (to !== undefined) {
				await part.renameToFree(place.name);
			} else if (!(await removeAside())) {
				throw new ChangedError(texts.fileChangedNow);
			}
		} catch (error) {
			await (aside && moveBack(aside, place, error));
			throw error instanceof TakenError ? new ChangedError(texts.fileTaken) : error;
		}
		// What cannot be removed stays, as what was changed does; the caller gets its name.
		const isGone = to === undefined || (await removeAside().catch(() => false));
		return isGone ? undefined : aside?.name;
	} finally {
		if (to !== undefined) {
			await part.remove().catch(() => undefined);
		}
	}
}

/** Returns whether a place holds `to`, not `from`. @throws {ChangedError} where it holds neither */
export async function isSwapped(
	place: FilePlace,
	from: string | undefined,
	to: string | undefined,
): Promise<boolean> {
	const found = await place.sha256();
	if (found !== from && found !== to) {
		throw new ChangedError(found === undefined ? texts.fileMissing : texts.fileChanged);
	}
	return found === to;
}

/**
 * Makes a new file of a backup, and returns its name: the place's own, or a numbered one that is
 * free or holds the same bytes.
 *
 * @param names to try in the folder of the place
 * @throws {NoBackupError}
 */
export async function restoreUnderFreeName(
	place: FilePlace,
	backups: BackupStore,
	sha256: string,
	names: Iterable<string> = candidateNames(place.name),
): Promise<string> {
	for (const name of names) {
		try {
			await swapFile(place.beside(name), backups, undefined, sha256);
			return name;
		} catch (error) {
			if (!(error instanceof ChangedError)) {
				throw error;
			}
		}
	}
	throw new Error('no file name is free');
}

/** Makes a whole copy of a backup, under a name of its own. */
async function fillPart(part: FilePlace, backups: BackupStore, sha256: string): Promise<void> {
	if (!(await backups.has(sha256))) {
		throw new NoBackupError(texts.noBackup);
	}
	await part.copyFrom(backups.file(sha256));
	if ((await part.sha256()) !== sha256) {
		throw new NoBackupError(texts.damagedBackup);
	}
}

/** From here to the end the file has a name that says what it is, should all end here. */
async function moveAside(
	place: FilePlace,
	backups: BackupStore,
	from: string | undefined,
): Promise<FilePlace> {
	// Right before, and what is there in any case: it may have changed while the new one was written.
	if ((await place.backUp(backups)) !== from) {
		throw new ChangedError(texts.fileChanged);
	}
	const { name: stem, ext } = path.posix.parse(place.name);
	const aside = place.beside(`${stem}-${randomBytes(4).toString('hex')}${ext}`);
	if (!(await place.renameTo(aside.name))) {
		throw new ChangedError(texts.fileMissing);
	}
	return aside;
}

async function moveBack(aside: FilePlace, place: FilePlace, cause: unknown): Promise<void> {
	try {
		await aside.renameToFree(place.name);
	} catch {
		throw new MovedError(aside.name, cause);
	}
}

/** `false` where it has changed after all, so that these bytes may be the only ones. */
async function removeIfUnchanged(aside: FilePlace, from: string | undefined): Promise<boolean> {
	if ((await aside.sha256()) !== from) {
		return false;
	}
	await aside.remove();
	return true;
}

/** A file of this machine's disks. */
export class DiskPlace implements FilePlace {
	/** @param file absolute */
	constructor(private readonly file: string) {}

	get name(): string {
		return path.basename(this.file);
	}

	beside(name: string): DiskPlace {
		return new DiskPlace(path.join(path.dirname(this.file), name));
	}

	async sha256(): Promise<string | undefined> {
		return sha256Of(this.file, maxImageBytes).catch(undefinedIfMissing);
	}

	async backUp(backups: BackupStore): Promise<string | undefined> {
		return backups.add(this.file).catch((error: unknown) => {
			// A storage that is missing is not taken for a file that is.
			if (isNotFound(error) && (error as NodeJS.ErrnoException).path === this.file) {
				return undefined;
			}
			throw error;
		});
	}

	async copyFrom(file: string): Promise<void> {
		await mkdir(path.dirname(this.file), { recursive: true });
		await copyFlushed(file, this.file, { mode: 0o666, maxBytes: maxImageBytes });
	}

	async renameTo(name: string): Promise<boolean> {
		const renaming = rename(this.file, this.beside(name).file).then(() => true);
		return (await renaming.catch(undefinedIfMissing)) ?? false;
	}

	async renameToFree(name: string): Promise<void> {
		const target = this.beside(name).file;
		// Whatever refuses the link, the other way may still go; only one of them has to.
		const linked = await linkTo(this.file, target).catch(() => 'unsupported');
		if (linked === 'linked') {
			// Both names hold the whole file, so it is where it should be even if the first one stays.
			await this.remove().catch(() => undefined);
		} else if (linked === 'taken' || !(await moveTo(this.file, target))) {
			throw new TakenError(texts.nameTaken(name));
		}
	}

	async remove(): Promise<void> {
		await rm(this.file, { force: true });
	}
}

function undefinedIfMissing(error: unknown): undefined {
	if (!isNotFound(error)) {
		throw error;
	}
}
