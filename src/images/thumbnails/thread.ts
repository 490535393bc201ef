import { Worker } from 'node:worker_threads';
import type { WorkerAnswer, WorkerOrder } from './order.js';

/** `tooSlow`: an order took too long; `crashed`: the thread could not start, or ended by itself. */
export class ThreadFailure extends Error {
	override readonly name = 'ThreadFailure';

	constructor(
		readonly kind: 'tooSlow' | 'crashed',
		cause?: unknown,
	) {
		super(kind, { cause });
	}
}

/** A worker thread that does one thing at a time, and is ended where that takes too long. */
export class Thread<Order = WorkerOrder, Answer = WorkerAnswer> {
	readonly #worker: Worker;
	#settle: ((answer: Answer | ThreadFailure) => void) | undefined;
	/** True if it has failed or was ended: it takes no more orders. */
	dead = false;

	/** @param script the worker's bundle */
	constructor(script: string) {
		this.#worker = new Worker(script, {
			// For JavaScript's objects; the memory of pixels is bounded where they are decoded.
			resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
			execArgv: [],
			env: {},
		});
		this.#worker.on('message', (answer: Answer) => {
			this.#settle?.(answer);
		});
		this.#worker.on('error', (error) => {
			this.#fail(new ThreadFailure('crashed', error));
		});
		this.#worker.on('exit', (code) => {
			this.#fail(new ThreadFailure('crashed', `exit code ${String(code)}`));
		});
	}

	/**
	 * Does an order; the one before must be done.
	 *
	 * @param timeLimitMs the longest that it may take, in milliseconds
	 * @throws {ThreadFailure} where it takes longer, or the thread ends; the thread is dead then
	 */
	async do(order: Order, timeLimitMs: number): Promise<Answer> {
		const timer = setTimeout(() => {
			this.#fail(new ThreadFailure('tooSlow'));
		}, timeLimitMs);
		try {
			const answer = await new Promise<Answer | ThreadFailure>((resolve) => {
				this.#settle = resolve;
				this.#worker.postMessage(order);
			});
			if (answer instanceof ThreadFailure) {
				throw answer;
			}
			return answer;
		} finally {
			clearTimeout(timer);
			this.#settle = undefined;
		}
	}

	/** Ends it, also in the middle of its work. */
	async end(): Promise<void> {
		this.dead = true;
		await this.#worker.terminate();
	}

	#fail(failure: ThreadFailure): void {
		this.dead = true;
		this.#settle?.(failure);
		void this.#worker.terminate();
	}
}
