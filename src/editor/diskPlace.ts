import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { copyFlushed } from '../files/copyFlushed.js';
import { linkTo, moveTo } from '../files/freeName.js';
import { isNotFound } from '../files/fsErrors.js';
import { sha256Of } from '../images/hash.js';
import { maxImageBytes } from '../images/inspect.js';
import { TakenError, type FilePlace } from './swapFiles.js';
import type { BackupStore } from './backupStore.js';
import { texts } from './texts.js';

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
