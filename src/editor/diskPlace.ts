import { createReadStream } from 'node:fs';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { sha256Of } from '../images/hash.js';
import { copyFlushed } from './copyFlushed.js';
import { TakenError, type FilePlace } from './exchange.js';
import type { KeptFiles } from './keptFiles.js';

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
		return sha256Of(this.file).catch(undefinedIfMissing);
	}

	async keep(kept: KeptFiles): Promise<string | undefined> {
		return kept.keep(this.file).catch((error: unknown) => {
			// A storage that is missing is not taken for a file that is.
			if (codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).path === this.file) {
				return undefined;
			}
			throw error;
		});
	}

	async copyFrom(file: string): Promise<void> {
		await mkdir(path.dirname(this.file), { recursive: true });
		await copyFlushed(createReadStream(file), this.file, 0o666);
	}

	async renameTo(name: string): Promise<boolean> {
		const renaming = rename(this.file, this.beside(name).file).then(() => true);
		return (await renaming.catch(undefinedIfMissing)) ?? false;
	}

	async renameToFree(name: string): Promise<void> {
		const target = this.beside(name).file;
		try {
			// A second name is the one way to name a whole file that fails where the name exists.
			await link(this.file, target);
		} catch (error) {
			if (codeOf(error) === 'EEXIST') {
				throw new TakenError(`“${name}” is taken.`);
			}
			await renameOverOwn(this.file, target);
			return;
		}
		// Both names hold the whole file, so it is where it should be even if the first one stays.
		await this.remove().catch(() => undefined);
	}

	async remove(): Promise<void> {
		await rm(this.file, { force: true });
	}
}

/** Where a file system has no second names, an empty file of our own takes the name first. */
async function renameOverOwn(file: string, target: string): Promise<void> {
	try {
		await (await open(target, 'wx')).close();
	} catch (error) {
		if (codeOf(error) === 'EEXIST') {
			throw new TakenError(`“${path.basename(target)}” is taken.`);
		}
		throw error;
	}
	try {
		await rename(file, target);
	} catch (error) {
		await rm(target, { force: true });
		throw error;
	}
}

function undefinedIfMissing(error: unknown): undefined {
	if (codeOf(error) !== 'ENOENT') {
		throw error;
	}
}

function codeOf(error: unknown): string | undefined {
	return (error as NodeJS.ErrnoException).code;
}
