// `npm test` and `npm run test:all`: types, lint and the tiers of tests, one after the other, and a
// table of what became of them. `--shard 2/4` runs the second of four parts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say } from './cache';
import { chooseHost } from './host';
import { packageExtension } from './package';
import { clearResults, readFigures, readTiers, type Figures } from './tierResults';
import { parseShard, tierNames, tiers, type Tier, type TierName } from './tiers';

/** A step of the run: a tier, with checks beside it or without. */
interface Step {
	readonly name: string;
	readonly tier?: TierName | undefined;
	/** Commands that run side by side. */
	readonly commands: readonly (readonly string[])[];
}

interface StepResult {
	readonly name: string;
	readonly tier?: TierName | undefined;
	readonly isSound: boolean;
	readonly seconds: number;
	/** Processor time of the whole machine: editors and workers are no children of the tests. */
	readonly processorSeconds: number;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { all: { type: 'boolean', default: false }, shard: { type: 'string' } },
	});
	const { part } = parseShard(values.shard);
	await clearResults();
	if (values.shard) process.env['EASEL_TEST_SHARD'] = values.shard;

	const results: StepResult[] = [];
	const whole = measure();
	results.push(await runStep({ name: 'build', commands: [] }, prepare));
	const chosen = tierNames.filter((name) => values.all || has(name, 'everyday'));
	const waiting = runAll(chosen.filter((name) => has(name, 'waits')));
	// Checks that cannot be divided are the first part's. The one workbench of the journeys waits for
	// its window most of the time; the checks use the processors meanwhile.
	results.push(await runStep(part === 1 ? withChecks(stepOf('smoke')) : stepOf('smoke')));
	const busy = chosen.filter((name) => name !== 'smoke' && !has(name, 'waits'));
	results.push(...(await runAll(busy)), ...(await waiting));
	results.push({ name: 'all', isSound: true, ...whole() });

	const figures = await readFigures();
	const outcomes = await readTiers();
	const all = [...outcomes.values()];
	for (const { skipped } of all) for (const reason of skipped) say(`skipped: ${reason}`);
	// Once more at the end, for who sees only that.
	for (const [tier, { failures }] of outcomes) {
		for (const failure of failures) say(`failed: ${tier}: ${failure}`);
	}
	for (const { name, tier, isSound } of results) {
		// Its tests have passed, so one of the checks beside them has not.
		if (!isSound && !outcomes.get(tier ?? name)?.failed) say(`failed: ${name}`);
	}
	const sum = (pick: 'passed' | 'failed') => all.reduce((total, one) => total + one[pick], 0);
	process.stdout.write(`\n${table(results, outcomes, figures)}\n\n`);
	process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
	const isSound =
		results.every((result) => result.isSound) && [...figures.values()].every(isWithoutLoss);
	process.exit(isSound ? 0 : 1);
}

function withChecks({ name, tier, commands }: Step): Step {
	return {
		name: `types, lint, ${name}`,
		tier,
		commands: [
			...commands,
			['npm', 'run', '--silent', 'typecheck'],
			['npx', 'eslint', '.', '--max-warnings', '0'],
			['npx', 'prettier', '--check', '--log-level', 'warn', '.'],
		],
	};
}

function has(name: TierName, trait: 'everyday' | 'waits'): boolean {
	return (tiers[name] as Tier)[trait] === true;
}

/** Runs tiers, one after the other. */
async function runAll(names: readonly TierName[]): Promise<StepResult[]> {
	const results: StepResult[] = [];
	for (const name of names) results.push(await runStep(stepOf(name)));
	return results;
}

function stepOf(name: TierName): Step {
	return { name, tier: name, commands: [['npm', 'run', '--silent', `test:${name}`]] };
}

/** Build that every tier with an editor needs, made once. */
async function prepare(): Promise<void> {
	process.env['EASEL_TEST_VSIX'] = await packageExtension();
	await chooseHost().prepare();
}

