import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandTitles } from '../../src/editor/commandTable.js';

suite('activation', () => {
	test('registers exactly the commands of the table', async () => {
		await vscode.commands.executeCommand('easel.showLog');
		assert.equal(vscode.extensions.getExtension('easel.easel')?.isActive, true);
		const registered = (await vscode.commands.getCommands(true)).filter((id) =>
			id.startsWith('easel.'),
		);
		assert.deepEqual(registered.sort(), Object.keys(commandTitles).sort());
	});
});
