import type { AgentBudgetSource } from './operations.js';

/** The budget where the user has allowed nothing: every image is confirmed. */
export const askAlways: AgentBudgetSource = {
	reserve: () => Promise.resolve(false),
	release: () => Promise.resolve(),
	state: () =>
		Promise.resolve({
			used_today: 0,
			allowed_today: 0,
			used_this_session: 0,
			allowed_this_session: 0,
			unknown: 0,
		}),
};
