import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { besideText } from '../../src/recipes/beside.js';
import { readProvenance } from '../../src/recipes/provenance.js';
import { writeWithRecipe } from '../../src/recipes/rewrite.js';
import { copySample } from '../host/sample.js';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import { signPng } from '../service/png.js';
import { startImageService, type ImageService } from '../service/server.js';
import { recipe } from '../unit/recipes/pngs.js';
import { waitForBytes, Workbench } from './workbench.js';

const key = 'e2e-recipes-key-41b7';
const show = 'How Was This Image Made?';

suite('How an image was made', () => {
	let service: ImageService;
	let sample: Awaited<ReturnType<typeof copySample>>;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, pictures: 'small' });
		sample = await copySample();
		await mkdir(file(''));
		const drawn = await drawPicture({
			...{ prompt: 'a boat', size: '1024x1024', references: [], small: true },
		});
		await writeFile(file('bare.png'), drawn);
		const parents = [{ sha256: 'a'.repeat(64), path: 'bare.png' }];
		await writeWithRecipe(file('bare.png'), file('boat.png'), { ...recipe, parents });
		await writeWithRecipe(file('bare.png'), file('plain.png'), recipe);
		await writeFile(file('signed.png'), signPng(await readFile(file('plain.png'))));
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: {
				'easel.service.address': service.address,
			},
			env: { EASEL_API_KEY: key },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	setup(async () => {
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	function file(name: string): string {
		return path.join(sample.folder, 'made', name);
	}

	const has = async (name: string) => (await readProvenance(file(name))).recipe !== undefined;

	/** Opens the list for an image in front, by the palette alone. */
	async function showFor(name: string): Promise<string[]> {
		await workbench.openFile(`made/${name}`);
		await workbench.webview().locator('img').waitFor();
		await workbench.runCommand(`Easel: ${show}`);
		await workbench.waitForQuickInput('Enter copies a fact or runs an action');
		return workbench.quickPickItems();
	}

	test('is in the menus of the explorer: for an image, and the removal for a folder too', async () => {
		await workbench.openFile('made/boat.png');
		await workbench.contextMenu(workbench.explorerRow('boat.png'), show);
		await workbench.waitForQuickInput('Enter copies a fact or runs an action');
		await workbench.dismissEverything();
		const ofFolder = await workbench.contextMenuItems(workbench.explorerRow('made'));
		assert.ok(
			ofFolder.includes('Remove Prompt from File…') && !ofFolder.includes(show),
			ofFolder.join(),
		);
		const ofDocument = await workbench.contextMenuItems(workbench.explorerRow('README.md'));
		assert.ok(!ofDocument.includes('Remove Prompt from File…') && !ofDocument.includes(show));
		await workbench.contextMenu(workbench.explorerRow('made'), 'Remove Prompt from File…');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText('Remove the prompt from 2 files?').waitFor();
		await dialog.getByText('1 signed image cannot be changed').waitFor();
		await dialog.getByRole('button', { name: 'Cancel' }).click();
	});

	test('beside an image follows it to another name, which VS Code asks about, and back', async () => {
		await writeFile(file('pier.png'), await readFile(file('bare.png')));
		await writeFile(file('pier.png.json'), besideText(recipe, 'a'.repeat(64)));
		const names = async () =>
			(await readdir(file(''))).filter((name) => /pier|quay/.test(name)).join();
		await workbench.openFile('made/pier.png');
		await workbench.contextMenu(workbench.explorerRow('pier.png'), 'Rename...');
		const name = workbench.page.locator('.explorer-folders-view .monaco-inputbox input');
		await name.fill('quay.png');
		await name.press('Enter');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText('refactoring changes with this file').waitFor();
		await workbench.screenshot('recipes-rename');
		await dialog.getByRole('button', { name: 'OK' }).click();
		await until(async () => (await names()) === 'quay.png,quay.png.json', 'both to be renamed');
		await workbench.explorerRow('quay.png').click();
		await workbench.page.keyboard.press('ControlOrMeta+Z');
		await until(async () => (await names()) === 'pier.png,pier.png.json', 'both to be back');
		await workbench.explorerRow('pier.png').click();
		await workbench.page.keyboard.press('Delete');
		await workbench.screenshot('recipes-delete');
		await dialog.getByRole('button', { name: /Delete|Move to/ }).click();
		await dialog.getByText('refactoring changes with this file').waitFor();
		await dialog.getByRole('button', { name: 'OK' }).click();
		await until(async () => (await names()) === '', 'both to be gone');
	});

	test('leads to the images that it names', async () => {
		await showFor('boat.png');
		await workbench.pickItem('Show Source Images…');
		await workbench.waitForQuickInput('Select an image to open it');
		await workbench.waitForItems(/bare\.png[^]*Source, made\/bare\.png[^]*not found/);
		await workbench.screenshot('recipes-parents');
		await workbench.acceptQuickInput();
		await workbench.activeTab('bare.png').waitFor();
	});

	test('goes from a whole folder, and comes back by Undo', async () => {
		const names = ['boat.png', 'plain.png', 'signed.png'];
		const before = await Promise.all(names.map((name) => readFile(file(name))));
		await workbench.openFile('made/boat.png');
		await workbench.contextMenu(workbench.explorerRow('made'), 'Remove Prompt from File…');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText('Remove the prompt from 2 files?').waitFor();
		await workbench.screenshot('recipes-folder-question');
		await dialog.getByRole('button', { name: 'Remove Prompt from File' }).click();
		await workbench.waitForNotification(
			/Removed the prompt from 2 files\. 1 signed image cannot be changed/,
		);
		await workbench.screenshot('recipes-folder-result');
		assert.deepEqual([await has('boat.png'), await has('plain.png')], [false, false]);
		await workbench.clickNotificationButton('Undo');
		for (const [index, name] of names.entries()) {
			await waitForBytes(file(name), before[index]!);
		}
	});
});
