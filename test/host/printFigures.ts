// The end of `npm test`: what the randomized tests have counted. It fails where one has not run,
// or where an image was lost, delivered twice, or a process was left.
import { figuresTable, isSound, readFigures } from './figures';

async function main(): Promise<void> {
	const figures = {
		workers: await readFigures('workers'),
		windows: await readFigures('windows'),
	};
	process.stdout.write(`\n${figuresTable(figures)}\n`);
	if (!Object.values(figures).every(isSound)) {
		process.exitCode = 1;
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`A randomized test has left no figures: ${String(error)}\n`);
	process.exitCode = 1;
});
