import assert from 'node:assert/strict';
import { report, seed } from './campaign';
import { areSound, faultsTable, runFaults } from './faults/run';

/** Share of the faults; all of them take an hour: `EASEL_SCALE=84`. */
const share = Math.min(1, 0.012 * Number(process.env['EASEL_SCALE'] ?? 1));

suite('calls that fail, in every scenario', () => {
	test('lose nothing, buy nothing twice, and are reported as they are', async function () {
		this.timeout(2 * 60 * 60_000);
		const { rows, findings } = await runFaults({
			share,
			seed,
			only: process.env['EASEL_SCENARIO'],
		});
		const table = faultsTable(rows);
		console.log(table.replaceAll(/^/gm, '      '));
		const sum = (pick: 'runs' | 'lost' | 'twice' | 'orphans') =>
			rows.reduce((total, row) => total + row[pick], 0);
		await report('faults', {
			...{ runs: sum('runs'), lost: sum('lost'), twice: sum('twice'), orphans: sum('orphans') },
			note: `${rows.length} scenarios`,
		});
		assert.ok(
			areSound(rows),
			`EASEL_SEED=${seed}\n${table}\n${findings.map((finding) => JSON.stringify(finding)).join('\n')}`,
		);
	});
});
