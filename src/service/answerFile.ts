import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, isTransient } from '../files/fsErrors.js';
import { flushNames, ignoreUnsupported, privateFile, privateFolder } from '../files/writeWhole.js';

/** Name of a raw answer in a job's folder; further ones have a number behind it. */
export const answerName = 'answer';

/**
 * Called with the system's code when the disk begins to refuse, and once more when every folder has;
 * without a code when it accepts.
 */
export type OnStall = (code: string | undefined, isEverywhere: boolean) => void;

/** How long a folder that refuses is tried before the next one is, in milliseconds. */
const maxRefusalMs = 2_000;

/**
 * The body of an answer on its way to the disk, as it comes. What was paid for comes only once, so
 * it is held in memory until it is flushed: after a flush that failed it is written anew, and where
 * a folder goes on refusing, into the next one, over and over, also those that are added meanwhile.
 */
export class AnswerFile {
	readonly #pieces: Buffer[] = [];
	/** How many pieces are written, and how many bytes of the next one. */
	#written = 0;
	#offset = 0;
	#folder = 0;
	/** How many folders there were when all of them had refused. */
	#refused = 0;
	#file: string | undefined;
	#handle: FileHandle | undefined;
	#writing: Promise<void> | undefined;
	#stall = Promise.withResolvers<void>();
	#isStalled = false;
	/** When a disk that refuses is given up, by `performance.now()`. */
	#giveUpAt = Number.POSITIVE_INFINITY;
	#wake = new AbortController();

	constructor(
		/** Absolute. */
		private readonly folder: string,
		/** Those to use where it refuses, in this order. */
		private readonly otherFolders: readonly string[],
		private readonly onStall: OnStall | undefined,
	) {}

	/**
	 * Takes the next bytes. Resolves when they are written, or as soon as the disk is known to refuse.
	 *
	 * @throws the system's error where the disk was given up
	 */
	async append(piece: Buffer): Promise<void> {
		this.#pieces.push(piece);
		this.#writing ??= this.#persist(() => this.#writeAll()).finally(() => {
			this.#writing = undefined;
		});
		await Promise.race([this.#writing, this.#stall.promise]);
	}

	/** Gives a disk that refuses up after so many milliseconds. */
	giveUpAfter(ms: number): void {
		this.#giveUpAt = Math.min(this.#giveUpAt, performance.now() + ms);
		this.#wake.abort();
		this.#wake = new AbortController();
	}

	/** Writes and flushes what is still held, and returns its absolute path. @throws as {@link append} */
	async finish(): Promise<string> {
		await this.#writing?.catch(() => undefined);
		try {
			await this.#persist(async () => {
				await this.#writeAll();
				await this.#flush();
			});
			// From here on the disk has it.
			this.#pieces.length = 0;
			return this.#file!;
		} finally {
			await this.#close();
		}
	}

	/** Removes what was written. */
	async discard(): Promise<void> {
		this.giveUpAfter(0);
		await this.#writing?.catch(() => undefined);
		await this.#remove();
	}

	async #writeAll(): Promise<void> {
		this.#handle ??= await this.#create();
		for (let piece = this.#pieces[this.#written]; piece !== undefined;) {
			while (this.#offset < piece.length) {
				const { bytesWritten } = await this.#handle.write(piece, this.#offset);
				this.#offset += bytesWritten;
			}
			this.#offset = 0;
			this.#written += 1;
			piece = this.#pieces[this.#written];
		}
	}

	async #create(): Promise<FileHandle> {
		const folder = this.#folder === 0 ? this.folder : this.otherFolders[this.#folder - 1]!;
		await mkdir(folder, { recursive: true, mode: privateFolder });
		for (let number = 1; ; number++) {
			const file = path.join(folder, number === 1 ? answerName : `${answerName}-${String(number)}`);
			try {
				const handle = await open(file, 'wx', privateFile);
				this.#file = file;
				return handle;
			} catch (error) {
				if (codeOf(error) !== 'EEXIST') {
					throw error;
				}
			}
		}
	}

	async #flush(): Promise<void> {
		try {
			await this.#handle?.sync().catch(ignoreUnsupported);
			await this.#handle?.close();
			this.#handle = undefined;
			await flushNames(path.dirname(this.#file!));
		} catch (error) {
			// A later flush would succeed, although the system has dropped what it could not write.
			await this.#remove();
			throw error;
		}
	}

	/** Runs a step until it succeeds or the disk is given up. */
	async #persist(step: () => Promise<void>): Promise<void> {
		let refusedAt: number | undefined;
		for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 500)) {
			try {
				await step();
				this.#setStall(undefined);
				return;
			} catch (error) {
				const now = performance.now();
				refusedAt ??= now;
				const code = codeOf(error);
				if (code === '' || now >= this.#giveUpAt) {
					throw error;
				}
				this.#setStall(code);
				if (!isTransient(error) || now - refusedAt > maxRefusalMs) {
					await this.#remove();
					refusedAt = undefined;
					this.#nextFolder(code);
				}
				await delay(waitMs, undefined, { signal: this.#wake.signal }).catch(() => undefined);
			}
		}
	}

	#nextFolder(code: string): void {
		const count = 1 + this.otherFolders.length;
		this.#folder = (this.#folder + 1) % count;
		if (this.#folder === 0 && count > this.#refused) {
			this.#refused = count;
			this.onStall?.(code, true);
		}
	}

	/** Removes what was written, so that all of it is written anew. */
	async #remove(): Promise<void> {
		await this.#close();
		if (this.#file !== undefined) {
			await rm(this.#file, { force: true }).catch(() => undefined);
		}
		this.#file = undefined;
		this.#written = 0;
		this.#offset = 0;
	}

	async #close(): Promise<void> {
		await this.#handle?.close().catch(() => undefined);
		this.#handle = undefined;
	}

	#setStall(code: string | undefined): void {
		if (this.#isStalled === (code !== undefined)) {
			return;
		}
		this.#isStalled = code !== undefined;
		if (this.#isStalled) {
			this.#stall.resolve();
		} else {
			this.#refused = 0;
			this.#stall = Promise.withResolvers();
		}
		this.onStall?.(code, false);
	}
}
