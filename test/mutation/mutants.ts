import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';
import { repository } from '../host/cache';
import { run } from '../host/run';
import type { Mutated } from './files';

/** A change of the code that the tests have not noticed. */
export interface Survivor {
	/** The line that it begins in, without its indentation. */
	readonly line: string;
	/** What is changed; long texts are cut. */
	readonly from: string;
	/** What it becomes. */
	readonly to: string;
	/**
	 * The lines above it that tell it from others of the same text: the nearest last, as many as it
	 * takes; missing where there is no other.
	 */
	readonly above?: readonly string[];
	/** What stands before it in its line, where the line has the same more than once. */
	readonly behind?: string;
}

export interface Result {
	/** How many mutants there are, sentences for people left out. */
	readonly mutants: number;
	readonly noticed: number;
	/** All changes that were tried. */
	readonly tried: readonly Survivor[];
	readonly survivors: readonly (Survivor & { readonly lineNumber: number })[];
}

/** The part of Stryker's report that is read here. */
interface Report {
	readonly files: Readonly<
		Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>
	>;
}

interface Mutant {
	readonly status: string;
	readonly replacement?: string;
	readonly location: { readonly start: Position; readonly end: Position };
}

/** Both from 1. */
interface Position {
	readonly line: number;
	readonly column: number;
}

/** Longest duration for one file, in milliseconds. */
const longestMs = 60 * 60_000;

const folder = 'out/mutation';

/**
 * Runs the tests of a file against each of its mutants.
 *
 * @throws an Error with what Stryker says where its tests fail without any change
 */
export async function mutate({ file, tests, apart }: Mutated): Promise<Result> {
	if (tests.length === 0) {
		throw new Error('no test of its room imports it or bears its name');
	}
	const base = path.join(folder, file.replaceAll('/', '.'));
	const report = `${base}.report.json`;
	const sandbox = `${base}.sandbox`;
	const options: PartialStrykerOptions = {
		mutate: [file],
		testRunner: 'mocha',
		mocha: { spec: tests },
		plugins: ['mochaRunner.ts', 'words.ts'].map((name) => path.join(__dirname, name)),
		ignorers: ['words'],
		coverageAnalysis: apart ? 'off' : 'perTest',
		// The machine may be at work for others.
		concurrency: 1,
		reporters: ['json'],
		jsonReporter: { fileName: report },
		tempDirName: sandbox,
		ignorePatterns: ['**', ...sandboxed.map((name) => `!${name}`)],
		disableTypeChecks: false,
		allowConsoleColors: false,
		logLevel: 'error' as PartialStrykerOptions['logLevel'],
		warnings: false,
	};
	await mkdir(path.join(repository, folder), { recursive: true });
	await writeFile(path.join(repository, `${base}.json`), JSON.stringify(options));
	const stryker = path.join(
		path.dirname(require.resolve('@stryker-mutator/core/package.json')),
		'bin/stryker.js',
	);
	// A changed file leaves sockets and files behind that other tests would find.
	const temporary = await mkdtemp(path.join(tmpdir(), 'mutants-'));
	try {
		// Tests that run a child as another user put there what it reads.
		await chmod(temporary, 0o755);
		await run(process.execPath, [...quiet, stryker, 'run', `${base}.json`], {
			cwd: repository,
			timeout: longestMs,
			env: {
				...process.env,
				...{ TMPDIR: temporary, TMP: temporary, TEMP: temporary },
				EASEL_MUTATED: '1',
				// What is noticed by chance today is not noticed tomorrow.
				EASEL_SCHEDULES: '1',
			},
		});
	} finally {
		// Where it fails, Stryker leaves its own behind, and the packager stumbles over sockets in there.
		for (const left of [temporary, path.join(repository, sandbox)]) {
			await rm(left, { recursive: true, force: true });
		}
	}
	const { files } = JSON.parse(await readFile(path.join(repository, report), 'utf8')) as Report;
	return summarize(files[file] ?? { source: '', mutants: [] });
}

/** Our package is no ES module, these files are; that is no news. */
const quiet: readonly string[] = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

/** What the tests need beside the packages. */
const sandboxed: readonly string[] = [
	...['src/**', 'test/unit/**', 'test/service/**', 'test/host/**', 'test/fuzz/**'],
	...['package.json', 'tsconfig*.json', '.mocharc.json', 'media/**', '*.md', 'LICENSE'],
];

function summarize({ source, mutants }: Report['files'][string]): Result {
	const counted = mutants.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
	const survivors = counted.filter(
		({ status }) => status === 'Survived' || status === 'NoCoverage',
	);
	const lines = source.split('\n');
	const describe = ({ location, replacement = '' }: Mutant): Survivor => ({
		...placeOf(lines, location),
		to: short(replacement),
	});
	return {
		mutants: counted.length,
		noticed: counted.length - survivors.length,
		tried: counted.map(describe),
		survivors: survivors
			.map((mutant) => ({ lineNumber: mutant.location.start.line, ...describe(mutant) }))
			.sort((a, b) => a.lineNumber - b.lineNumber),
	};
}

/** Says where a change begins, so that no other place of the file reads the same. */
function placeOf(lines: readonly string[], location: Mutant['location']): Omit<Survivor, 'to'> {
	const { line, column } = location.start;
	const whole = lines[line - 1] ?? '';
	const text = textAt(lines, location);
	const [first = ''] = text.split('\n');
	const above = linesAbove(
		lines.map((each) => each.trim()),
		line - 1,
	);
	return {
		line: whole.trim(),
		from: short(text),
		...(above.length > 0 ? { above } : {}),
		...(whole.split(first).length > 2 ? { behind: whole.slice(0, column - 1).trim() } : {}),
	};
}

function linesAbove(lines: readonly string[], index: number): readonly string[] {
	let same = lines.flatMap((line, other) => (line === lines[index] ? [other] : []));
	let count = 0;
	while (same.length > 1) {
		count += 1;
		same = same.filter((other) => lines[other - count] === lines[index - count]);
	}
	return lines.slice(Math.max(0, index - count), index);
}

function textAt(lines: readonly string[], { start, end }: Mutant['location']): string {
	return lines
		.slice(start.line - 1, end.line)
		.join('\n')
		.slice(start.column - 1, end.column - 1 - (lines[end.line - 1]?.length ?? 0) || undefined);
}

function short(text: string): string {
	const flat = text.replace(/\s+/g, ' ');
	return flat.length > 90 ? `${flat.slice(0, 60)} … ${flat.slice(-20)}` : flat;
}
