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
import { phrases, progress } from '../messages.js';

export type Stage = 'queued' | 'making' | 'pausing' | 'asking' | 'saving' | 'unknown';

/** The words of the stages that have no time, and those in short. */
const said = { queued: progress.queuedWhy, asking: progress.asking, saving: phrases.saving };
const saidShort = {
	queued: progress.queued,
	pausing: progress.waiting,
	asking: progress.asking,
	saving: progress.saving,
	unknown: progress.checking,
};

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
	#isUnknown = false;
	#stalled: string | undefined;
	#receiving = false;
	#wait = { until: 0, words: progress.noConnection, mayCost: false };

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
		this.#isUnknown = false;
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
					const { waitMs, mayHaveBeenMade } = event.next;
					this.#pause(happenedAt + waitMs, event.failure, mayHaveBeenMade);
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
	 * Takes in what the journal says of a resumed job; `time` is wall-clock time, in milliseconds.
	 */
	resume(state: JobState, time = Date.now()): void {
		const attempt = state.attempts.at(-1);
		if (state.state === 'received') {
			this.#stage = 'saving';
		} else if (state.state === 'pausing') {
			if (state.until === undefined) {
				this.#stage = 'asking';
			} else if (attempt?.failure !== undefined) {
				const until = this.time() + Date.parse(state.until) - time;
				this.#pause(until, attempt.failure, attempt.failure.unknownOutcome);
			}
		} else if (isBeingMade(state) && attempt !== undefined) {
			this.#stage = 'making';
			this.#attempt = attempt.number;
			this.#attemptStartedAt = this.time() - Math.max(0, time - Date.parse(attempt.startedAt));
			this.#receiving = state.state === 'receiving';
		}
	}

	#pause(until: number, failure: FailureFacts, mayHaveBeenMade: boolean): void {
		this.#stage = 'pausing';
		this.#wait = {
			until,
			words: waitWords(failure, mayHaveBeenMade),
			mayCost: mayHaveBeenMade || failure.charge === 'charged',
		};
	}

	/** Its process cannot be reached. */
	unknown(): void {
		this.#isUnknown = true;
	}

	get stage(): Stage {
		return this.#isUnknown ? 'unknown' : this.#stage;
	}

	/**
	 * Returns how far the image probably is, from 0 to 0.95: judged by time alone, so it is never
	 * 1. `undefined` while no attempt is under way, or its process cannot be reached.
	 */
	get progress(): number | undefined {
		if (this.stage !== 'making') {
			return undefined;
		}
		const elapsedMs = this.time() - this.#attemptStartedAt;
		return Math.min(elapsedMs / this.#typicalMs, 0.95);
	}

	/**
	 * Returns whether the user may want to do something: the image is about to be sent again
	 * although it may have been charged, its process cannot be reached, or no disk takes what has
	 * arrived.
	 */
	get needsAttention(): boolean {
		const { stage } = this;
		return (
			stage === 'unknown' ||
			(stage === 'pausing' && this.#wait.mayCost) ||
			(stage === 'making' && this.#stalled !== undefined)
		);
	}

	/**
	 * Returns what it is doing now, with the time that it takes; different from second to second.
	 */
	get words(): string {
		return this.stage === 'making' ? `${this.#elapsed} · ${this.#making}` : this.waitingFor;
	}

	/** As {@link words}, and with what takes the usual time. */
	get longWords(): string {
		return this.stage === 'making' ? `${this.#elapsed} · ${this.waitingFor}` : this.waitingFor;
	}

	/** The phase and its usual time, without the time until now. */
	get waitingFor(): string {
		if (this.#isUnknown) {
			return progress.unreachable;
		}
		if (this.#stage === 'pausing') {
			const { until, words } = this.#wait;
			return words(Math.max(0, Math.ceil((until - this.time()) / 1000)));
		}
		if (this.#stage !== 'making') {
			return said[this.#stage];
		}
		return this.#stalled === undefined && !this.#receiving
			? `${phrases.waitingForImage} · ${this.#making}`
			: this.#making;
	}

	get #elapsed(): string {
		const elapsed = minutesAndSeconds(this.time() - this.#attemptStartedAt);
		return this.#attempt === 1 ? elapsed : `${phrases.attempt(this.#attempt)} · ${elapsed}`;
	}

	/** The same in few words, for a small tile: `1:12`, `Queued`. */
	get short(): string {
		const { stage } = this;
		return stage === 'making'
			? minutesAndSeconds(this.time() - this.#attemptStartedAt)
			: saidShort[stage];
	}

	/** The phase of an image that is being made: the usual time, until it arrives. */
	get #making(): string {
		const elapsedMs = this.time() - this.#attemptStartedAt;
		const code = this.#stalled;
		if (code !== undefined) {
			const isFull = code === 'ENOSPC' || code === 'EDQUOT';
			return isFull ? progress.diskFull : progress.diskRefuses(code);
		}
		if (this.#receiving) {
			return phrases.receiving;
		}
		return elapsedMs > this.#maxUsualMs ? this.#longerThanUsual : this.#usual;
	}
}

/** Returns what to show during the wait behind a failed attempt, by the seconds that are left of it. */
export function waitWords(
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
