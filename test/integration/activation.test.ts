import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandTitles } from '../../src/editor/commandTable.js';

// Its name makes this the first file of the run: later ones use the commands.
suite('activation', () => {
	test('does not happen before a command is used', () => {
		assert.equal(vscode.extensions.getExtension('easel.easel')?.isActive, false);
	});

	test('happens with the first command, and registers exactly those of the table', async () => {
		await vscode.commands.executeCommand('easel.showLog');
		assert.equal(vscode.extensions.getExtension('easel.easel')?.isActive, true);
		const registered = (await vscode.commands.getCommands(true)).filter((id) =>
			id.startsWith('easel.'),
		);
		assert.deepEqual(registered.sort(), Object.keys(commandTitles).sort());
	});
});
