import {
	expectation,
	longestUsual,
	minutesAndSeconds,
	typicalDuration,
	type Durations,
} from '../editor/expectation.js';
import type { FailureFacts } from '../jobs/failure.js';
import { isBeingMade, type JobState } from '../jobs/state.js';
import type { JobEvent } from '../jobs/workerProtocol.js';

/** What a running image is at. */
export type Stage = 'queued' | 'making' | 'pausing' | 'asking' | 'saving' | 'unknown';

/** The words of the stages that have no time. */
const said = { queued: 'Queued', asking: 'Needs your decision', saving: 'saving…' } as const;

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
	#stage: Exclude<Stage, 'unknown'> = 'queued';
	#unknown: string | undefined;
	#stalled: string | undefined;
	#receiving = false;
	#wait = { until: 0, reason: '' };

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
		switch (event.type) {
			case 'attempt':
				this.#stage = 'making';
				this.#attempt = event.attempt;
				this.#attemptStartedAt = happenedAt;
				this.#receiving = false;
				this.#stalled = undefined;
				return;
			case 'phase':
				this.#stage = 'making';
				this.#receiving = event.phase === 'receiving';
				return;
			case 'failed':
				if (event.next.action === 'wait') {
					this.#stage = 'pausing';
					this.#wait = {
						until: happenedAt + event.next.waitMs,
						reason: waitWords(event.failure, event.next.mayHaveBeenMade),
					};
				} else if (event.next.action === 'ask') {
					this.#stage = 'asking';
				}
				return;
			case 'stalled':
				this.#stage = 'making';
				this.#stalled = event.code;
				return;
			case 'ended':
				if (event.state.state === 'received') {
					this.#stage = 'saving';
				}
				return;
		}
	}

	/**
	 * Takes in what the journal says of a job that is taken up after a reload, until its worker tells
	 * more precisely.
	 *
	 * @param time of the clock that the journal was written by, in milliseconds since 1970
	 */
	resume(state: JobState, time = Date.now()): void {
		const attempt = state.attempts.at(-1);
		const since = (when: string) => Math.max(0, time - Date.parse(when));
		if (state.state === 'received') {
			this.#stage = 'saving';
		} else if (state.state === 'pausing') {
			if (state.until === undefined) {
				this.#stage = 'asking';
			} else if (attempt?.failure !== undefined) {
				this.#stage = 'pausing';
				this.#wait = {
					until: this.time() + Date.parse(state.until) - time,
					reason: waitWords(attempt.failure, attempt.failure.unknownOutcome),
				};
			}
		} else if (isBeingMade(state) && attempt !== undefined) {
			this.#stage = 'making';
			this.#attempt = attempt.number;
			this.#attemptStartedAt = this.time() - since(attempt.startedAt);
			this.#receiving = state.state === 'receiving';
		}
	}

	/** Takes in, in a few words, why it cannot be told now whether the job goes on. */
	unknown(reason: string): void {
		this.#unknown = reason;
	}

	/** What the image is at now. */
	get stage(): Stage {
		return this.#unknown === undefined ? this.#stage : 'unknown';
	}

	/**
	 * How far the image probably is, from 0 to 0.95: judged by time alone, so it is never 1.
	 * `undefined` while no attempt is under way, or that cannot be told.
	 */
	progress(): number | undefined {
		if (this.stage !== 'making') {
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
		if (this.#stage === 'pausing') {
			const { until, reason } = this.#wait;
			const seconds = Math.max(0, Math.ceil((until - this.time()) / 1000));
			// The service is busy with other images of Easel, which take longer than any wait.
			return reason === busy && seconds === 0
				? `${reason} when another image is done`
				: `${reason} in ${String(seconds)} s`;
		}
		if (this.#stage !== 'making') {
			return said[this.#stage];
		}
		const elapsedMs = this.time() - this.#attemptStartedAt;
		const attempt = this.#attempt === 1 ? '' : `attempt ${String(this.#attempt)} · `;
		return `${attempt}${minutesAndSeconds(elapsedMs)} · ${this.#doing(elapsedMs)}`;
	}

	/** The same in few words, for a small tile: `1:12`, `Queued`. */
	short(): string {
		const { stage } = this;
		switch (stage) {
			case 'making':
				return minutesAndSeconds(this.time() - this.#attemptStartedAt);
			case 'pausing':
				return 'Waiting';
			case 'unknown':
				return 'Looking…';
			case 'saving':
				return 'Saving…';
			case 'queued':
			case 'asking':
				return said[stage];
		}
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

const busy = 'the service is busy (429); next attempt';

/** Why the next attempt is waited for, and what that means for the money. */
function waitWords(
	{ status, elapsedMs, charge, asleepMs }: FailureFacts,
	mayHaveBeenMade: boolean,
): string {
	if (charge === 'charged') {
		return 'the connection broke while the image was arriving. You have probably been charged for the first. Cancel to stop; sending again';
	}
	if (mayHaveBeenMade && asleepMs !== undefined) {
		return 'the computer was asleep, and the answer did not arrive; the image may have been made and charged. Cancel to stop; sending again';
	}
	if (mayHaveBeenMade) {
		return `no answer after ${minutesAndSeconds(elapsedMs)}; the image may have been made and charged. Cancel to stop; sending again`;
	}
	if (status === 429) {
		return busy;
	}
	return status === undefined
		? 'no connection to the service; next attempt'
		: `the service failed (${String(status)}); next attempt`;
}
