import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { copyFlushed } from '../files/copyFlushed.js';
import { isNotFound } from '../files/fsErrors.js';
import { flushNames, privateFile, privateFolder } from '../files/writeWhole.js';
import { sha256Of } from '../images/hash.js';
import { largestImage } from '../images/inspect.js';

/** Nothing that was kept within this time is removed, in milliseconds. */
export const keptAtLeastMs = 30 * 24 * 60 * 60 * 1000;

/** Above this, what was kept longest ago and for long enough is removed, in bytes. */
export const keptBytes = 1024 ** 3;

/**
 * Bytes that are kept in our own storage before the file that holds them is removed or written
 * over, each under its SHA-256. A name stands for exactly these bytes: they are written under
 * another one and flushed before they get it. They are copies, because a second name for the same
 * file would change with it when a program writes into it.
 *
 * Several windows use the folder at the same time.
 */
export class KeptFiles {
	readonly #folder: string;

	/** @param storage our own, absolute; what is kept lies in a folder in it */
	constructor(storage: string) {
		this.#folder = path.join(storage, 'kept');
	}

	/**
	 * Keeps the bytes of a file, or those given. They stay for 30 days at least, counted from the
	 * last time that they were kept.
	 *
	 * @returns the SHA-256 of what is kept now, hexadecimal
	 * @throws the system's error where the file cannot be read or the copy cannot be written
	 */
	async keep(source: string | Uint8Array): Promise<string> {
		const known =
			typeof source === 'string'
				? await sha256Of(source, largestImage)
				: createHash('sha256').update(source).digest('hex');
		return (await this.#renew(known)) ? known : this.#copy(source);
	}

	/** Whether exactly the bytes of this SHA-256 are kept; they are read for that. */
	async holds(sha256: string): Promise<boolean> {
		try {
			return (await sha256Of(this.file(sha256))) === sha256;
		} catch (error) {
			if (isNotFound(error)) {
				return false;
			}
			throw error;
		}
	}

	/** Where the bytes of this SHA-256 lie if they are kept, absolute. Nobody may write there. */
	file(sha256: string): string {
		return path.join(this.#folder, sha256);
	}

	/**
	 * Removes what was kept longest ago until the rest fits into 1 GiB, but nothing that was kept
	 * within the last 30 days, however much that is; and what a crash has left half written.
	 *
	 * @param now in milliseconds since 1970
	 */
	async tidy(now = Date.now()): Promise<void> {
		const all = await this.#list();
		for (const { name, usedAt } of all) {
			if (name.endsWith(asideEnding)) {
				await this.#putBack(name);
			} else if (name.endsWith(partEnding) && now - usedAt > longestCopyMs) {
				await rm(path.join(this.#folder, name), { force: true });
			}
		}
		const kept = all.filter(({ name }) => keptName.test(name));
		let bytes = kept.reduce((sum, file) => sum + file.bytes, 0);
		for (const file of kept.sort((one, other) => one.usedAt - other.usedAt)) {
			if (bytes <= keptBytes || now - file.usedAt <= keptAtLeastMs) {
				return;
			}
			await this.#removeUnlessRenewed(file.name, now - keptAtLeastMs);
			bytes -= file.bytes;
		}
	}

	/** Lets the time begin anew for what is kept already; `false` where it is not, or is damaged. */
	async #renew(sha256: string): Promise<boolean> {
		try {
			// The time first: whoever tidies looks at it once more before the bytes go.
			await utimes(this.file(sha256), new Date(), new Date());
		} catch {
			// It is written anew then; what stands in the way of that is told.
			return false;
		}
		return this.holds(sha256);
	}

	async #copy(source: string | Uint8Array): Promise<string> {
		await mkdir(this.#folder, { recursive: true, mode: privateFolder });
		const part = path.join(this.#folder, `${randomUUID()}${partEnding}`);
		try {
			const sha256 = await copyFlushed(source, part, { mode: privateFile, maxBytes: largestImage });
			try {
				await rename(part, this.file(sha256));
			} catch (error) {
				// Windows does not replace a file that somebody reads. Then it is there already.
				if (!(await this.holds(sha256))) {
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
			// Another window was quicker, or somebody reads it, on Windows. It goes another time.
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

const keptName = /^[\da-f]{64}$/;
const partEnding = '.part';
const asideEnding = '.aside';

/** Writing a copy takes seconds at most; what is older is the rest of a crash. In milliseconds. */
const longestCopyMs = 24 * 60 * 60 * 1000;
