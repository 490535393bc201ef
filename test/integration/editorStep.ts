import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../host/until.js';

/**
 * The editor's own undo or redo, where an image is in front. Once in a hundred times VS Code does not
 * take the command to be meant for the image that it has just opened, whose file was removed and made
 * anew a moment before; opened once more, it does.
 *
 * @param records the folder of what is renamed with each step
 */
export async function editorStep(
	command: 'undo' | 'redo',
	image: vscode.Uri,
	records: string,
): Promise<void> {
	const names = async () => (await readdir(records)).sort().join();
	const before = await names();
	await until(async () => {
		await vscode.commands.executeCommand('vscode.open', image);
		await vscode.commands.executeCommand(command);
		return (await names()) !== before;
	}, `the editor to take a step: ${command}`);
}
