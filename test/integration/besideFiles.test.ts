import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { besideText } from '../../src/recipes/beside.js';
import { until } from '../host/until.js';
import { png, recipe } from '../unit/recipes/pngs.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';

suite('A recipe beside an image', () => {
	const ours = besideText(recipe, 'a'.repeat(64));

	setup(async () => {
		await mkdir(inRoot('beside', 'deep'), { recursive: true });
		await writeFile(inRoot('beside/fox.png'), png());
		await writeFile(inRoot('beside/fox.png.json'), ours);
	});

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('beside');
	});

	const uri = (name: string) => vscode.Uri.joinPath(root(), 'beside', name);

	async function names(): Promise<string> {
		const entries = await readdir(inRoot('beside'), { recursive: true });
		return entries
			.filter((name) => name !== 'deep')
			.map((name) => name.replaceAll('\\', '/'))
			.sort()
			.join();
	}

	/** Renames and deletes as the explorer does; without a new name the file is deleted. */
	async function move(...moves: readonly (readonly [string, string?])[]): Promise<void> {
		const edit = new vscode.WorkspaceEdit();
		for (const [from, to] of moves) {
			if (to === undefined) {
				edit.deleteFile(uri(from));
			} else {
				edit.renameFile(uri(from), uri(to));
			}
		}
		assert.ok(await vscode.workspace.applyEdit(edit));
	}

	rare('follows it to another name, and back with it by one undo', async () => {
		await move(['fox.png', 'red fox.png']);
		assert.equal(await names(), 'red fox.png,red fox.png.json');
		assert.equal(await readFile(inRoot('beside/red fox.png.json'), 'utf8'), ours);
		await vscode.commands.executeCommand('vscode.open', uri('red fox.png'));
		await vscode.commands.executeCommand('undo');
		await until(async () => (await names()) === 'fox.png,fox.png.json', 'both to be back');
	});

	rare('follows it into another folder', async () => {
		await move(['fox.png', 'deep/fox.png']);
		assert.equal(await names(), 'deep/fox.png,deep/fox.png.json');
	});

	rare('is deleted with it', async () => {
		await move(['fox.png']);
		assert.equal(await names(), '');
	});

	rare('is moved once where both are chosen', async () => {
		await writeFile(inRoot('beside/crow.png'), png());
		await writeFile(inRoot('beside/crow.png.json'), ours);
		await move(
			['fox.png', 'deep/fox.png'],
			['fox.png.json', 'deep/fox.png.json'],
			['crow.png'],
			['crow.png.json'],
		);
		assert.equal(await names(), 'deep/fox.png,deep/fox.png.json');
	});

	rare('stays where its new name is taken, and so does a file that is none', async () => {
		await writeFile(inRoot('beside/crow.png'), png());
		await writeFile(inRoot('beside/crow.png.json'), '{"made by":"another program"}');
		await writeFile(inRoot('beside/deep/fox.png.json'), 'taken');
		await move(['fox.png', 'deep/fox.png'], ['crow.png', 'deep/crow.png']);
		assert.equal(
			await names(),
			'crow.png.json,deep/crow.png,deep/fox.png,deep/fox.png.json,fox.png.json',
		);
		assert.equal(await readFile(inRoot('beside/deep/fox.png.json'), 'utf8'), 'taken');
		await move(['deep/crow.png']);
		await writeFile(inRoot('beside/crow.png'), png());
		await move(['crow.png']);
		assert.match(await names(), /^crow\.png\.json,/, 'what others have written is not deleted');
	});

	rare('stays where the image becomes another kind of file', async () => {
		await move(['fox.png', 'fox.bak']);
		assert.equal(await names(), 'fox.bak,fox.png.json');
	});
});
