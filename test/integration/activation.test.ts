import assert from 'node:assert/strict';
import { Module } from 'node:module';
import path from 'node:path';
import * as vscode from 'vscode';
import { rare } from '../host/rare';
import { until } from '../host/until.js';
import { codeActionsAt } from './codeActions.js';
import { setSetting } from './workspace.js';

/** The bundles of ours that the extension host has loaded. */
function loadedBundles(): string[] {
	const { extensionPath } = vscode.extensions.getExtension('easel.easel')!;
	const cache = (Module as unknown as { _cache: Record<string, unknown> })._cache;
	return Object.keys(cache)
		.filter((file) => path.dirname(file) === path.join(extensionPath, 'dist'))
		.map((file) => path.basename(file))
		.sort();
}

// The first file of all: what another test uses stays loaded.
suite('activation', () => {
	test('loads the entry alone until the pointer is where an image may be, and no check that is off', async () => {
		await setSetting('easel.check.onOpen', false);
		await vscode.extensions.getExtension('easel.easel')!.activate();
		const content = '# Harbor\n\nA quiet place: see (below).\n\n![a boat](boat.png)\n';
		const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
		await vscode.window.showTextDocument(document);
		const ask = async (line: number, character: number) => {
			const at = [document.uri, new vscode.Position(line, character)] as const;
			await vscode.commands.executeCommand('vscode.executeHoverProvider', ...at);
			await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', ...at);
			await codeActionsAt(document, at[1]);
		};
		await ask(2, 20);
		assert.deepEqual(loadedBundles(), ['extension.js']);
		await ask(4, 12);
		assert.deepEqual(loadedBundles(), ['extension.js', 'main.js']);
		await setSetting('easel.check.onOpen', undefined);
		await until(
			() => loadedBundles().includes('checkDiagnostics.js'),
			'the check of open documents',
		);
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
	});

	rare('takes no key of VS Code and its own extensions on this system', async () => {
		const { keybindings } = (
			vscode.extensions.getExtension('easel.easel')!.packageJSON as {
				contributes: { keybindings: { key: string; command: string }[] };
			}
		).contributes;
		const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
		const defaults = (await vscode.workspace.openTextDocument(uri)).getText();
		const others = (key: string) =>
			[...defaults.matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g)]
				.filter(([, taken, command]) => taken === key && !command?.startsWith('easel.'))
				.map(([, , command]) => command);
		assert.ok(others('ctrl+enter').length + others('cmd+enter').length > 0, 'the keys are read');
		// Ctrl+Enter is that of a prompt in an editor alone.
		for (const { key, command } of keybindings.filter((one) => one.key !== 'ctrl+enter')) {
			assert.deepEqual(others(key), [], command);
		}
	});
});
