import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { searchWithProgress } from '../../src/editor/quickInput.js';

/** Looks for images. */
const look = <T>(search: Parameters<typeof searchWithProgress<T>>[2]) =>
	searchWithProgress('Missing Images', 'missing images', search);

suite('searchWithProgress', () => {
	test('closes the list with the search, and the next question stays open', async () => {
		const found = await look((report) => {
			report('8 documents, 3 missing images');
			return Promise.resolve(3);
		});
		assert.equal(found, 3);
		const hidden = Promise.withResolvers<string>();
		const next = vscode.window.createQuickPick();
		next.onDidHide(() => hidden.resolve('hidden'));
		next.onDidAccept(() => hidden.resolve('accepted'));
		next.items = [{ label: 'one' }];
		next.show();
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
		assert.equal(await hidden.promise, 'accepted');
		next.dispose();
	});

	test('ends the search when the list is closed', async () => {
		const found = look(
			(_report, signal) =>
				new Promise<number>((_resolve, reject) => {
					signal.addEventListener('abort', () => reject(new Error('given up')));
				}),
		);
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		assert.equal(await found, undefined);
	});

	test('rejects with the error of the search', async () => {
		await assert.rejects(
			look(() => Promise.reject(new Error('no disk'))),
			/no disk/,
		);
	});
});
