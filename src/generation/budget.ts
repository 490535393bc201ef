import { refusalSentence } from '../editor/files.js';
import { readSetting } from '../editor/settings.js';
import type { Ledger } from '../jobs/ledger.js';
import { log } from '../log.js';
import { phrases, type BudgetNumbers } from '../messages.js';
import { moneyWords } from '../editor/money.js';

/** Use and limits of the budget, as `AgentBudget` of the protocol has them. */
export interface BudgetState extends BudgetNumbers {
	/** Attempts of today's images that may have been charged without an image. */
	readonly unknown: number;
	/** Price of an image as the settings have it: `about €0.04`. */
	readonly price?: string;
	/** Why the budget allows nothing now, as a sentence. */
	readonly problem?: string;
}

/**
 * Budget that agents and other extensions may spend without a question, in all windows together.
 */
export class Budget {
	/** Why the last reservation failed. */
	#problem: string | undefined;

	constructor(
		private readonly ledger: Pick<Ledger, 'reserve' | 'release' | 'budgetUse' | 'isReserved'>,
	) {}

	/**
	 * Reserves images before anything is sent; see {@link Ledger.reserve}.
	 *
	 * @param batch its id
	 * @returns `false` where the user has to confirm them, also because the budget cannot be known
	 */
	async reserve(batch: string, count: number): Promise<boolean> {
		this.#problem = undefined;
		try {
			const perDay = readSetting('budget.imagesPerDay');
			return perDay > 0 && (await this.ledger.reserve(batch, count, perDay));
		} catch (error) {
			this.#problem = problemWords(error);
			return false;
		}
	}

	/**
	 * Releases what was reserved for a batch of which nothing is sent; where it fails, it counts as
	 * used.
	 */
	async release(batch: string): Promise<void> {
		try {
			await this.ledger.release(batch);
		} catch (error) {
			log.error('The reservation of a batch could not be released', error);
		}
	}

	/** Returns whether a batch was requested without a question. @throws the system's error */
	isReserved(batch: string): Promise<boolean> {
		return this.ledger.isReserved(batch);
	}

	/** Returns the same as {@link state}, with the reason why nothing is allowed in place of an error. */
	async stateOrProblem(): Promise<BudgetState> {
		try {
			const state = await this.state();
			return this.#problem === undefined ? state : { ...state, problem: this.#problem };
		} catch (error) {
			return { used_today: 0, allowed_today: 0, unknown: 0, problem: problemWords(error) };
		}
	}

	/** Returns what is used and allowed. @throws {SettingError} or the system's error */
	async state(): Promise<BudgetState> {
		const perDay = readSetting('budget.imagesPerDay');
		const { today, unknown } = await this.ledger.budgetUse();
		const [size, quality] = [readSetting('image.size'), readSetting('image.quality')];
		const price = moneyWords([{ size, quality }]);
		return {
			used_today: today,
			allowed_today: perDay,
			unknown,
			...(price === undefined ? {} : { price }),
		};
	}
}

/** Returns whether a budget allows so many images more. */
export function budgetCovers(budget: BudgetState, count: number): boolean {
	return budget.problem === undefined && budget.used_today + count <= budget.allowed_today;
}

function problemWords(error: unknown): string {
	log.error('The budget cannot be known', error);
	return phrases.budgetProblem(refusalSentence(error));
}
