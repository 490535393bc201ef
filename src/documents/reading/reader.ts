import { Thread, ThreadFailure } from '../../images/thumbnails/thread.js';
import { EaselError } from '../../easelError.js';
import type { ReadingAnswer, ReadingOrder, Readings } from './orders.js';

export type { ImagePlace } from './orders.js';

/** Parsing exceeded its deadline; the text is probably malicious. */
export class ReadingTooSlowError extends EaselError {
	override readonly name = 'ReadingTooSlowError';

	constructor(timeLimitMs: number) {
		super({ code: 'reading.tooSlow', seconds: timeLimitMs / 1000 });
	}
}

/**
 * Reads documents and settings in a worker thread, with a time limit: their parsers, and the globs and
 * regular expressions that a workspace brings along, can take as long as a stranger wants.
 */
export class DocumentReader {
	readonly #script: string;
	readonly #timeLimitMs: number;
	#thread: Thread<ReadingOrder, ReadingAnswer> | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#idle: NodeJS.Timeout | undefined;

	/**
	 * @param script the worker's bundle, absolute
	 * @param timeLimitMs the longest that one reading may take
	 */
	constructor(script: string, { timeLimitMs = 3000 } = {}) {
		this.#script = script;
		this.#timeLimitMs = timeLimitMs;
	}

	/** Ends the worker; it starts again where something is to be read. */
	async dispose(): Promise<void> {
		clearTimeout(this.#idle);
		const thread = this.#thread;
		this.#thread = undefined;
		await thread?.end();
	}

	/**
	 * Reads one after the other, in the order in which it was asked for.
	 *
	 * @throws {ReadingTooSlowError} after the time limit
	 * @throws {Error} where the worker cannot start, or runs out of memory
	 */
	async read<Type extends keyof Readings>(
		type: Type,
		order: Readings[Type]['order'],
	): Promise<Readings[Type]['answer']> {
		const reading = this.#last.then(() => this.#read({ type, ...order } as ReadingOrder));
		this.#last = reading.catch(() => undefined);
		return reading;
	}

	async #read(order: ReadingOrder): Promise<ReadingAnswer> {
		clearTimeout(this.#idle);
		if (this.#thread === undefined || this.#thread.dead) {
			this.#thread = new Thread(this.#script);
		}
		try {
			return await this.#thread.do(order, this.#timeLimitMs);
		} catch (error) {
			throw error instanceof ThreadFailure && error.kind === 'tooSlow'
				? new ReadingTooSlowError(this.#timeLimitMs)
				: error;
		} finally {
			// It takes memory, and starts quickly.
			this.#idle = setTimeout(() => void this.dispose(), keptMs).unref();
		}
	}
}

/** Time after which an idle worker ends. */
const keptMs = 60_000;
