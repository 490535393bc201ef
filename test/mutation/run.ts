// `npm run test:mutation`: changes the code in small ways, one after another, and says which
// changes no test has noticed. With files or folders as arguments, only these.
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { say } from '../host/cache';
import { findMutated, type Mutated } from './files';
import { mutate, type Result, type Survivor } from './mutants';

/** A change that may go unnoticed. */
interface Excused extends Survivor {
	readonly why: string;
}

interface Row extends Mutated {
	readonly result: Result | undefined;
	readonly seconds: number;
	readonly complaints: readonly string[];
}

async function main(): Promise<void> {
	// Whoever works at this machine meanwhile comes first.
	os.setPriority(Math.max(10, os.getPriority()));
	const excused = JSON.parse(
		await readFile(path.join(__dirname, 'survivors.json'), 'utf8'),
	) as Record<string, Excused[]>;
	const rows: Row[] = [];
	const startedAt = performance.now();
	for (const each of await chosen(process.argv.slice(2))) {
		const row = await check(each, excused[each.file] ?? []);
		say(line(row));
		for (const complaint of row.complaints) {
			say(`    ${complaint}`);
		}
		rows.push(row);
	}
	const failed = rows.filter(({ complaints }) => complaints.length > 0);
	const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
	say(`${String(rows.length)} files, ${String(failed.length)} of them not as they should be.`);
	say(`${minutes} min`);
	process.exit(failed.length > 0 ? 1 : 0);
}

async function chosen(names: readonly string[]): Promise<Mutated[]> {
	const all = await findMutated();
	const wanted = names.map((name) => path.posix.normalize(name).replace(/\/$/, ''));
	const unknown = wanted.filter((name) => !all.some((each) => isIn(each, name)));
	if (unknown.length > 0) {
		throw new Error(`There is nothing to change in ${unknown.join(', ')}.`);
	}
	return wanted.length === 0 ? all : all.filter((each) => wanted.some((name) => isIn(each, name)));
}

function isIn({ file }: Mutated, name: string): boolean {
	return file === name || file.startsWith(`${name}/`);
}

/** Mutates a file and says what is wrong with what comes out. */
async function check(each: Mutated, excused: readonly Excused[]): Promise<Row> {
	const startedAt = performance.now();
	let result: Result | undefined;
	let complaints: string[];
	try {
		result = await mutate(each);
		complaints = complaintsAbout(result, each.bar, excused);
	} catch (error) {
		complaints = [String(error)];
	}
	return { ...each, result, complaints, seconds: (performance.now() - startedAt) / 1000 };
}

function complaintsAbout(result: Result, bar: number, excused: readonly Excused[]): string[] {
	return [
		...(percent(result) < bar ? [`fewer are noticed than ${String(bar)} %`] : []),
		...excused
			.filter((each) => !result.tried.some((one) => isSame(each, one)))
			.map(({ line, from, to }) => `excused, but not there: ${JSON.stringify({ line, from, to })}`),
		...result.survivors
			.filter((survivor) => !excused.some((each) => isSame(each, survivor)))
			.map(
				({ lineNumber, ...survivor }) => `line ${String(lineNumber)}: ${JSON.stringify(survivor)}`,
			),
	];
}

/** Whether two say the same change of the same place. */
function isSame(one: Survivor, other: Survivor): boolean {
	return (
		one.line === other.line &&
		one.from === other.from &&
		one.to === other.to &&
		one.above?.join('\n') === other.above?.join('\n') &&
		one.behind === other.behind
	);
}

function percent({ mutants, noticed }: Result): number {
	return mutants === 0 ? 100 : (100 * noticed) / mutants;
}

function line({ file, bar, result, seconds }: Row): string {
	const figures =
		result === undefined
			? 'could not be checked'
			: `${percent(result).toFixed(1).padStart(5)} % of ${String(result.mutants)} noticed (${String(bar)} %)`;
	return `${file.padEnd(44)} ${figures}, ${seconds.toFixed(0)} s`;
}

main().catch((error: unknown) => {
	say(error instanceof Error ? (error.stack ?? error.message) : String(error));
	process.exit(1);
});
