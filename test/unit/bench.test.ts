import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { benches } from '../bench/benches';
import { guideTable } from '../bench/tables';
import { markedPart } from '../host/markedPart';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/performance.md'), 'utf8');
const rows = Object.values(benches).flatMap(({ rows }) => Object.values(rows));

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
});
