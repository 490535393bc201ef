import assert from 'node:assert/strict';
import { areSound, faultsTable, runFaults } from '../../faults/run';

/** Of all faults: some 80 runs. */
const share = 0.006;

suite('calls that fail, in every scenario', () => {
	test('lose nothing, buy nothing twice, and are told as they are', async function () {
		this.timeout(300_000);
		const seed = Math.floor(Math.random() * 1_000_000);
		console.log(`      seed ${String(seed)}`);
		const { rows, findings } = await runFaults({ share, seed });
		const table = faultsTable(rows);
		console.log(table.replaceAll(/^/gm, '      '));
		assert.ok(
			areSound(rows),
			`npm run test:faults -- --share ${String(share)} --seed ${String(seed)}\n${table}\n${findings.map((finding) => JSON.stringify(finding)).join('\n')}`,
		);
	});
});
