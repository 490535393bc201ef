import * as vscode from 'vscode';

/** The one place where VS Code is given commands; what they throw has to be fit to be shown. */
export function giveCommand(
	id: string,
	handler: (...args: unknown[]) => Promise<unknown>,
): vscode.Disposable {
	return vscode.commands.registerCommand(id, handler);
}
