// `npm run bench`: measures what is felt, beside the plain way or others who do the same, and prints
// one table. `npm run bench -- receiving studio` measures some of it, `--rounds N` more or less often;
// `--write` writes the latest figures of all into `docs/performance.md`.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repository, say } from '../host/cache.js';
import type { Bench } from './bench.js';
import { benches } from './benches.js';
import { fallsShort, resultOf, type Result, type Sample } from './results.js';
import { withMarkedPart } from '../host/markedPart.js';
import { guideTable, shortfalls, terminalTable } from './tables.js';

const resultsFile = path.join(repository, 'test-results/bench.json');

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { rounds: { type: 'string' }, write: { type: 'boolean', default: false } },
	});
	const names = positionals.length > 0 ? positionals : Object.keys(benches);
	const unknown = names.filter((name) => !(name in benches));
	const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
	if (unknown.length > 0 || (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))) {
		throw new Error(
			`Usage: npm run bench -- [--rounds N] [--write] [${Object.keys(benches).join(' | ')}]…`,
		);
	}
	let latest: Result[] = await readResults();
	const measured: Result[] = [];
	const failures: string[] = [];
	for (const name of names) {
		const results = await resultsOf(name, benches[name]!, rounds).catch((error: unknown) => {
			failures.push(`${name} could not be measured: ${(error as Error).stack ?? String(error)}`);
			return [];
		});
		measured.push(...results);
		latest = inOrder([...results, ...latest]);
		// After each, so that what took long is not lost with the one that follows.
		await mkdir(path.dirname(resultsFile), { recursive: true });
		const reported = latest.map((result) => ({ ...result, fallsShort: fallsShort(result) }));
		await writeFile(resultsFile, JSON.stringify(reported, undefined, '\t'));
	}
	process.stdout.write(`${machine()}\n\n${terminalTable(measured)}\n`);
	const short = shortfalls(measured);
	if (short.length > 0) {
		process.stdout.write(`\nFalls short:\n${short.join('\n')}\n`);
	}
	if (failures.length > 0) {
		throw new Error(failures.join('\n'));
	}
	if (short.length === 0) {
		process.stdout.write('\nNothing falls short.\n');
	}
	if (values.write) {
		await writeGuide(latest);
	}
}

async function resultsOf(name: string, bench: Bench, rounds = bench.rounds): Promise<Result[]> {
	say(`${name}, ${String(rounds)} rounds`);
	const samples = new Map<string, Sample[]>(Object.keys(bench.rows).map((row) => [row, []]));
	const scratch = await mkdtemp(path.join(tmpdir(), 'easel-bench-'));
	try {
		const { measure } = await bench.load();
		await measure({
			rounds,
			scratch,
			record: (row, ours, beside) => {
				const those = samples.get(row);
				if (those === undefined) {
					throw new Error(`The table has no row “${row}”.`);
				}
				those.push({ ours, beside });
			},
		});
	} finally {
		await rm(scratch, { recursive: true, force: true });
	}
	return Object.entries(bench.rows).map(([row, about]) =>
		resultOf(
			{
				bench: name,
				name: row,
				row: about,
				measuredAt: new Date().toISOString(),
				machine: machine(),
			},
			samples.get(row)!,
		),
	);
}

async function readResults(): Promise<Result[]> {
	const results = await readFile(resultsFile, 'utf8').then(
		(text) => JSON.parse(text) as Result[],
		() => [],
	);
	return inOrder(results);
}

/** The first of each row, as the table is now: what is not measured any more is left out. */
function inOrder(results: readonly Result[]): Result[] {
	return Object.entries(benches).flatMap(([bench, { rows }]) =>
		Object.entries(rows).flatMap(([name, row]) => {
			const result = results.find((one) => one.bench === bench && one.name === name);
			return result === undefined ? [] : [{ ...result, row }];
		}),
	);
}

async function writeGuide(latest: readonly Result[]): Promise<void> {
	for (const [bench, { rows }] of Object.entries(benches)) {
		for (const [name, { inGuide }] of Object.entries(rows)) {
			if (inGuide && !latest.some((one) => one.bench === bench && one.name === name)) {
				throw new Error(`The guide needs the figures of “${bench}”: npm run bench -- ${bench}`);
			}
		}
	}
	const file = path.join(repository, 'docs/performance.md');
	const page = await readFile(file, 'utf8');
	await writeFile(file, withMarkedPart(page, 'bench', guideTable(latest)));
}

function machine(): string {
	const [{ model } = { model: 'an unknown processor' }] = cpus();
	return `${String(cpus().length)} cores of ${model.trim()}, ${process.platform}, Node ${process.versions.node}`;
}

// The browser of the windows stays as long as this process does, which would not end by itself.
main().then(
	() => process.exit(),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
