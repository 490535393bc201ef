import * as assert from 'node:assert/strict';
import { Workbench, type Theme } from './workbench';

suite('the workbench with the packaged extension', () => {
	let workbench: Workbench;

	suiteSetup(async () => {
		workbench = await Workbench.open();
	});

	suiteTeardown(() => workbench?.close());

	test('shows the folder', async () => {
		const rows = await workbench.explorerRows();
		assert.deepEqual(
			rows.filter((row) => row.trim()).map((row) => row.trim()),
			['docs', 'README.md'],
		);
	});

	for (const theme of ['light', 'dark', 'highContrast'] satisfies Theme[]) {
		test(`offers the command in the palette, ${theme}`, async () => {
			await workbench.setTheme(theme);
			await workbench.findCommand('Easel: Generate Image');
			await workbench.screenshot(`palette-${theme}`);
			await workbench.page.keyboard.press('Escape');
		});
	}

	test('opens a file and its context menu', async () => {
		await workbench.openFile('docs/architecture.md');
		await workbench.contextMenu(workbench.explorerRow('README.md'), 'Open to the Side');
		await workbench.waitForText('README.md');
	});

	test('gets a new extension host after the old one was killed', async () => {
		const killed = await workbench.editor.killExtensionHost();
		let now = killed;
		while (now === killed) now = await workbench.editor.extensionHostPid();
		await workbench.findCommand('Easel: Generate Image');
		await workbench.page.keyboard.press('Escape');
	});

	test('comes back after a reload and after a restart', async () => {
		await workbench.editor.reload();
		await workbench.findCommand('Easel: Generate Image');
		await workbench.editor.restart();
		await workbench.findCommand('Easel: Generate Image');
		await workbench.page.keyboard.press('Escape');
	});
});
