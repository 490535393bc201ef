// What Easel costs a window in which nobody uses it: `npm run bench:activation`.
// In the real workbench: how long the editor needed to activate it, beside the built-in Git, as its
// list of running extensions says.
import { Workbench } from '../e2e/workbench.js';

const openings = 10;

async function main(): Promise<void> {
	const workbench = await Workbench.open();
	const times: { readonly easel: number; readonly git: number }[] = [];
	try {
		// High enough for the whole list: what is not on the screen is not there.
		await workbench.page.setViewportSize({ width: 1280, height: 3000 });
		for (let opening = 0; opening < openings; opening++) {
			await workbench.reloadWindow();
			await workbench.runCommand('Developer: Show Running Extensions');
			times.push({
				easel: await activationOf(workbench, 'Easel'),
				git: await activationOf(workbench, 'Git'),
			});
		}
	} finally {
		await workbench.close();
	}
	const [easel, git] = [
		median(times.map((each) => each.easel)),
		median(times.map((each) => each.git)),
	];
	process.stdout.write(
		[
			`Activation, median of ${String(openings)} openings (and each)`,
			`Easel  ${String(easel)} ms (${times.map((each) => each.easel).join(', ')})`,
			`Git    ${String(git)} ms (${times.map((each) => each.git).join(', ')})`,
			`ratio  ${(easel / git).toFixed(2)}`,
			'',
		].join('\n'),
	);
}

/** In milliseconds, as the list of running extensions says. */
async function activationOf(workbench: Workbench, name: string): Promise<number> {
	const row = workbench.page
		.locator('.runtime-extensions-editor .extension')
		.filter({ has: workbench.page.locator('.name', { hasText: new RegExp(`^${name}$`) }) });
	const time = row.locator('.activation-time', { hasText: /\d+ms/ });
	await time.waitFor();
	return Number(/(\d+)ms/.exec((await time.textContent()) ?? '')?.[1]);
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

void main();
