import assert from 'node:assert/strict';
import {
	lastEmptyBalance,
	spendingPeriods,
	type Period,
} from '../../../../src/features/spending/sums.js';
import type { SpendingLine } from '../../../../src/jobs/ledger.js';

/** A Wednesday. */
const now = new Date(2026, 3, 15, 12);
const euro = { currency: 'EUR', prices: { image: 0.04, '1024x1024 high': 0.17 } };

function line(day: number, change: Partial<SpendingLine> = {}, hour = 10): SpendingLine {
	return {
		...{ time: new Date(2026, 3, day, hour).toISOString(), request: crypto.randomUUID() },
		...{ kind: 'image', size: '1024x1024', origin: 'user', sent: 1, outcome: 'made', ...change },
	};
}

/** Number of requests each period has. */
const sent = (periods: readonly Period[]) => periods.map(({ name, all }) => [name, all.sent]);

suite('spending › sums', () => {
	test('begin with the day, the Monday and the first of the month, by the clock on the wall', () => {
		const lines = [
			...[line(15, {}, 0), line(14, {}, 23), line(13, {}, 0), line(12, {}, 23)],
			...[line(1, {}, 0), line(0, {}, 23)],
		];
		assert.deepEqual(sent(spendingPeriods(lines, undefined, now)), [
			['today', 1],
			['week', 3],
			['month', 5],
		]);
		// On a Sunday the week still is the one that has begun on Monday, across the month.
		const sunday = new Date(2026, 2, 1, 12);
		const before = line(0, { time: new Date(2026, 1, 23, 0).toISOString() });
		assert.deepEqual(sent(spendingPeriods([before], undefined, sunday)), [
			['today', 0],
			['week', 1],
			['month', 0],
		]);
	});

	test('separate callers, and answers of language models from images', () => {
		const lines = [
			line(15, { sent: 2 }),
			line(15, { outcome: 'unknown' }),
			line(15, { origin: 'mcp', outcome: 'charged', kind: 'edit' }),
			line(15, { origin: 'mcp', outcome: 'rejected', sent: 0 }),
			line(15, { origin: 'tool' }),
			line(15, { origin: 'api' }),
			line(15, { origin: 'telephone' }),
			line(15, { kind: 'words', size: undefined }),
		];
		const [today] = spendingPeriods(lines, undefined, now);
		const numbers = [...today!.bySpender, ['all', today!.all] as const].map(([spender, sums]) => [
			...[spender, sums.sent, sums.made, sums.answers, sums.unknown, sums.charged],
		]);
		assert.deepEqual(numbers, [
			['user', 3, 1, 0, 1, 0],
			['tool', 1, 1, 0, 0, 0],
			['mcp', 1, 0, 0, 0, 1],
			['api', 1, 1, 0, 0, 0],
			['words', 1, 0, 1, 0, 0],
			['unknown', 1, 1, 0, 0, 0],
			['all', 8, 4, 1, 1, 1],
		]);
		assert.equal(today!.all.money, undefined, 'there is no price');
	});

	test('count the money of words where these have a price, and say where it is left out', () => {
		const lines = [line(15), line(15, { kind: 'words', size: undefined })];
		const moneyWith = (prices: typeof euro.prices) => {
			const [today] = spendingPeriods(lines, { currency: 'EUR', prices }, now);
			const { money, isWithoutWords } = today!.all;
			return [money, isWithoutWords, today!.bySpender.get('words')?.money];
		};
		const image = { from: 0.04, to: 0.04 };
		assert.deepEqual(moneyWith(euro.prices), [image, true, undefined]);
		assert.deepEqual(moneyWith({ ...euro.prices, ...{ words: 0.5 } }), [
			...[{ from: 0.54, to: 0.54 }, false, { from: 0.5, to: 0.5 }],
		]);
	});

	test('are empty where nothing was sent', () => {
		assert.ok(spendingPeriods([], euro, now).every(({ bySpender }) => bySpender.size === 0));
	});

	for (const [what, later, isShown] of [
		['nothing', [], true],
		['a refused key', [{ outcome: 'rejected', status: 401 }], true],
		['an answer of a language model', [{ kind: 'words' }], true],
		['an image', [{}], false],
		['a success without an image', [{ outcome: 'charged' }], false],
		['an image, and another refusal', [{}, { outcome: 'rejected', status: 402 }], true],
	] satisfies [string, Partial<SpendingLine>[], boolean][]) {
		test(`${isShown ? 'show' : 'do not show'} a used-up balance after ${what}`, () => {
			const lines = [
				line(9, { outcome: 'rejected', status: 402 }),
				...later.map((change, index) => line(10 + index, change)),
			];
			const shown = isShown ? lines.findLast(({ status }) => status === 402) : undefined;
			assert.equal(lastEmptyBalance(lines, now), shown);
			assert.equal(lastEmptyBalance(lines.toReversed(), now), shown, 'in any order');
		});
	}

	test('show no used-up balance of an earlier month', () => {
		const refused = line(-1, { outcome: 'rejected', status: 402 });
		assert.equal(lastEmptyBalance([refused], now), undefined);
	});
});
