import assert from 'node:assert/strict';
import { access, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { inspectImage } from '../../src/images/inspect.js';
import { copySample } from '../host/sample.js';
import { closeHarbor, openHarbor, service, workbench } from './harbor.js';
import { Jobs, savedImages } from './jobs';
import { Keys } from './keys';

const keys = new Keys({
	fox: ['easel.generateImage', { prompt: 'a fox at the pier' }],
	boat: ['easel.generateImage', { prompt: 'a boat without a harbor' }],
});

suite('An image that is here and not saved', () => {
	/** Another workspace. */
	let elsewhere: Awaited<ReturnType<typeof copySample>>;

	setup(async () => {
		elsewhere = await copySample('elsewhere');
		await openHarbor({ keyBindings: keys.bindings });
	});

	teardown(async () => {
		await closeHarbor();
		elsewhere?.remove();
	});

	function blocked(): string {
		return path.join(workbench.folder, 'images');
	}

	/** Asks for both images and holds them at the service. */
	async function askForBoth(): Promise<void> {
		await workbench.findCommand('Easel: Generate Image');
		await workbench.page.keyboard.press('Escape');
		service.faults.add({ hold: true, times: 2 });
		await keys.press(workbench, 'fox');
		await service.waitForRequest(1, 'held');
		await keys.press(workbench, 'boat');
		await service.waitForRequest(2, 'held');
	}

	async function openIn(folder: string): Promise<void> {
		await workbench.editor.closeWindow();
		await workbench.editor.openWindow(folder);
	}

	async function openStudio(): Promise<void> {
		await workbench.runCommand('Easel: Open Image Studio');
		await workbench.activeTab('Image Studio').waitFor();
		await cards().first().waitFor();
	}

	function cards(text: string | RegExp = ''): Locator {
		return workbench
			.webview()
			.getByRole('rowgroup')
			.filter({ has: workbench.page.locator('.tile.unsaved') })
			.filter({ hasText: text });
	}

	/** Presses a button of an image that has more than its tile has room for. */
	async function press(text: string, button: string): Promise<void> {
		await cards(text)
			.getByRole('button', { name: /^More about \d+a/ })
			.click();
		await workbench.webview().getByRole('dialog').getByRole('button', { name: button }).click();
	}

	/** Waits for these words in the status bar. */
	async function statusBar(text: string): Promise<void> {
		await workbench.statusBarItem(text).waitFor();
	}

	/** Images of jobs that wait in the storage. */
	async function storedImages(): Promise<string[]> {
		const names = await readdir(new Jobs(workbench).root, { recursive: true });
		return names.filter((name) => path.basename(name) === 'image');
	}

	test('is listed until it is saved or discarded, whichever workspace is open', async () => {
		await askForBoth();
		await writeFile(blocked(), 'a file in the place of the folder');
		service.releaseHeld();
		await statusBar('2 images not saved');
		await openStudio();
		const reason = 'already exists where a folder is needed';
		await cards('a fox at the pier').filter({ hasText: reason }).waitFor();
		await cards('a boat without a harbor').filter({ hasText: reason }).waitFor();
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');

		await workbench.editor.reload();
		await statusBar('2 images not saved');

		await openIn(elsewhere.folder);
		await statusBar('2 images not saved');
		await openStudio();
		await cards('a boat without a harbor')
			.filter({ hasText: `${reason}. The image was made for the folder harbor.` })
			.waitFor();
		await workbench.screenshot('unsaved-elsewhere');
		await press('a fox at the pier', 'Save As…');
		await workbench.waitForQuickInput('Save Image As');
		await workbench.waitForQuickInputText('fox-at-pier.png');
		const saved = path.join(elsewhere.folder, 'rescued.png');
		await workbench.typeInQuickInput(saved);
		await workbench.acceptStep();
		await statusBar('1 image not saved');
		assert.equal((await inspectImage(saved)).format, 'png');
		await cards('a fox').waitFor({ state: 'hidden' });
		assert.equal(await cards().count(), 1);
		assert.equal((await storedImages()).length, 1);

		await press('a boat', 'Discard…');
		await workbench.page.getByText('You paid for it, and no other copy exists.').waitFor();
		await workbench.screenshot('unsaved-discard');
		await workbench.page.getByRole('button', { name: 'Cancel', exact: true }).click();
		await statusBar('1 image not saved');
		await press('a boat', 'Discard…');
		await workbench.page.getByRole('button', { name: 'Discard', exact: true }).click();
		await workbench.statusBarItem('not saved').waitFor({ state: 'hidden' });
		assert.deepEqual(await storedImages(), []);
		assert.equal(await new Jobs(workbench).waitForAllEnded(), 2);

		// In the workspace that they were made for nothing is left to do.
		await rm(blocked());
		await openIn(workbench.folder);
		await workbench.findCommand('Easel: Generate Image');
		assert.equal(await workbench.statusBarItem('not saved').count(), 0);
		await assert.rejects(access(blocked()));
		assert.equal(service.imagesMade, 2);
	});

	test('because its workspace was closed is listed elsewhere, and saved when that is opened', async () => {
		await askForBoth();
		await workbench.editor.closeWindow();
		service.releaseHeld();
		await new Jobs(workbench).waitFor(
			(all) => all.length === 2 && all.every(({ state }) => state.state === 'received'),
			'both images',
		);
		await workbench.editor.openWindow(elsewhere.folder);
		await statusBar('2 images not saved');
		await openStudio();
		await cards('Easel saves this image when you open the folder harbor again.').nth(1).waitFor();
		await workbench.screenshot('unsaved-workspace-closed');
		assert.deepEqual(await savedImages(workbench), []);
		await openIn(workbench.folder);
		await workbench.waitForFile('images/fox-at-pier.png');
		await workbench.waitForFile('images/boat-without-harbor.png');
		await workbench.statusBarItem('not saved').waitFor({ state: 'hidden' });
		assert.equal(service.imagesMade, 2);
	});
});
