import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { saveDocument } from '../../src/editor/saveDocument.js';
import { PromptEditor } from '../../src/asking/promptEditor.js';
import { drawPng } from './images.js';
import { ShownMessages } from './shownMessages.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';

suite('A document of which another save is under way', () => {
	useStorage();

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await remove('saved');
		await remove('.easel');
	});

	async function open(text: string, ...names: string[]): Promise<vscode.TextDocument> {
		const file = inRoot(...names);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, text);
		return vscode.workspace.openTextDocument(file);
	}

	async function type(document: vscode.TextDocument, text: string): Promise<void> {
		const edit = new vscode.WorkspaceEdit();
		edit.insert(document.uri, new vscode.Position(0, 0), text);
		assert.ok(await vscode.workspace.applyEdit(edit));
	}

	/**
	 * Types, begins a save, as VS Code itself does a moment later, and does the work while an extension
	 * takes part in that save which is never done: VS Code goes on after 1.75 s. Resolves when the save
	 * has ended.
	 */
	async function whileSaving(
		document: vscode.TextDocument,
		text: string,
		work: () => PromiseLike<unknown>,
	): Promise<void> {
		const begun = Promise.withResolvers<void>();
		const takesPart = vscode.workspace.onWillSaveTextDocument((event) => {
			if (event.document === document) {
				event.waitUntil(new Promise(() => undefined));
				begun.resolve();
			}
		});
		await type(document, text);
		// Where VS Code has begun one already, this does nothing.
		const saving = document.save();
		await begun.promise;
		takesPart.dispose();
		await work();
		await saving;
	}

	rare('is saved when that one has ended', async () => {
		const document = await open('at sea', 'saved', 'note.md');
		await whileSaving(document, 'A fox ', async () => {
			assert.ok(await saveDocument(document));
			assert.equal(await readFile(document.fileName, 'utf8'), 'A fox at sea');
		});
	});

	rare('is not called saved where the file has become another one', async () => {
		const document = await open('at sea', 'saved', 'note.md');
		await type(document, 'A fox ');
		await writeFile(document.fileName, 'another program has written this');
		assert.equal(await saveDocument(document), false);
		assert.equal(await readFile(document.fileName, 'utf8'), 'another program has written this');
		await vscode.window.showTextDocument(document);
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});

	rare('does not come back where it is a prompt whose image was asked for', async () => {
		const prompts = new PromptEditor(storage);
		await prompts.begin({
			operation: 'generate',
			prompt: 'at sea',
			size: '1024x1024',
			count: 1,
			references: [],
			workspaceFolder: root().toString(),
		});
		const { document } = vscode.window.activeTextEditor!;
		await whileSaving(document, 'A fox ', () => prompts.end(document));
		assert.deepEqual(await prompts.list(), []);
		await assert.rejects(readFile(document.fileName), { code: 'ENOENT' });
		prompts.dispose();
	});

	rare(
		'gets another reference image where it is the style guide, and no failure is reported',
		async () => {
			const guide = await open('Flat', '.easel', 'style.md');
			await mkdir(inRoot('saved'), { recursive: true });
			await writeFile(inRoot('saved', 'quay.png'), await drawPng('a quay', 1_000_000));
			const messages = new ShownMessages(['showErrorMessage', 'showInformationMessage']);
			const image = vscode.Uri.joinPath(root(), 'saved/quay.png');
			try {
				await whileSaving(guide, 'Warm colors. ', () =>
					vscode.commands.executeCommand('easel.useAsStyle', image),
				);
			} finally {
				messages.dispose();
			}
			assert.match(messages.texts.join(), /^saved\/quay\.png is now part of the style guide/);
			assert.match(
				await readFile(guide.fileName, 'utf8'),
				/saved\/quay\.png[^]*Warm colors\. Flat/,
			);
		},
	);
});
