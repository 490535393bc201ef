import type { SpendingLine } from '../../jobs/ledger.js';
import { sumUp, type SpentSum } from '../../jobs/spent.js';
import type { PriceList } from '../../service/price.js';

/** Who has asked: the user, an agent by its door, or the user for words by a language model. */
const spenders = ['user', 'tool', 'mcp', 'api', 'words', 'unknown'] as const;
export type Spender = (typeof spenders)[number];

/** Requests that have ended, as numbers; `made` counts images alone. */
export interface Sums extends SpentSum {
	/** Attempts that may have reached the service. */
	readonly sent: number;
	/** Answers of language models. */
	readonly answers: number;
	/** True if the money is that of the images alone, because words have no price. */
	readonly isWithoutWords: boolean;
}

/** Spending in a time that ends now. */
export interface Period {
	readonly name: 'today' | 'week' | 'month';
	/** Sums by spender. */
	readonly bySpender: ReadonlyMap<Spender, Sums>;
	/** Sums of all spenders. */
	readonly all: Sums;
}

/** Returns what was spent today, this week and this month, in local time. */
export function spendingPeriods(
	lines: readonly SpendingLine[],
	prices: PriceList | undefined,
	now = new Date(),
): Period[] {
	return (['today', 'week', 'month'] as const).map((name) => {
		const from = beginOf(name, now);
		const within = lines.filter(({ time }) => Date.parse(time) >= from);
		const by = Map.groupBy(within, spenderOf);
		const bySpender = spenders.flatMap((spender): (readonly [Spender, Sums])[] => {
			const own = by.get(spender);
			return own === undefined ? [] : [[spender, sumsOf(own, prices)]];
		});
		return { name, bySpender: new Map(bySpender), all: sumsOf(within, prices) };
	});
}

/**
 * Returns the last refusal for a used-up balance since the month has begun, unless the service has made
 * something since. Words prove nothing about a refused image: they may come from VS Code's own models.
 */
export function lastEmptyBalance(
	lines: readonly SpendingLine[],
	now = new Date(),
): SpendingLine | undefined {
	const from = beginOf('month', now);
	const byTime = lines.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
	const last = byTime.findLastIndex(({ status }) => status === 402);
	const refusal = byTime[last];
	const isOver = byTime
		.slice(last + 1)
		.some(
			({ kind, outcome }) =>
				(outcome === 'made' || outcome === 'charged') &&
				(kind !== 'words' || refusal?.kind === 'words'),
		);
	return refusal !== undefined && !isOver && Date.parse(refusal.time) >= from ? refusal : undefined;
}

/** In milliseconds since 1970. Weeks begin on Monday. */
function beginOf(name: Period['name'], now: Date): number {
	const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
	switch (name) {
		case 'today':
			return new Date(year, month, day).getTime();
		case 'week':
			return new Date(year, month, day - ((now.getDay() + 6) % 7)).getTime();
		case 'month':
			return new Date(year, month, 1).getTime();
	}
}

function spenderOf({ kind, origin }: SpendingLine): Spender {
	return kind === 'words' ? 'words' : (spenders.find((one) => one === origin) ?? 'unknown');
}

function sumsOf(lines: readonly SpendingLine[], prices: PriceList | undefined): Sums {
	const byKind = Map.groupBy(lines, ({ kind }) => kind === 'words');
	const images = sumUp(byKind.get(false) ?? [], prices);
	const words = sumUp(byKind.get(true) ?? [], prices);
	const all = sumUp(lines, prices);
	const money = all.money ?? images.money;
	return {
		...{ made: images.made, answers: words.made },
		...{ charged: all.charged, unknown: all.unknown },
		...(money && { money }),
		isWithoutWords: money !== all.money,
		sent: lines.reduce((sum, { sent }) => sum + sent, 0),
	};
}
