// `npm run test:faults`: every scenario with every call failing, and a table. `--share 0.1` for a
// part of it, `--seed N` to repeat that, `--only NAME` for the scenarios whose names contain it.
import { parseArgs } from 'node:util';
import { areSound, faultsTable, runFaults } from './run';

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { share: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
	});
	const seed = Number(values.seed ?? Date.now() % 1_000_000);
	process.stdout.write(`seed ${String(seed)}\n`);
	const startedAt = performance.now();
	const { rows } = await runFaults({
		share: Number(values.share ?? 1),
		seed,
		only: values.only,
		onRun: (done, all) => {
			if (done % 200 === 0) {
				process.stdout.write(`  ${String(done)} of ${String(all)}\n`);
			}
		},
		onFinding: ({ scenario, of, plan, what }) => {
			process.stdout.write(
				`  ${scenario}, call ${String(plan.at)} of the ${of}, ${plan.code} ${plan.mode}: ${what}\n`,
			);
		},
	});
	const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
	process.stdout.write(`${faultsTable(rows)}\n${minutes} minutes\n`);
	process.exit(areSound(rows) ? 0 : 1);
}

void main();
