import type { Workbench } from '../e2e/workbench.js';

/**
 * Reloads the window and waits until its extensions have started.
 *
 * @param names the titles of extensions that have started
 * @returns how long the editor needed to activate each, in ms, as its list of running extensions says
 */
export async function newWindow(
	workbench: Workbench,
	...names: readonly string[]
): Promise<number[]> {
	const { page } = workbench;
	const usual = page.viewportSize();
	// High enough for the whole list: what is not on the screen is not there.
	await page.setViewportSize({ width: 1280, height: 3000 });
	await workbench.reloadWindow();
	await workbench.runCommand('Developer: Show Running Extensions');
	const activation: number[] = [];
	for (const name of names) {
		activation.push(await activationOf(workbench, name));
	}
	await workbench.runCommand('View: Close All Editors');
	if (usual !== null) {
		await page.setViewportSize(usual);
	}
	return activation;
}

async function activationOf({ page }: Workbench, name: string): Promise<number> {
	const row = page
		.locator('.runtime-extensions-editor .extension')
		.filter({ has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) });
	const time = row.locator('.activation-time', { hasText: /\d+ms/ });
	await time.waitFor();
	return Number(/(\d+)ms/.exec((await time.textContent()) ?? '')?.[1]);
}
