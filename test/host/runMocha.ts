// `npm run test:unit` and the like: runs a tier of tests by mocha. With names of test files as
// arguments, only these.
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import Mocha from 'mocha';
import { resultsFolder } from '../e2e/workbench';
import AliveReporter, { type AliveOptions } from './aliveReporter';
import { repository, say } from './cache';
import { mochaHooks } from './e2eHooks';
import { chooseHost } from './host';
import { packageExtension } from './package';
import { rareTag } from './rare';
import { filesOf, tierNamed, type Tier } from './tiers';

async function main(): Promise<void> {
	const [name, ...words] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
	const { tier } = tierNamed(name);
	const started = Date.now();
	const wanted = words.length > 0 ? words : await filesOf(tier, process.env['EASEL_TEST_SHARD']);
	const skipped = wanted.flatMap((file) => lackOf(tier, file) ?? []);
	const files = wanted.filter((file) => lackOf(tier, file) === undefined);
	for (const reason of skipped) say(`skipped: ${reason}`);
	if (tier.editor) await prepareEditor();

	const jobs = Number(process.env['EASEL_TEST_JOBS'] ?? tier.jobs);
	const inEditor = tier.editor !== undefined;
	const mocha = new Mocha({
		ui: 'tdd',
		timeout: tier.timeoutMs,
		slow: tier.timeoutMs / 10,
		bail: process.argv.includes('--bail'),
		...titlesOf(tier),
		forbidOnly: true,
		forbidPending: true,
		reporter: AliveReporter,
		reporterOptions: {
			tier: name!,
			files: words.length > 0 ? [] : files,
			skipped,
		} satisfies AliveOptions,
		// Mocha loads what it requires in its other processes alone.
		...(jobs > 1 && files.length > 1
			? {
					parallel: true,
					jobs,
					require: ['tsx', ...(inEditor ? [join(__dirname, 'e2eHooks.ts')] : [])],
				}
			: inEditor
				? { rootHooks: mochaHooks }
				: {}),
	});
	for (const file of files) mocha.addFile(resolve(repository, file));
	const failures = await new Promise<number>((done) => mocha.run(done));
	say(`${((Date.now() - started) / 1000).toFixed(1)} s`);
	process.exit(failures > 0 ? 1 : 0);
}

/** Returns Mocha's choice of tests: by their titles where that is wanted, else those of the tier. */
function titlesOf({ definedBy }: Tier): Pick<Mocha.MochaOptions, 'grep' | 'invert'> {
	const wanted = process.env['EASEL_TEST_GREP'];
	if (wanted) return { grep: wanted };
	return definedBy ? { grep: rareTag, invert: definedBy === 'test' } : {};
}

/** Says which program a file needs and the machine lacks, if there is one. */
function lackOf({ programs }: Tier, file: string): string | undefined {
	const lacking = programs?.[file]?.filter(({ command: [program, ...args] }) => {
		return spawnSync(program, args, { stdio: 'ignore' }).status !== 0;
	});
	if (!lacking?.length) return undefined;
	return `${file} needs ${lacking.map(({ command }) => command[0]).join(' and ')} (Debian: ${lacking.map(({ debian }) => debian).join(' ')})`;
}

async function prepareEditor(): Promise<void> {
	await rm(resultsFolder, { recursive: true, force: true });
	process.env['EASEL_TEST_VSIX'] ??= await packageExtension();
	const host = chooseHost();
	await host.prepare();
	say(`${host.name}, ${process.env['EASEL_TEST_VSIX']}`);
}

main().catch((error: unknown) => {
	say(error instanceof Error ? (error.stack ?? error.message) : String(error));
	process.exit(1);
});
