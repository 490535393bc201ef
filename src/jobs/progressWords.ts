import { expectation, minutesAndSeconds, typicalDuration, type Durations } from './expectation.js';
import type { JobEvent } from './conversation.js';

/** The words of a running image; `now` is given for tests, in milliseconds. */
export class ProgressWords {
	readonly #usual: string;
	readonly #typical: number;
	#attempt = 1;
	#attemptStartedAt = 0;
	#said: string | undefined = 'waiting for a free place';
	#receiving = false;
	#wait: { readonly until: number; readonly reason: string } | undefined;

	constructor(
		durations: Durations,
		private readonly time: () => number = () => performance.now(),
	) {
		this.#usual = expectation(durations);
		this.#typical = typicalDuration(durations);
	}

	event(event: JobEvent): void {
		this.#said = undefined;
		switch (event.type) {
			case 'attempt':
				this.#attempt = event.attempt;
				this.#attemptStartedAt = this.time();
				this.#wait = undefined;
				this.#receiving = false;
				return;
			case 'phase':
				this.#receiving = event.phase === 'receiving';
				return;
			case 'failed':
				if (event.next.action === 'wait') {
					this.#wait = {
						until: this.time() + event.next.waitMs,
						reason: event.next.mayHaveBeenMade
							? `no answer after ${minutesAndSeconds(event.failure.elapsedMs)}; the image may have been made and charged. Cancel to stop; sending again`
							: `${reasonWords(event)}; next attempt`,
					};
				} else if (event.next.action === 'ask') {
					this.#said = 'waiting for your decision';
				}
		}
	}

	/**
	 * How far the image probably is, from 0 to 1: by time, so it never says that it is done.
	 * `undefined` while nothing is under way.
	 */
	progress(): number | undefined {
		if (this.#said !== undefined || this.#wait !== undefined) {
			return undefined;
		}
		const elapsed = this.time() - this.#attemptStartedAt;
		return Math.min(elapsed / this.#typical, 0.95);
	}

	now(): string {
		if (this.#said !== undefined) {
			return this.#said;
		}
		if (this.#wait !== undefined) {
			const seconds = Math.max(0, Math.ceil((this.#wait.until - this.time()) / 1000));
			return `${this.#wait.reason} in ${String(seconds)} s`;
		}
		const elapsed = minutesAndSeconds(this.time() - this.#attemptStartedAt);
		const attempt = this.#attempt === 1 ? '' : `attempt ${String(this.#attempt)} · `;
		return `${attempt}${elapsed} · ${this.#receiving ? 'receiving the image' : this.#usual}`;
	}
}

function reasonWords({ failure }: JobEvent & { type: 'failed' }): string {
	if (failure.status === 429) {
		return 'the service is busy (429)';
	}
	return failure.status === undefined
		? 'no connection to the service'
		: `the service failed (${String(failure.status)})`;
}
