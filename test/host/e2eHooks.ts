// What happens around the end-to-end tests, in each process that runs some of them.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { doBeforeClose, openWorkbenches, resultsFolder, type Workbench } from '../e2e/workbench';
import { say } from './cache';

let current: Mocha.Test | undefined;

export const mochaHooks: Mocha.RootHookObject = {
	beforeEach(this: Mocha.Context) {
		current = this.currentTest;
	},
	async afterEach() {
		for (const workbench of openWorkbenches) await showFailure(workbench);
		current = undefined;
	},
	async afterAll() {
		// A suite that failed in its set-up may have left an editor open.
		for (const workbench of openWorkbenches) await workbench.close();
	},
};

// Some suites close theirs behind each test, which comes before the hook above.
doBeforeClose(showFailure);

const shown = new WeakMap<Mocha.Test, number>();

/** Keeps what the failed test had on the screen and what VS Code wrote meanwhile. */
async function showFailure(workbench: Workbench): Promise<void> {
	const test = current;
	if (test?.state !== 'failed') return;
	const index = shown.get(test) ?? 0;
	shown.set(test, index + 1);
	const name = `failed-${test.fullTitle().replace(/[^\w.-]+/g, '-')}`.slice(0, 100);
	const unique = index > 0 ? `${name}-${index}` : name;
	await mkdir(resultsFolder, { recursive: true });
	// A page that hangs has no picture, but its logs say why.
	await attempt(async () => {
		await cp(workbench.editor.logsDir, join(resultsFolder, `${unique}-logs`), { recursive: true });
	});
	await attempt(async () => {
		say(`    screenshot: ${await workbench.screenshot(unique)}`);
		for (const line of await workbench.onScreen()) say(`    ${line}`);
	});
}

async function attempt(show: () => Promise<void>): Promise<void> {
	try {
		await show();
	} catch (error) {
		say(`    the failure could not be shown: ${String(error)}`);
	}
}
