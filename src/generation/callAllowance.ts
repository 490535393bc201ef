import type { SettingValue } from '../editor/settingTable.js';

/** Number of requests within a minute that go through where calls are allowed for the session. */
export const maxCallsPerMinute = 4;

const minuteMs = 60_000;

/** Why the user has to be asked about a call: for it alone, or because there were so many. */
export type ReasonToAsk = 'call' | 'many';

/** Calls that may spend money without a question in this window. */
export class CallAllowance {
	#allowedForSession = false;
	#sentAt: number[] = [];

	/** @param now a clock that never goes back, in milliseconds */
	constructor(private readonly now: () => number = () => performance.now()) {}

	/** Why the user has to be asked first; `undefined` where that is not needed. */
	reasonToAsk(
		setting: SettingValue<'service.confirmCalls'>,
		requests: number,
	): ReasonToAsk | undefined {
		if (setting === 'never') {
			return undefined;
		}
		if (setting === 'always' || !this.#allowedForSession) {
			return 'call';
		}
		return this.#sentWithinMinute() + requests > maxCallsPerMinute ? 'many' : undefined;
	}

	/** From now on calls go through, up to the number of a minute. */
	allowForSession(): void {
		this.#allowedForSession = true;
	}

	count(requests: number): void {
		this.#sentWithinMinute();
		this.#sentAt.push(...Array.from({ length: requests }, this.now));
	}

	#sentWithinMinute(): number {
		const since = this.now() - minuteMs;
		this.#sentAt = this.#sentAt.filter((at) => at > since);
		return this.#sentAt.length;
	}
}