async function runStep(
	{ name, tier, commands }: Step,
	before: () => Promise<void> = () => Promise.resolve(),
): Promise<StepResult> {
	const title = `\n— ${name}\n`;
	const isBeside = tier !== undefined && has(tier, 'waits');
	if (!isBeside) process.stdout.write(title);
	const measured = measure();
	await before();
	// Each tier empties its folder when it begins.
	const env = { ...process.env, EASEL_TEST_RESULTS: join('test-results', tier ?? name) };
	const ended = await Promise.all(
		commands.map((command) => succeeds(command, env, isBeside ? title : undefined)),
	);
	return { name, tier, isSound: ended.every(Boolean), ...measured() };
}

/** Returns a function that says what has passed since. */
function measure(): () => Pick<StepResult, 'seconds' | 'processorSeconds'> {
	const started = Date.now();
	const busyBefore = busySeconds();
	return () => ({
		seconds: (Date.now() - started) / 1000,
		processorSeconds: busySeconds() - busyBefore,
	});
}

/** @param title where other commands print meanwhile: all of its output stands below it, at its end */
async function succeeds(
	[program, ...args]: readonly string[],
	env: NodeJS.ProcessEnv,
	title?: string,
): Promise<boolean> {
	// On Windows npm is a batch file, which only a shell can start.
	const shell = process.platform === 'win32';
	const child = spawn(program!, args, {
		env,
		shell,
		stdio: title === undefined ? 'inherit' : 'pipe',
	});
	const printed = [title ?? ''];
	for (const stream of [child.stdout, child.stderr]) {
		stream?.setEncoding('utf8').on('data', (text: string) => printed.push(text));
	}
	const [code] = (await once(child, 'close')) as [number | null];
	process.stdout.write(printed.join(''));
	return code === 0;
}

/** Returns the total time that the processors of this machine have worked. */
function busySeconds(): number {
	return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0) / 1000;
}

function isWithoutLoss({ lost = 0, twice = 0, orphans = 0 }: Figures): boolean {
	return lost + twice + orphans === 0;
}

type Cells = readonly (string | number)[];

function table(
	results: readonly StepResult[],
	outcomes: Awaited<ReturnType<typeof readTiers>>,
	figures: ReadonlyMap<string, Figures>,
): string {
	const rows = results.map(({ name, tier, isSound, seconds, processorSeconds }): Cells => {
		const outcome = outcomes.get(tier ?? name);
		const failed = outcome?.failed ?? (isSound ? '' : 'yes');
		// Beside other tiers it is theirs.
		const computed = tier && has(tier, 'waits') ? '' : processorSeconds.toFixed(0);
		return [name, outcome?.passed ?? '', failed, seconds.toFixed(0), computed];
	});
	const campaigns = [...figures].map(
		([name, { runs, seed, lost, twice, orphans, note }]): Cells => [
			...[name, runs, seed, lost ?? '', twice ?? '', orphans ?? '', note ?? ''],
		],
	);
	const titles = ['campaign', 'runs', 'seed', 'lost', 'twice', 'orphans', 'found'];
	return [
		align([['tier', 'tests', 'failed', 'seconds', 'processor s'], ...rows]),
		...(campaigns.length > 0 ? [align([titles, ...campaigns])] : []),
	].join('\n\n');
}

/** Columns of equal width: words to the left, numbers to the right. */
function align(rows: readonly Cells[]): string {
	const [titles = [], ...others] = rows.map((row) => row.map(String));
	const widths = titles.map((title, at) =>
		Math.max(title.length, ...others.map((row) => row[at]!.length)),
	);
	const isNumber = (at: number) => others.every((row) => /^(\d*|yes)$/.test(row[at]!));
	const pad = (cell: string, at: number) =>
		isNumber(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!);
	return [titles, ...others].map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

main().catch((error: unknown) => {
	say(error instanceof Error ? (error.stack ?? error.message) : String(error));
	process.exit(1);
});
