/**
 * Runs tasks one after another, in the order of the calls, and those of different keys side by side. A
 * task that fails holds up no other.
 */
export class Serial {
	/** The last task of each key, as long as it has not ended. */
	readonly #last = new Map<unknown, Promise<unknown>>();

	/** Runs a task once those before it have ended; at once where there is none. */
	run<T>(task: () => Promise<T>, key?: unknown): Promise<T> {
		const before = this.#last.get(key);
		const next = () => task();
		const running = before === undefined ? next() : before.then(next, next);
		this.#last.set(key, running);
		const end = () => {
			if (this.#last.get(key) === running) {
				this.#last.delete(key);
			}
		};
		running.then(end, end);
		return running;
	}

	/** Resolves when all tasks have ended that were given so far. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.#last.values());
	}
}
