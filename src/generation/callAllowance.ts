import type { SettingValue } from '../editor/settingTable.js';
import { CallRate } from './callRate.js';

/** Number of requests within a minute that go through where calls are allowed for the session. */
export const maxCallsPerMinute = 4;

/** Why the user has to be asked about a call: for it alone, or because there were so many. */
export type ReasonToAsk = 'call' | 'many';

/** Calls that may spend money without a question in this window. */
export class CallAllowance {
	#allowedForSession = false;
	readonly #rate: CallRate;

	/** @param now a clock that never goes back, in milliseconds */
	constructor(now?: () => number) {
		this.#rate = new CallRate(maxCallsPerMinute, 60_000, now);
	}

	/** Returns why the user has to be asked first; `undefined` where that is not needed. */
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
		return this.#rate.allows(requests) ? undefined : 'many';
	}

	/** Lets calls go through from now on, up to the number of a minute. */
	allowForSession(): void {
		this.#allowedForSession = true;
	}

	count(requests: number): void {
		this.#rate.count(requests);
	}
}
