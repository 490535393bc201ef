// `npm run test:e2e`: the end-to-end tests against the packaged extension. With names of test
// files as arguments, only these.
import { rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import Mocha from 'mocha';
import { resultsFolder } from '../e2e/workbench';
import { findTestFiles } from './aliveCheck';
import AliveReporter from './aliveReporter';
import { repository, say } from './cache';
import { mochaHooks } from './e2eHooks';
import { chooseHost } from './host';
import { packageExtension } from './package';

const folder = 'test/e2e';
/** A workbench waits for its screen half of the time: two keep two cores busy. */
const sideBySide = Number(process.env['EASEL_TEST_JOBS'] ?? 2);

async function main(): Promise<void> {
	const started = Date.now();
	await rm(resultsFolder, { recursive: true, force: true });
	const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
	const files = named.length > 0 ? named : await findTestFiles(repository, [folder]);
	process.env['EASEL_TEST_VSIX'] ??= await packageExtension();
	const host = chooseHost();
	await host.prepare();
	say(`${host.name}, ${process.env['EASEL_TEST_VSIX']}`);

	const mocha = new Mocha({
		ui: 'tdd',
		timeout: 180_000,
		slow: 20_000,
		bail: process.argv.includes('--bail'),
		...(process.env['EASEL_TEST_GREP'] ? { grep: process.env['EASEL_TEST_GREP'] } : {}),
		forbidOnly: true,
		forbidPending: true,
		reporter: named.length > 0 ? 'spec' : AliveReporter,
		reporterOptions: { folders: folder },
		// Mocha loads what it requires in its other processes alone.
		...(sideBySide > 1
			? { parallel: true, jobs: sideBySide, require: [join(repository, 'test/host/e2eHooks.ts')] }
			: { rootHooks: mochaHooks }),
	});
	for (const file of await longestFirst(files)) mocha.addFile(file);
	const failures = await new Promise<number>((done) => mocha.run(done));
	say(`${((Date.now() - started) / 1000).toFixed(1)} s`);
	process.exit(failures > 0 ? 1 : 0);
}

/** What is long to read takes long to run, nearly; the short ones fill what is left at the end. */
async function longestFirst(files: readonly string[]): Promise<string[]> {
	const sized = await Promise.all(
		files.map(async (file) => {
			const path = resolve(repository, file);
			return { path, size: (await stat(path)).size };
		}),
	);
	return sized.sort((a, b) => b.size - a.size).map(({ path }) => path);
}

main().catch((error: unknown) => {
	say(error instanceof Error ? (error.stack ?? error.message) : String(error));
	process.exit(1);
});
