// `npm run test:soak`: 2,000 pictures through real workers, and a table of what became of them.
// `--pictures N` for another number, `--seed N` to repeat a run.
import { parseArgs } from 'node:util';
import { isSound, soak, soakTable } from './soak';

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { pictures: { type: 'string' }, seed: { type: 'string' } },
	});
	const pictures = Number(values.pictures ?? 2000);
	const seed = Number(values.seed ?? Date.now() % 1_000_000);
	process.stdout.write(`${String(pictures)} pictures, seed ${String(seed)}\n`);
	const startedAt = performance.now();
	const rows = await soak({
		pictures,
		seed,
		onPicture: (done) => {
			if (done % 100 === 0) {
				process.stdout.write(`  ${String(done)}\n`);
			}
		},
	});
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
	process.stdout.write(`${soakTable(rows)}\n${seconds} s\n`);
	process.exitCode = isSound(rows) ? 0 : 1;
}

void main();
