import type { SpendingLine } from '../../jobs/ledger.js';
import { totalPrice, type PriceList } from '../../service/price.js';

/** Who has asked: the user, an agent by its door, or the user for words by a language model. */
const spenders = ['user', 'tool', 'mcp', 'api', 'words', 'unknown'] as const;
export type Spender = (typeof spenders)[number];

/** Requests that have ended, as numbers. */
export interface Sums {
	/** Attempts that may have reached the service. */
	readonly sent: number;
	readonly made: number;
	/** Images, or answers of a language model, that may have been charged, */
	readonly unknown: number;
	/** and that have probably been, although they did not arrive. */
	readonly charged: number;
	/** What was made or probably charged costs; `undefined` where no price is known, or it is nothing. */
	readonly money: number | undefined;
	/** What may have been charged costs, beside that. */
	readonly unknownMoney: number | undefined;
}

/** What was spent in a time that ends now. */
export interface Period {
	readonly name: 'today' | 'week' | 'month';
	/** Of each who has asked for something then. */
	readonly bySpender: ReadonlyMap<Spender, Sums>;
	/** Of all of them; words have no price. */
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
			return own === undefined ? [] : [[spender, sumUp(own, prices)]];
		});
		return { name, bySpender: new Map(bySpender), all: sumUp(within, prices) };
	});
}

/** Returns the last refusal for a used-up balance since the month has begun, if there was one. */
export function lastEmptyBalance(
	lines: readonly SpendingLine[],
	now = new Date(),
): SpendingLine | undefined {
	const from = beginOf('month', now);
	return lines
		.filter(({ status, time }) => status === 402 && Date.parse(time) >= from)
		.reduce<SpendingLine | undefined>(
			(last, line) =>
				last === undefined || Date.parse(line.time) >= Date.parse(last.time) ? line : last,
			undefined,
		);
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

function sumUp(lines: readonly SpendingLine[], prices: PriceList | undefined): Sums {
	const by = (...outcomes: SpendingLine['outcome'][]) =>
		lines.filter(({ outcome }) => outcomes.includes(outcome));
	const priceOf = (some: readonly SpendingLine[]) =>
		prices &&
		totalPrice(
			some.filter(({ kind }) => kind !== 'words'),
			prices,
		);
	return {
		sent: lines.reduce((sum, { sent }) => sum + sent, 0),
		made: by('made').length,
		unknown: by('unknown').length,
		charged: by('charged').length,
		money: priceOf(by('made', 'charged')),
		unknownMoney: priceOf(by('unknown')),
	};
}
