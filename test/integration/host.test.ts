import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';

suite('the extension host', () => {
	test('is a real VS Code of the version that the manifest asks for', () => {
		const [major, minor] = vscode.version.split('.').map(Number);
		assert.equal(major, 1);
		assert.ok(minor! >= 106, vscode.version);
	});

	test('activates the extension and registers its commands', async () => {
		const extension = vscode.extensions.getExtension('easel.easel');
		assert.ok(extension, 'the extension is not there');
		await extension.activate();
		assert.equal(extension.isActive, true);
		assert.ok((await vscode.commands.getCommands(true)).includes('easel.generateImage'));
	});

	test('works in a real folder', async () => {
		const folder = vscode.workspace.workspaceFolders![0]!.uri;
		const file = vscode.Uri.joinPath(folder, 'notes.txt');
		await vscode.workspace.fs.writeFile(file, Buffer.from('low tide at six'));
		assert.equal(existsSync(join(folder.fsPath, 'notes.txt')), true);
	});
});
