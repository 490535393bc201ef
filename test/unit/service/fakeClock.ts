import type { Clock } from '../../../src/service/clock.js';

/** A clock that passes time only in waits: sleeps end at once and are recorded. */
export class FakeClock implements Clock {
	readonly sleeps: number[] = [];
	/** Its start means nothing, so it is not zero. */
	#now = 5_000_000;

	now(): number {
		return this.#now;
	}

	wallTime(): number {
		return this.#now;
	}

	/** Lets time go by, as an attempt does that takes long. */
	pass(ms: number): void {
		this.#now += ms;
	}

	sleep(ms: number, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		this.sleeps.push(ms);
		this.#now += ms;
		return Promise.resolve();
	}
}
