import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { copyFlushed } from '../files/copyFlushed.js';
import { isNotFound } from '../files/fsErrors.js';
import { flushNames, privateFile, privateFolder } from '../files/writeWhole.js';
import { sha256Of } from '../images/hash.js';
import { maxImageBytes } from '../images/inspect.js';

/** No backup is removed before it has this age, in milliseconds. */
export const minBackupAgeMs = 30 * 24 * 60 * 60 * 1000;

/** Above this, the oldest backups of that age are removed, in bytes. */
const maxTotalBytes = 1024 ** 3;

/**
 * Copies of files in our own storage, made before the file is removed or written over, each under its
 * SHA-256. A name stands for exactly these bytes: they are written under another one and flushed
 * before they get it. They are copies, because a second name for the same file would change with it
 * when a program writes into it.
 *
 * Several windows use the folder at the same time.
 */
export class BackupStore {
	readonly #folder: string;

	/** @param storage our own, absolute */
	constructor(storage: string) {
		this.#folder = path.join(storage, 'kept');
	}

	/**
	 * Backs up the bytes of a file, or those given, for 30 days from now at least.
	 *
	 * @returns their SHA-256, hexadecimal
	 * @throws the system's error where the file cannot be read or the copy cannot be written
	 */
	async add(source: string | Uint8Array): Promise<string> {
		const known =
			typeof source === 'string'
				? await sha256Of(source, maxImageBytes)
				: createHash('sha256').update(source).digest('hex');
		return (await this.#renew(known)) ? known : this.#copy(source);
	}

	/** Returns whether there is a backup of exactly this SHA-256; its bytes are read for that. */
	async has(sha256: string): Promise<boolean> {
		try {
			return (await sha256Of(this.file(sha256))) === sha256;
		} catch (error) {
			if (isNotFound(error)) {
				return false;
			}
			throw error;
		}
	}

	/** Returns the path of the backup of this SHA-256 if there is one, absolute. It is never written to in place. */
	file(sha256: string): string {
		return path.join(this.#folder, sha256);
	}

	/**
	 * Removes the oldest backups until the rest fits into 1 GiB, but none of the last 30 days, however
	 * much that is; and what a crash has left half written.
	 *
	 * @param now in milliseconds since 1970
	 */
	async prune(now = Date.now()): Promise<void> {
		const all = await this.#list();
		for (const { name, usedAt } of all) {
			if (name.endsWith(asideEnding)) {
				await this.#putBack(name);
			} else if (name.endsWith(partEnding) && now - usedAt > maxCopyMs) {
				await rm(path.join(this.#folder, name), { force: true });
			}
		}
		const backups = all.filter(({ name }) => backupName.test(name));
		let bytes = backups.reduce((sum, file) => sum + file.bytes, 0);
		for (const file of backups.sort((one, other) => one.usedAt - other.usedAt)) {
			if (bytes <= maxTotalBytes || now - file.usedAt <= minBackupAgeMs) {
				return;
			}
			await this.#removeUnlessRenewed(file.name, now - minBackupAgeMs);
			bytes -= file.bytes;
		}
	}

	/** Lets the time begin anew for a backup; `false` where there is none, or it is damaged. */
	async #renew(sha256: string): Promise<boolean> {
		try {
			// The time first: pruning looks at it once more before the bytes go.
			await utimes(this.file(sha256), new Date(), new Date());
		} catch {
			// It is written anew then, which throws what is wrong.
			return false;
		}
		return this.has(sha256);
	}

	async #copy(source: string | Uint8Array): Promise<string> {
		await mkdir(this.#folder, { recursive: true, mode: privateFolder });
		const part = path.join(this.#folder, `${randomUUID()}${partEnding}`);
		try {
			const sha256 = await copyFlushed(source, part, {
				mode: privateFile,
				maxBytes: maxImageBytes,
			});
			try {
				await rename(part, this.file(sha256));
			} catch (error) {
				// Windows does not replace a file that is being read. Then it is there already.
				if (!(await this.has(sha256))) {
					throw error;
				}
			}
			await flushNames(this.#folder);
			return sha256;
		} finally {
			await rm(part, { force: true });
		}
	}

	/**
	 * Takes the name away first and looks at the time once more then: another window may have come to
	 * rely on the file since it was listed, and must not find a name behind which nothing is.
	 */
	async #removeUnlessRenewed(name: string, olderThan: number): Promise<void> {
		const aside = `${name}.${randomUUID()}${asideEnding}`;
		try {
			await rename(path.join(this.#folder, name), path.join(this.#folder, aside));
			if ((await stat(path.join(this.#folder, aside))).mtimeMs > olderThan) {
				await this.#putBack(aside);
			} else {
				await rm(path.join(this.#folder, aside), { force: true });
			}
		} catch {
			// Another window was quicker, or it is being read, on Windows. It goes another time.
		}
	}

	/** Gives back the name, also to what a crash has left aside. The time begins anew for it. */
	async #putBack(aside: string): Promise<void> {
		const file = path.join(this.#folder, aside);
		try {
			// Before it takes the place of one that may have been written meanwhile.
			await utimes(file, new Date(), new Date());
			await rename(file, this.file(aside.slice(0, 64)));
		} catch {
			// It is back already, or will be the next time.
		}
	}

	async #list(): Promise<{ name: string; bytes: number; usedAt: number }[]> {
		const names = await readdir(this.#folder).catch((error: unknown) => {
			if (isNotFound(error)) {
				return [];
			}
			throw error;
		});
		const files = await Promise.all(
			names.map(async (name) => {
				const found = await stat(path.join(this.#folder, name)).catch(() => undefined);
				return found && { name, bytes: found.size, usedAt: found.mtimeMs };
			}),
		);
		return files.filter((file) => file !== undefined);
	}
}

const backupName = /^[\da-f]{64}$/;
const partEnding = '.part';
const asideEnding = '.aside';

/** Writing a copy takes seconds at most; what is older is the rest of a crash. In milliseconds. */
const maxCopyMs = 24 * 60 * 60 * 1000;
