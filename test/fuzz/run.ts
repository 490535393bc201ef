// `npm run test:fuzz`: 100,000 random cases each for what reads foreign bytes, and a table. Every
// file of this folder that exports a function named `fuzz…` takes part. `--cases N` for another
// number, `--only NAME` for one of them; EASEL_SEED repeats a run.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

interface Options {
	readonly cases: number;
	readonly seed: number;
}

interface Outcome {
	readonly cases: number;
	readonly seconds: number;
	readonly note: string;
}

type Fuzz = (options: Options) => Promise<Outcome>;

interface Row extends Options {
	readonly name: string;
	readonly outcome: Outcome | undefined;
	/** The most that its process has had in memory, in MiB. */
	readonly peakMiB: number;
}

/** What the process of one function says at its end. */
interface Report {
	readonly outcome: Outcome;
	readonly peakMiB: number;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			cases: { type: 'string', default: '100000' },
			only: { type: 'string', default: '' },
			child: { type: 'string' },
		},
	});
	const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);
	const cases = Number(values.cases);
	if (!Number.isInteger(cases) || cases < 1 || !Number.isInteger(seed)) {
		throw new Error('--cases takes a whole number from 1, EASEL_SEED a whole number.');
	}
	if (values.child !== undefined) {
		await runHere(values.child, { cases, seed });
		return;
	}
	const all = await fuzzers();
	const chosen = [...all.keys()].filter((name) => name.includes(values.only));
	if (chosen.length === 0) {
		throw new Error(`There is nothing to run; there are: ${[...all.keys()].join(', ') || 'none'}.`);
	}
	const rows: Row[] = [];
	for (const name of chosen) {
		process.stdout.write(`${name}, ${String(cases)} cases, seed ${String(seed)}\n`);
		rows.push(await runApart(name, { cases, seed }));
	}
	process.stdout.write(`${table(rows)}\n`);
	for (const { name } of rows.filter(({ outcome }) => outcome === undefined)) {
		process.stdout.write(
			`Found something. Repeat it: EASEL_SEED=${String(seed)} npm run test:fuzz -- --only ${name} --cases ${String(cases)}\n`,
		);
		process.exitCode = 1;
	}
}

/** The functions of this folder, by their names. */
async function fuzzers(): Promise<Map<string, Fuzz>> {
	const files = (await readdir(__dirname)).filter((file) => /^(?!run\b).*\.ts$/.test(file)).sort();
	const found = new Map<string, Fuzz>();
	for (const file of files) {
		const exported = (await import(pathToFileURL(path.join(__dirname, file)).href)) as Record<
			string,
			unknown
		>;
		for (const [name, value] of Object.entries(exported)) {
			if (/^fuzz[A-Z]/.test(name) && typeof value === 'function') {
				found.set(name, value as Fuzz);
			}
		}
	}
	return found;
}

/** In a process of its own: its memory is its own, and a crash is a finding of this one alone. */
async function runApart(name: string, options: Options): Promise<Row> {
	const words = ['--child', name, '--cases', String(options.cases)];
	const child = fork(__filename, words, {
		env: { ...process.env, EASEL_SEED: String(options.seed) },
	});
	let report: Report | undefined;
	child.on('message', (message) => {
		report = message as Report;
	});
	const [code] = (await once(child, 'close')) as [number | null];
	return {
		name,
		...options,
		outcome: code === 0 ? report?.outcome : undefined,
		peakMiB: report?.peakMiB ?? 0,
	};
}

async function runHere(name: string, options: Options): Promise<void> {
	const fuzz = (await fuzzers()).get(name);
	if (fuzz === undefined) {
		throw new Error(`There is no ${name}.`);
	}
	const outcome = await fuzz(options);
	const report: Report = { outcome, peakMiB: process.resourceUsage().maxRSS / 1024 };
	await new Promise<void>((resolve) => {
		process.send?.(report, () => resolve());
	});
	process.disconnect();
}

function table(rows: readonly Row[]): string {
	const lines = [
		['', 'cases', 'seed', 'seconds', 'peak MiB', ''],
		...rows.map(({ name, seed, outcome, peakMiB }) => [
			name,
			String(outcome?.cases ?? '-'),
			String(seed),
			outcome?.seconds.toFixed(1) ?? '-',
			outcome === undefined ? '-' : peakMiB.toFixed(0),
			outcome?.note ?? 'FOUND SOMETHING, see above',
		]),
	];
	const widths = lines[0]?.map((_, column) =>
		Math.max(...lines.map((line) => line[column]?.length ?? 0)),
	);
	return lines
		.map((line) => line.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '))
		.join('\n');
}

main().catch((error: unknown) => {
	// With it stand the seed and the case that have found something.
	process.stderr.write(
		`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
	);
	process.exitCode = 1;
});
