// What happens around the end-to-end tests, in each process that runs some of them.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbenches, resultsFolder, type Workbench } from '../e2e/workbench';
import { say } from './cache';

export const mochaHooks: Mocha.RootHookObject = {
	beforeAll(this: Mocha.Context) {
		// Of this hook itself: what is imported may be another copy of Mocha.
		const hooks = Object.getPrototypeOf(this.test) as Mocha.Hook;
		showFailures(Object.getPrototypeOf(hooks) as Mocha.Runnable);
	},
	async afterAll() {
		// A suite that failed in its set-up may have left an editor open.
		for (const workbench of openWorkbenches) await workbench.close();
	},
};

let areShown = false;

/**
 * Mocha's own hooks come too late for a suite that fails in its set-up, or closes its editor behind
 * each test.
 *
 * @param all what tests and hooks have in common
 */
function showFailures(all: Mocha.Runnable): void {
	if (areShown) return;
	areShown = true;
	const run = Reflect.get(all, 'run') as (this: Mocha.Runnable, done: Mocha.Done) => void;
	all.run = function (done = () => undefined) {
		run.call(this, (error?: unknown) => {
			if (error) void showFailure(this.fullTitle(), error).then(() => done(error));
			else done();
		});
	};
}

const shown = new Map<string, number>();

/**
 * Keeps what the failed test or hook has on the screen, and what VS Code wrote meanwhile. The words on
 * the screen join the error's: what is printed last is all that some see of a run.
 */
async function showFailure(title: string, error: unknown): Promise<void> {
	for (const workbench of openWorkbenches) {
		const name = `failed-${title.replace(/[^\w.-]+/g, '-')}`.slice(0, 100);
		const index = shown.get(name) ?? 0;
		shown.set(name, index + 1);
		const lines = await show(workbench, index > 0 ? `${name}-${index}` : name);
		if (error instanceof Error) error.message = [error.message, ...lines].join('\n    ');
	}
}

/** Returns the words on the screen. */
async function show(workbench: Workbench, name: string): Promise<readonly string[]> {
	const lines: string[] = [];
	await mkdir(resultsFolder, { recursive: true });
	// A page that hangs has no picture, but its logs say why.
	await attempt(async () => {
		await cp(workbench.editor.logsDir, join(resultsFolder, `${name}-logs`), { recursive: true });
	});
	await attempt(async () => {
		say(`    screenshot: ${await workbench.screenshot(name)}`);
		lines.push(...(await workbench.onScreen()));
	});
	return lines;
}

async function attempt(show: () => Promise<void>): Promise<void> {
	try {
		await show();
	} catch (error) {
		say(`    the failure could not be shown: ${String(error)}`);
	}
}
