// `npm run test:unit` and the like: runs a tier of tests by mocha. With names of test files as
// arguments, only these.
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import Mocha from 'mocha';
import { resultsFolder } from '../e2e/workbench';
import AliveReporter, { type AliveOptions } from './aliveReporter';
import { cachedPackages, repository, say } from './cache';
import { mochaHooks } from './e2eHooks';
import { chooseHost } from './host';
import { packageExtension } from './package';
import { rareTag } from './rare';
import { Sandbox } from './sandbox';
import { filesOf, tierNamed, type Program, type Tier } from './tiers';

async function main(): Promise<void> {
	const [name, ...words] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
	const { tier } = tierNamed(name);
	const started = Date.now();
	const wanted = words.length > 0 ? words : await filesOf(tier, process.env['EASEL_TEST_SHARD']);
	const skipped: string[] = [];
	const files: string[] = [];
	for (const file of wanted) {
		const lacking = await lackOf(tier, file);
		if (lacking === undefined) files.push(file);
		else skipped.push(lacking);
	}
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
async function lackOf({ programs }: Tier, file: string): Promise<string | undefined> {
	const lacking: string[] = [];
	for (const program of programs?.[file] ?? []) {
		const problem = await problemOf(program);
		if (problem !== undefined) lacking.push(`${program.command[0]} (${problem})`);
	}
	return lacking.length > 0 ? `${file} needs ${lacking.join(' and ')}` : undefined;
}

async function problemOf({ command, debian, npm }: Program): Promise<string | undefined> {
	const [program, ...args] = command;
	// It may write into the home folder.
	const sandbox = new Sandbox();
	try {
		const folder = npm === undefined ? '' : join(await cachedPackages([npm]), '.bin');
		const env = sandbox.environment({ HOME: sandbox.root });
		const { status } = spawnSync(join(folder, program), args, { stdio: 'ignore', env });
		return status === 0 ? undefined : npm ? `${npm} does not start` : `Debian: ${debian}`;
	} catch (error) {
		return `npm: ${npm}: ${(error as Error).message.split('\n')[0]}`;
	} finally {
		sandbox.close();
	}
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
