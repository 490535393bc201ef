import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, mayPass } from '../files/refusal.js';
import { ignoreUnsupported } from '../files/writeWhole.js';

export interface ImageFileOptions {
	/**
	 * How long a disk that refuses is waited for once everything has arrived, in milliseconds. Until
	 * then the time-out of the attempt is the only bound.
	 */
	readonly longestStallMs: number;
	/** Called with the system's code when the disk begins to refuse, without one when it accepts. */
	readonly onStall?: ((code: string | undefined) => void) | undefined;
	/** Ends every wait at once. */
	readonly signal?: AbortSignal | undefined;
}

/**
 * An image on its way to the disk. What was paid for comes only once, so a disk that is full or
 * refuses for a while is waited for: what arrives meanwhile is held in memory, up to 64 MiB, and
 * written as soon as there is room. The file gets its name when it is whole and flushed.
 */
export class ImageFile {
	/** Bytes that were handed over, written or not. */
	bytes = 0;
	readonly #part: string;
	#handle: FileHandle | undefined;
	#held: Buffer[] = [];
	#heldBytes = 0;
	#writtenBytes = 0;
	#writing: Promise<void> | undefined;
	#stall = Promise.withResolvers<void>();
	#isStalled = false;
	/** When a disk that refuses is given up, by `performance.now()`. */
	#giveUpAt = Number.POSITIVE_INFINITY;

	constructor(
		private readonly file: string,
		private readonly options: ImageFileOptions,
	) {
		this.#part = partOf(file);
	}

	/**
	 * Takes the next bytes. Resolves when they are written; with a disk that refuses, as soon as
	 * that is known, unless too much is held already.
	 *
	 * @throws the system's error where the disk refuses for good, Node's `AbortError` at the signal
	 */
	async append(piece: Buffer): Promise<void> {
		if (piece.length === 0) {
			return;
		}
		this.bytes += piece.length;
		this.#held.push(piece);
		this.#heldBytes += piece.length;
		const writing = this.#write();
		await (this.#heldBytes > mostHeldBytes
			? writing
			: Promise.race([writing, this.#stall.promise]));
	}

	/**
	 * Writes what is still held, flushes, and gives the file its name.
	 *
	 * @throws the system's error where the disk refuses for good, or for too long
	 */
	async finish(): Promise<void> {
		await this.settle();
		await this.#patiently(async () => (await this.#open()).sync().catch(ignoreUnsupported));
		await this.#close();
		await this.#patiently(() => rename(this.#part, this.file));
	}

	/**
	 * Writes what is still held. The bytes lie in the file's part then, see {@link partOf}.
	 *
	 * @param longestMs how long a disk that refuses is waited for, in milliseconds
	 * @throws as {@link finish}
	 */
	async settle(longestMs = this.options.longestStallMs): Promise<void> {
		this.#giveUpAt = performance.now() + longestMs;
		do {
			await this.#write();
		} while (this.#held.length > 0);
	}

	/** Gives up the image and removes its part. */
	async discard(): Promise<void> {
		await this.leave();
		await rm(this.#part).catch(() => undefined);
	}

	/** Gives up the image, but leaves its part where it is. */
	async leave(): Promise<void> {
		this.#giveUpAt = 0;
		await this.#writing?.catch(() => undefined);
		await this.#close();
	}

	async #close(): Promise<void> {
		const handle = this.#handle;
		this.#handle = undefined;
		await handle?.close().catch(() => undefined);
	}

	/** Only one write runs at a time; calls that come meanwhile wait for it. */
	#write(): Promise<void> {
		this.#writing ??= this.#writeHeld().finally(() => {
			this.#writing = undefined;
		});
		return this.#writing;
	}

	async #writeHeld(): Promise<void> {
		for (let piece = this.#held[0]; piece !== undefined; piece = this.#held[0]) {
			await this.#patiently(() => this.#writePiece(piece));
			this.#held.shift();
			this.#heldBytes -= piece.length;
		}
	}

	/** Writes by position, so that the rest of a piece that a full disk took in part can follow. */
	async #writePiece(piece: Buffer): Promise<void> {
		const startsAt = this.bytes - this.#heldBytes;
		const handle = await this.#open();
		while (this.#writtenBytes < startsAt + piece.length) {
			const from = this.#writtenBytes - startsAt;
			const { bytesWritten } = await handle.write(
				piece,
				from,
				piece.length - from,
				this.#writtenBytes,
			);
			this.#writtenBytes += bytesWritten;
		}
	}

	async #open(): Promise<FileHandle> {
		return (this.#handle ??= await open(this.#part, 'w'));
	}

	async #patiently<T>(step: () => Promise<T>): Promise<T> {
		for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 500)) {
			try {
				const result = await step();
				this.#tellStall(undefined);
				return result;
			} catch (error) {
				const leftMs = this.#giveUpAt - performance.now();
				if (!mayPass(error) || leftMs <= 0) {
					throw error;
				}
				this.#tellStall(codeOf(error));
				await delay(Math.min(waitMs, leftMs), undefined, { signal: this.options.signal });
			}
		}
	}

	#tellStall(code: string | undefined): void {
		if (this.#isStalled === (code !== undefined)) {
			return;
		}
		this.#isStalled = code !== undefined;
		if (this.#isStalled) {
			this.#stall.resolve();
		} else {
			this.#stall = Promise.withResolvers();
		}
		this.options.onStall?.(code);
	}
}

/** The path at which the bytes of a file lie until it is whole. */
export function partOf(file: string): string {
	return `${file}.part`;
}

/** In bytes; more than the service's largest size takes uncompressed (3840 × 2160 × 4). */
const mostHeldBytes = 64 * 1024 * 1024;
