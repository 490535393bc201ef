import * as vscode from 'vscode';

/**
 * Resolves when the window has answered. The extension host may go on without one: in a browser
 * whose page has crashed, the call is not answered before the page is there again.
 */
export async function windowAnswers(): Promise<void> {
	// A command of the window itself, of which nothing is seen.
	await vscode.commands.executeCommand('setContext', 'easel.windowAnswers', true);
}

/** Starts the window anew, with what is open in it. */
export async function reloadWindow(): Promise<void> {
	await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
