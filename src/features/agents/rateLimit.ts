/** Limits the number of calls within a stretch of time. */
export class RateLimit {
	#at: number[] = [];

	constructor(
		private readonly max: number,
		private readonly withinMs: number,
	) {}

	/** Counts a call, unless there are too many. */
	take(): boolean {
		const since = performance.now() - this.withinMs;
		this.#at = this.#at.filter((at) => at > since);
		if (this.#at.length >= this.max) {
			return false;
		}
		this.#at.push(performance.now());
		return true;
	}
}
