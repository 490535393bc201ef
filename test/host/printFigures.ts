// The end of `npm test`: what the randomized tests have counted. It fails where one has not run,
// or where an image was lost, delivered twice, or a process was left.
import { randomizedTests, readFigures, type Figures, type RandomizedTest } from './figures';

const columns: readonly [title: string, value: (figures: Figures) => number][] = [
	['schedules', ({ schedules }) => schedules],
	['images made', ({ made }) => made],
	['delivered', ({ delivered }) => delivered],
	['told instead', ({ toldInstead }) => toldInstead],
	['lost', ({ lost }) => lost],
	['delivered twice', ({ deliveredTwice }) => deliveredTwice],
	['orphan processes', ({ orphans }) => orphans],
	['seed', ({ seed }) => seed],
];

async function main(): Promise<void> {
	const width = Math.max(...Object.values(randomizedTests).map(({ length }) => length));
	const line = (name: string, cells: readonly string[]) =>
		[name.padEnd(width), ...cells.map((cell, index) => cell.padStart(columns[index]![0].length))]
			.join('  ')
			.trimEnd();
	const titles = columns.map(([title]) => title);
	process.stdout.write(`\n${line('', titles)}\n`);
	for (const [test, name] of Object.entries(randomizedTests)) {
		const figures = await readFigures(test as RandomizedTest);
		const cells = columns.map(([, value]) => String(value(figures)));
		process.stdout.write(`${line(name, cells)}\n`);
		if (figures.lost + figures.deliveredTwice + figures.orphans > 0) {
			process.exitCode = 1;
		}
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`A randomized test has left no figures: ${String(error)}\n`);
	process.exitCode = 1;
});
