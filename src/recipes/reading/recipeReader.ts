import { Thread, ThreadFailure } from '../../images/thumbnails/thread.js';
import type { FoundRecipe, RecipeAnswer, RecipeOrder } from './orders.js';
import { log } from '../../log.js';

export type { FoundRecipe } from './orders.js';

export interface RecipeReaderOptions {
	/** The worker's bundle, absolute. */
	readonly script: string;
	/** Path of the index, absolute; without it nothing is remembered. */
	readonly index?: string | undefined;
	/** The longest that one step may take, in milliseconds; usually it takes 50. */
	readonly timeLimitMs?: number;
}

/** Number of files that the worker gets at once. */
const maxAtOnce = 500;
/** Number of stuck files that are passed over; beyond it the disk is at fault. */
const maxStuck = 5;
/** Time after which an idle worker ends, in milliseconds. */
const idleMs = 60_000;

/**
 * Reads how images were made, in a worker thread, off the thread of the extension host. A file that
 * takes too long is passed over.
 */
export class RecipeReader {
	readonly #options: RecipeReaderOptions;
	#thread: Thread<RecipeOrder, RecipeAnswer> | undefined;
	#idle: NodeJS.Timeout | undefined;

	constructor(options: RecipeReaderOptions) {
		this.#options = options;
	}

	/** Ends the worker; it starts again where something is to be read. */
	async dispose(): Promise<void> {
		clearTimeout(this.#idle);
		const thread = this.#thread;
		this.#thread = undefined;
		await thread?.end();
	}

	/**
	 * Reads the images, some at a time. Those that say nothing are left out. Only one call of this one
	 * and of {@link hash} runs at once.
	 *
	 * @param files absolute paths of all images that there are
	 * @param signal ends it between two steps, without an error
	 */
	async *read(
		files: readonly string[],
		signal?: AbortSignal,
	): AsyncGenerator<readonly FoundRecipe[]> {
		const { index } = this.#options;
		for await (const { found } of this.#all('read', files, signal)) {
			yield found;
		}
		if (index !== undefined && signal?.aborted !== true) {
			await this.#do({ type: 'tidy', index }).catch(() => undefined);
		}
	}

	/**
	 * Hashes images that were read before, some at a time; those that cannot be read are left out.
	 *
	 * @param files absolute paths
	 * @param signal ends it between two steps, without an error
	 * @returns SHA-256 of their bytes, hexadecimal, by their paths
	 */
	async *hash(
		files: readonly string[],
		signal?: AbortSignal,
	): AsyncGenerator<ReadonlyMap<string, string>> {
		for await (const { hashes } of this.#all('hash', files, signal)) {
			yield hashes;
		}
	}

	async *#all(
		type: 'read' | 'hash',
		files: readonly string[],
		signal: AbortSignal | undefined,
	): AsyncGenerator<RecipeAnswer> {
		const { index } = this.#options;
		let stuck = 0;
		/** Number of next files that are read one at a time, to find the stuck one. */
		let singly = 0;
		for (let at = 0; at < files.length && signal?.aborted !== true;) {
			const batch = files.slice(at, at + (singly > 0 ? 1 : maxAtOnce));
			let answer: RecipeAnswer;
			try {
				answer = await this.#do({ type, index, files: batch });
			} catch (error) {
				if (!(error instanceof ThreadFailure)) {
					throw error;
				}
				if (batch.length > 1) {
					singly = batch.length;
					continue;
				}
				log.error(`This image could not be read: ${batch[0]!}`, error);
				stuck += 1;
				if (stuck === maxStuck) {
					return;
				}
				answer = { done: 1, found: [], hashes: new Map() };
			}
			at += answer.done;
			singly = Math.max(singly - answer.done, 0);
			yield answer;
		}
	}

	async #do(order: RecipeOrder): Promise<RecipeAnswer> {
		const { script, timeLimitMs = 3000 } = this.#options;
		clearTimeout(this.#idle);
		if (this.#thread === undefined || this.#thread.dead) {
			this.#thread = new Thread(script);
		}
		try {
			return await this.#thread.do(order, timeLimitMs);
		} finally {
			// It takes memory, and starts quickly.
			this.#idle = setTimeout(() => void this.dispose(), idleMs).unref();
		}
	}
}
