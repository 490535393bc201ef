import {
	expectation,
	timeTogether,
	maxUsualDuration,
	minutesAndSeconds,
	typicalDuration,
	type Durations,
} from '../editor/expectation.js';
import type { FailureFacts } from '../jobs/failure.js';
import { isBeingMade, type JobState } from '../jobs/state.js';
import type { JobEvent } from '../jobs/workerProtocol.js';
import { phrases, progress } from './messages.js';

export type Stage = 'queued' | 'making' | 'pausing' | 'asking' | 'saving' | 'unknown';

/** The words of the stages that have no time. */
const said = { queued: progress.queuedWhy, asking: progress.asking, saving: phrases.saving };

/**
 * The words of a running image. What happened when is taken from the worker's own clock, so they
 * are right after a reload, in another window, and after the clock of the machine was set.
 */
export class ProgressWords {
	readonly #usual: string;
	readonly #longerThanUsual: string;
	readonly #typicalMs: number;
	readonly #maxUsualMs: number;
	#attempt = 1;
	#attemptStartedAt = 0;
	#stage: Exclude<Stage, 'unknown'> = 'queued';
	#unknown: string | undefined;
	#stalled: string | undefined;
	#receiving = false;
	#wait: {
		readonly until: number;
		readonly words: (seconds: number) => string;
		readonly mayCost: boolean;
	} = {
		mayCost: false,
		until: 0,
		words: progress.noConnection,
	};

	/** @param time in milliseconds from an arbitrary start; given for tests */
	constructor(
		durations: Durations,
		private readonly time: () => number = () => performance.now(),
	) {
		this.#usual = expectation(durations);
		this.#longerThanUsual = phrases.longerThanUsual(timeTogether([durations], 1));
		this.#typicalMs = typicalDuration(durations);
		this.#maxUsualMs = maxUsualDuration(durations);
	}

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
						words: waitWords(event.failure, event.next.mayHaveBeenMade),
						mayCost: event.next.mayHaveBeenMade || event.failure.charge === 'charged',
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
	 * Takes in what the journal says of a job that is taken up after a reload, until its worker is
	 * more precise.
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
					words: waitWords(attempt.failure, attempt.failure.unknownOutcome),
					mayCost: attempt.failure.unknownOutcome || attempt.failure.charge === 'charged',
				};
			}
		} else if (isBeingMade(state) && attempt !== undefined) {
			this.#stage = 'making';
			this.#attempt = attempt.number;
			this.#attemptStartedAt = this.time() - since(attempt.startedAt);
			this.#receiving = state.state === 'receiving';
		}
	}

	unknown(reason: string): void {
		this.#unknown = reason;
	}

	get stage(): Stage {
		return this.#unknown === undefined ? this.#stage : 'unknown';
	}

	/**
	 * How far the image probably is, from 0 to 0.95: judged by time alone, so it is never 1.
	 * `undefined` while no attempt is under way, or its process cannot be reached.
	 */
	progress(): number | undefined {
		if (this.stage !== 'making') {
			return undefined;
		}
		const elapsedMs = this.time() - this.#attemptStartedAt;
		return Math.min(elapsedMs / this.#typicalMs, 0.95);
	}

	/**
	 * Whether the user may want to do something: the image is about to be sent again although it may
	 * have been charged, its process cannot be reached, or no disk takes what has arrived.
	 */
	get needsAttention(): boolean {
		const { stage } = this;
		return (
			stage === 'unknown' ||
			(stage === 'pausing' && this.#wait.mayCost) ||
			(stage === 'making' && this.#stalled !== undefined)
		);
	}

	/** The words to show now; they change from second to second. */
	now(): string {
		if (this.#unknown !== undefined) {
			return progress.unreachable;
		}
		if (this.#stage === 'pausing') {
			const { until, words } = this.#wait;
			return words(Math.max(0, Math.ceil((until - this.time()) / 1000)));
		}
		if (this.#stage !== 'making') {
			return said[this.#stage];
		}
		const elapsedMs = this.time() - this.#attemptStartedAt;
		const attempt = this.#attempt === 1 ? '' : `${phrases.attempt(this.#attempt)} · `;
		return `${attempt}${minutesAndSeconds(elapsedMs)} · ${this.#doing(elapsedMs)}`;
	}

	/** The same in few words, for a small tile: `1:12`, `Queued`. */
	short(): string {
		const { stage } = this;
		switch (stage) {
			case 'making':
				return minutesAndSeconds(this.time() - this.#attemptStartedAt);
			case 'pausing':
				return progress.waiting;
			case 'unknown':
				return progress.checking;
			case 'saving':
				return progress.saving;
			case 'queued':
				return progress.queued;
			case 'asking':
				return progress.asking;
		}
	}

	#doing(elapsedMs: number): string {
		if (this.#stalled !== undefined) {
			return stallWords(this.#stalled);
		}
		if (this.#receiving) {
			return phrases.receiving;
		}
		return elapsedMs > this.#maxUsualMs ? this.#longerThanUsual : this.#usual;
	}
}

function stallWords(code: string): string {
	return code === 'ENOSPC' || code === 'EDQUOT' ? progress.diskFull : progress.diskRefuses(code);
}

function waitWords(
	{ status, elapsedMs, charge, asleepMs }: FailureFacts,
	mayHaveBeenMade: boolean,
): (seconds: number) => string {
	if (charge === 'charged') {
		return progress.brokenWhileReceiving;
	}
	if (mayHaveBeenMade && asleepMs !== undefined) {
		return progress.asleep;
	}
	if (mayHaveBeenMade) {
		return (seconds) => progress.noAnswer(minutesAndSeconds(elapsedMs), seconds);
	}
	if (status === 429) {
		return progress.busy;
	}
	return status === undefined
		? progress.noConnection
		: (seconds) => progress.serviceFailed(status, seconds);
}
