// What happens around the end-to-end tests, in each process that runs some of them.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbenches, resultsFolder } from '../e2e/workbench';
import { say } from './cache';

export const mochaHooks: Mocha.RootHookObject = {
	afterEach: showFailure,
	async afterAll() {
		// A suite that failed in its set-up may have left an editor open.
		for (const workbench of openWorkbenches) await workbench.close();
	},
};

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
