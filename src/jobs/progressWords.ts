import {
	expectation,
	longestUsual,
	minutesAndSeconds,
	typicalDuration,
	type Durations,
} from './expectation.js';
import type { JobEvent } from './workerProtocol.js';

/**
 * The words of a running image. What happened when is taken from the worker's own clock, so they
 * are right after a reload, in another window, and after the clock of the machine was set.
 */
export class ProgressWords {
	readonly #usual: string;
	readonly #typicalMs: number;
	readonly #longestUsualMs: number;
	#attempt = 1;
	#attemptStartedAt = 0;
	#said: string | undefined = 'Queued';
	#unknown: string | undefined;
	#stalled: string | undefined;
	#receiving = false;
	#wait: { readonly until: number; readonly reason: string } | undefined;

	/** @param time in milliseconds from an arbitrary start; given for tests */
	constructor(
		durations: Durations,
		private readonly time: () => number = () => performance.now(),
	) {
		this.#usual = expectation(durations);
		this.#typicalMs = typicalDuration(durations);
		this.#longestUsualMs = longestUsual(durations);
	}

	/** Takes in what the worker has told. */
	event(event: JobEvent): void {
		const happenedAt = this.time() - event.ageMs;
		this.#unknown = undefined;
		this.#said = undefined;
		switch (event.type) {
			case 'attempt':
				this.#attempt = event.attempt;
				this.#attemptStartedAt = happenedAt;
				this.#wait = undefined;
				this.#receiving = false;
				this.#stalled = undefined;
				return;
			case 'phase':
				this.#receiving = event.phase === 'receiving';
				return;
			case 'failed':
				if (event.next.action === 'wait') {
					this.#wait = {
						until: happenedAt + event.next.waitMs,
						reason: event.next.mayHaveBeenMade
							? `no answer after ${minutesAndSeconds(event.failure.elapsedMs)}; the image may have been made and charged. Cancel to stop; sending again`
							: `${reasonWords(event)}; next attempt`,
					};
				} else if (event.next.action === 'ask') {
					this.#said = 'Needs your decision';
				}
				return;
			case 'stalled':
				this.#stalled = event.code;
				return;
			case 'ended':
				return;
		}
	}

	/** Takes in, in a few words, why it cannot be told now whether the job goes on. */
	unknown(reason: string): void {
		this.#unknown = reason;
	}

	/**
	 * How far the image probably is, from 0 to 0.95: judged by time alone, so it is never 1.
	 * `undefined` while no attempt is under way, or that cannot be told.
	 */
	progress(): number | undefined {
		if (this.#said !== undefined || this.#wait !== undefined || this.#unknown !== undefined) {
			return undefined;
		}
		const elapsedMs = this.time() - this.#attemptStartedAt;
		return Math.min(elapsedMs / this.#typicalMs, 0.95);
	}

	/** The words to show now; they change from second to second. */
	now(): string {
		if (this.#unknown !== undefined) {
			return `whether it is still being made cannot be told now (${this.#unknown}); looking again`;
		}
		if (this.#said !== undefined) {
			return this.#said;
		}
		if (this.#wait !== undefined) {
			const seconds = Math.max(0, Math.ceil((this.#wait.until - this.time()) / 1000));
			return `${this.#wait.reason} in ${String(seconds)} s`;
		}
		const elapsedMs = this.time() - this.#attemptStartedAt;
		const attempt = this.#attempt === 1 ? '' : `attempt ${String(this.#attempt)} · `;
		return `${attempt}${minutesAndSeconds(elapsedMs)} · ${this.#doing(elapsedMs)}`;
	}

	#doing(elapsedMs: number): string {
		if (this.#stalled !== undefined) {
			return stallWords(this.#stalled);
		}
		if (this.#receiving) {
			return 'receiving the image';
		}
		return elapsedMs > this.#longestUsualMs ? `longer than usual (${this.#usual})` : this.#usual;
	}
}

/** What it means that the disk refuses the image, and what to do. */
function stallWords(code: string): string {
	return code === 'ENOSPC' || code === 'EDQUOT'
		? 'the image is here, but the disk is full. Free some space; Easel holds the image until then'
		: `the image is here, but the disk refuses it (${code}). Easel holds the image and tries again`;
}

function reasonWords({ failure }: JobEvent & { type: 'failed' }): string {
	if (failure.status === 429) {
		return 'the service is busy (429)';
	}
	return failure.status === undefined
		? 'no connection to the service'
		: `the service failed (${String(failure.status)})`;
}
