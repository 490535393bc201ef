import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { revealFolderOrFile, revealImage } from '../../src/generation/savedImage.js';
import { inRoot, remove } from './workspace.js';

suite('Where a file lies', () => {
	let outside: string;
	/** A browser cannot open the folders of the machine that it is connected to. */
	const hasFolders = vscode.env.uiKind === vscode.UIKind.Desktop;

	setup(async () => {
		outside = await mkdtemp(path.join(tmpdir(), 'easel-outside-'));
		await writeFile(path.join(outside, 'a b.png'), '');
		await writeFile(inRoot('inside.png'), '');
		await vscode.env.clipboard.writeText('as it was');
	});

	teardown(async () => {
		await vscode.commands.executeCommand('notifications.clearAll');
		await rm(outside, { recursive: true, maxRetries: 10 });
		await remove('inside.png');
	});

	for (const [what, reveal, name] of [
		['an image outside the workspace', revealImage, 'a b.png'],
		['a folder', revealFolderOrFile, ''],
	] as const) {
		test(`is shown, or its path copied where that is impossible: ${what}`, async () => {
			const file = path.join(outside, name);
			await reveal(vscode.Uri.file(file));
			const copied = await vscode.env.clipboard.readText();
			assert.equal(copied, hasFolders ? 'as it was' : file);
		});
	}

	test('is copied as a URI where it is no file of this machine', async () => {
		await revealFolderOrFile(vscode.Uri.parse('memfs:/a b/c.png'));
		assert.equal(await vscode.env.clipboard.readText(), 'memfs:/a b/c.png');
	});

	test('is shown in the explorer where it lies in the workspace', async () => {
		await revealImage(vscode.Uri.file(inRoot('inside.png')));
		assert.equal(await vscode.env.clipboard.readText(), 'as it was');
	});
});
