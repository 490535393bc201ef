import { priceOf, type PricedImage, type PriceList } from '../service/price.js';
import type { JobEntry } from './jobFolder.js';
import { chargesOfLine, spendingLine, type SpendingLine } from './ledger.js';
import type { Charges } from './state.js';

/** Requests that have ended, as numbers. */
export interface SpentSum {
	readonly made: number;
	/** Attempts that have probably been charged without a result, */
	readonly charged: number;
	/** and others that may have been charged. */
	readonly unknown: number;
	/** Missing where none may have been charged, or one of those that may has no price. */
	readonly money?: MoneyRange;
}

/** The money that was certainly or probably charged, and that with what may have been charged as well. */
export interface MoneyRange {
	readonly from: number;
	readonly to: number;
}

/** Sums up requests: each attempt that may have been charged costs the price of its request. */
export function sumUp(lines: readonly SpendingLine[], prices: PriceList | undefined): SpentSum {
	const all = lines.map((line) => ({ ...chargesOfLine(line), item: itemOf(line) }));
	const made = lines.filter(({ outcome }) => outcome === 'made').length;
	const sum = (key: keyof Charges) => all.reduce((total, one) => total + one[key], 0);
	const money = prices && moneyOf(all.filter(mayCost), prices);
	return {
		...{ made, charged: sum('charged') - made, unknown: sum('unknown') },
		...(money && { money }),
	};
}

/** The same of jobs that have ended. */
export function sumUpJobs(entries: readonly JobEntry[], prices: PriceList | undefined): SpentSum {
	return sumUp(entries.map(spendingLine), prices);
}

interface Priced extends Charges {
	readonly item: PricedImage | 'words';
}

function mayCost({ charged, unknown }: Charges): boolean {
	return charged + unknown > 0;
}

function moneyOf(items: readonly Priced[], prices: PriceList): MoneyRange | undefined {
	const costs = items.map(({ item, charged, unknown }) => {
		const price = priceOf(item, prices);
		return price === undefined
			? undefined
			: { from: price * charged, to: price * (charged + unknown) };
	});
	return costs.reduce<MoneyRange | undefined>(
		(sum, cost) => sum && cost && { from: sum.from + cost.from, to: sum.to + cost.to },
		costs.length === 0 ? undefined : { from: 0, to: 0 },
	);
}

function itemOf({ kind, size, quality }: SpendingLine): PricedImage | 'words' {
	return kind === 'words' ? 'words' : { size, quality };
}
