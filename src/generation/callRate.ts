/** Limits the number of calls within a stretch of time. */
export class CallRate {
	#at: number[] = [];

	/** @param now a clock that never goes back, in milliseconds */
	constructor(
		private readonly max: number,
		private readonly withinMs: number,
		private readonly now: () => number = () => performance.now(),
	) {}

	/** Returns whether so many more calls stay within the limit. */
	allows(calls: number): boolean {
		const since = this.now() - this.withinMs;
		this.#at = this.#at.filter((at) => at > since);
		return this.#at.length + calls <= this.max;
	}

	/** Counts calls, also beyond the limit. */
	count(calls: number): void {
		this.#at.push(...Array.from({ length: calls }, this.now));
	}

	/** Counts a call, unless there are too many; returns whether it did. */
	take(): boolean {
		const isAllowed = this.allows(1);
		this.count(isAllowed ? 1 : 0);
		return isAllowed;
	}
}
