import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../host/until.js';
import type { ImageService } from '../service/server.js';
import { closeService, openService } from './service.js';
import { inRoot, remove } from './workspace.js';

const image = '![a fox](../images/a-fox.png)';

suite('The place of an image link', () => {
	let service: ImageService;

	suiteSetup(async () => {
		service = await openService();
		await vscode.commands.executeCommand('easel.generateImage', { prompt: 'a fox', insert: false });
	});

	suiteTeardown(async () => {
		await closeService(service);
		await remove('images');
	});

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('notes');
	});

	let opened = 0;

	/** Opens a new document with this text; `|` is the cursor. */
	async function open(kind: string, marked: string): Promise<vscode.TextEditor> {
		// Each has a name of its own: the editor keeps the text of a closed one for a while.
		opened += 1;
		const name = kind.replace(/(?=\.\w+$)/, String(opened));
		await mkdir(path.dirname(inRoot('notes', name)), { recursive: true });
		await writeFile(inRoot('notes', name), marked.replace('|', ''));
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(inRoot('notes', name)));
		const at = editor.document.positionAt(marked.indexOf('|'));
		editor.selection = new vscode.Selection(at, at);
		return editor;
	}

	/** "Insert Generated Image…", and its first item. */
	async function insert(): Promise<void> {
		let done = false;
		const inserted = Promise.resolve(vscode.commands.executeCommand('easel.insertImage')).finally(
			() => (done = true),
		);
		await until(async () => {
			await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
			return done;
		}, 'the list of images to be answered');
		await inserted;
	}

	function rendered(text: string): Thenable<string> {
		return vscode.commands.executeCommand<string>('markdown.api.render', text);
	}

	test('is behind the image whose alt text is still selected: two pictures, none in the other', async () => {
		const { document } = await open('a.md', 'One place.|\n\nMore.\n');
		await insert();
		const first = vscode.window.activeTextEditor!;
		assert.equal(document.getText(first.selection), 'a fox');
		await insert();
		assert.equal(document.getText(), `One place.\n\n${image}\n\n${image}\n\nMore.\n`);
		const html = await rendered(document.getText());
		assert.equal(html.match(/<p[^>]*><img [^>]*><\/p>/g)?.length, 2, html);
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), `One place.\n\n${image}\n\nMore.\n`);
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), 'One place.\n\nMore.\n');
	});
});
