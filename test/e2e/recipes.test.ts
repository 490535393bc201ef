import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { besideText } from '../../src/recipes/beside.js';
import { writeWithRecipe } from '../../src/recipes/rewrite.js';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import { signPng } from '../service/png.js';
import { recipe } from '../unit/recipes/pngs.js';
import { file as inFolder, useHarbor, workbench } from './harbor.js';

const show = 'How Was This Image Made?';

suite('How an image was made', () => {
	useHarbor({
		pictures: 'small',
		prepare: async () => {
			await mkdir(file(''));
			const drawn = await drawPicture({
				...{ prompt: 'a boat', size: '1024x1024', references: [], small: true },
			});
			await writeFile(file('bare.png'), drawn);
			const parents = [{ sha256: 'a'.repeat(64), path: 'bare.png' }];
			await writeWithRecipe(file('bare.png'), file('boat.png'), { ...recipe, parents });
			await writeWithRecipe(file('bare.png'), file('plain.png'), recipe);
			await writeFile(file('signed.png'), signPng(await readFile(file('plain.png'))));
		},
	});

	setup(async () => {
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	function file(name: string): string {
		return inFolder('made', name);
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
});
