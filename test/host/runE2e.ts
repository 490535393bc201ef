// `npm run test:e2e`: the end-to-end tests against the packaged extension. With names of test
// files as arguments, only these.
import { cp, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import Mocha from 'mocha';
import { openWorkbenches, resultsFolder } from '../e2e/workbench';
import { findTestFiles } from './aliveCheck';
import AliveReporter from './aliveReporter';
import { repository, say } from './cache';
import { chooseHost } from './host';
import { packageExtension } from './package';

const folder = 'test/e2e';

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
		rootHooks: { afterEach: showFailure },
	});
	for (const file of files) mocha.addFile(resolve(repository, file));
	const failures = await new Promise<number>((done) => mocha.run(done));
	// A suite that failed in its set-up may have left an editor open.
	for (const workbench of openWorkbenches) await workbench.close();
	say(`${((Date.now() - started) / 1000).toFixed(1)} s`);
	process.exit(failures > 0 ? 1 : 0);
}

/** Keeps what the failed test had on the screen and what VS Code wrote meanwhile. */
async function showFailure(this: Mocha.Context): Promise<void> {
	const test = this.currentTest;
	if (test?.state !== 'failed') return;
	const name = `failed-${test.fullTitle().replace(/[^\w.-]+/g, '-')}`.slice(0, 100);
	await mkdir(resultsFolder, { recursive: true });
	for (const [index, workbench] of [...openWorkbenches].entries()) {
		const unique = index > 0 ? `${name}-${index}` : name;
		try {
			say(`    screenshot: ${await workbench.screenshot(unique)}`);
			await cp(workbench.editor.logsDir, join(resultsFolder, `${unique}-logs`), {
				recursive: true,
			});
		} catch (error) {
			say(`    the failure could not be shown: ${String(error)}`);
		}
	}
}

main().catch((error: unknown) => {
	say(error instanceof Error ? (error.stack ?? error.message) : String(error));
	process.exit(1);
});
