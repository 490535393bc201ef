import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Row } from '../bench/bench';
import { benches } from '../bench/benches';
import { resultOf, spreadOf, type Result, type Sample } from '../bench/results';
import { guideTable, shortfalls, terminalTable } from '../bench/tables';
import { markedPart, withMarkedPart } from '../host/markedPart';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/performance.md'), 'utf8');
const rows = Object.values(benches).flatMap(({ rows }) => Object.values(rows));

function measured(row: Partial<Row>, samples: readonly Sample[]): Result {
	return resultOf(
		{
			bench: 'harbor',
			name: 'fox',
			row: { what: 'A fox', unit: 'ms', ...row },
			measuredAt: '2026-01-01T00:00:00.000Z',
			machine: '2 cores',
		},
		samples,
	);
}

suite('The benchmark', () => {
	test('takes the middle of all rounds, and the quarters on either side', () => {
		assert.deepEqual(spreadOf([9, 1, 5]), { median: 5, lower: 3, upper: 7 });
		assert.deepEqual(spreadOf([4, 1, 2, 3]), { median: 2.5, lower: 1.75, upper: 3.25 });
		assert.deepEqual(spreadOf([7]), { median: 7, lower: 7, upper: 7 });
		assert.throws(() => spreadOf([]), RangeError);
	});

	test('compares within a round, so that a busy one counts for both', () => {
		const { ratio } = measured({ beside: 'a dog' }, [
			{ ours: 1, beside: 2 },
			{ ours: 30, beside: 60 },
			{ ours: 5, beside: 10 },
		]);
		assert.deepEqual(ratio, { median: 0.5, lower: 0.5, upper: 0.5 });
	});

	test('says what falls short: of a ratio, of a figure, or because it had nothing beside it', () => {
		const results = [
			measured({ beside: 'a dog', goal: { ratio: 1 } }, [{ ours: 2, beside: 2 }]),
			measured({ what: '… asleep', beside: 'a dog', goal: { ratio: 1 } }, [{ ours: 3, beside: 2 }]),
			measured({ what: '… awake', beside: 'a dog', goal: { ratio: 1 } }, [{ ours: 3 }]),
			measured({ what: 'A boat', goal: { most: 4 } }, [{ ours: 4 }]),
			measured({ what: '… at sea', goal: { most: 4 } }, [{ ours: 1234.5 }]),
			measured({ what: 'A pier' }, [{ ours: 123_456 }]),
		];
		assert.deepEqual(shortfalls(results), [
			'A fox, asleep: 1.50 of a dog, should be ≤ 1.00',
			'A fox, awake: not measured beside a dog, should be ≤ 1.00',
			'A boat, at sea: 1,235 ms, should be ≤ 4 ms',
		]);
		assert.equal(terminalTable(results).match(/FALLS SHORT/g)?.length, 3);
		assert.equal(terminalTable(results).match(/ met$/gm)?.length, 2);
		assert.match(terminalTable(results), /A pier +1 +123 s/);
	});

	test('names every row once within its own, and never begins with what belongs above', () => {
		for (const { rows } of Object.values(benches)) {
			const [first = ''] = Object.values(rows).map(({ what }) => what);
			assert.ok(!first.startsWith('…'), first);
		}
		for (const { goal, beside, what } of rows) {
			assert.ok(goal === undefined || !('ratio' in goal) || beside !== undefined, what);
		}
	});
});

suite('The guide’s table of the benchmark', () => {
	const inGuide = rows.filter((row) => row.inGuide);

	test('is as the program writes it, with a line for each row that belongs there', () => {
		const [header, line, ...lines] = markedPart(page, 'bench')?.split('\n') ?? [];
		assert.deepEqual([header, line], guideTable([]).split('\n').slice(0, 2));
		assert.deepEqual(
			lines.filter((one) => one.startsWith('|')).map((one) => one.split('|')[1]?.trim()),
			inGuide.map(({ what }) => what),
		);
		assert.match(lines.at(-1)!, /^Medians on .*\.$/);
	});

	test('takes the place of the one before and leaves the rest of the page', () => {
		const table = guideTable([
			measured({ inGuide: true, beside: 'a dog' }, [{ ours: 1, beside: 2 }]),
			measured({ what: 'A pier', inGuide: true }, [{ ours: 3 }]),
			measured({ what: 'A boat' }, [{ ours: 4 }]),
		]);
		assert.deepEqual(table.split('\n').slice(2), [
			'| A fox | 1 ms | a dog: 2 ms | 0.50 |',
			'| A pier | 3 ms | | |',
			'',
			'Medians on 2 cores.',
		]);
		const written = withMarkedPart(page, 'bench', table);
		assert.equal(markedPart(written, 'bench'), table);
		assert.equal(withMarkedPart(written, 'bench', markedPart(page, 'bench')!), page);
		assert.throws(() => withMarkedPart('# Easel', 'bench', table), /has no lines/);
	});
});
