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

/** How many requests each period has. */
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

	test('tell apart who has asked, and what has come of it', () => {
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
		const numbers = [...today!.bySpender].map(([spender, sums]) => [
			...[spender, sums.sent, sums.made, sums.unknown, sums.charged],
		]);
		assert.deepEqual(numbers, [
			['user', 3, 1, 1, 0],
			['tool', 1, 1, 0, 0],
			['mcp', 1, 0, 0, 1],
			['api', 1, 1, 0, 0],
			['words', 1, 1, 0, 0],
			['unknown', 1, 1, 0, 0],
		]);
		assert.deepEqual([today!.all.sent, today!.all.made], [8, 5]);
		assert.equal(today!.all.money, undefined, 'there is no price');
	});

	test('have the money of what was made or charged, and by itself of what may have been', () => {
		const lines = [
			line(15, { quality: 'high' }),
			line(15, { outcome: 'charged' }),
			line(15, { outcome: 'unknown' }),
			line(15, { outcome: 'rejected' }),
			line(15, { kind: 'words', size: undefined, origin: 'user' }),
		];
		const [today] = spendingPeriods(lines, euro, now);
		const { money, unknownMoney } = today!.all;
		assert.deepEqual([money, unknownMoney], [0.17 + 0.04, 0.04]);
		assert.equal(today!.bySpender.get('words')?.money, undefined, 'words have no price');
	});

	test('are empty where nothing was sent', () => {
		assert.ok(spendingPeriods([], euro, now).every(({ bySpender }) => bySpender.size === 0));
	});

	test('know the last refusal for a used-up balance of this month', () => {
		const refused = (day: number) => line(day, { outcome: 'rejected', status: 402 });
		const [first, last] = [refused(3), refused(9)];
		const other = line(14, { outcome: 'rejected', status: 401 });
		assert.equal(lastEmptyBalance([first, last, other], now), last);
		assert.equal(lastEmptyBalance([last, first], now), last);
		assert.equal(lastEmptyBalance([refused(-1), other], now), undefined);
	});
});
