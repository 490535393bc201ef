import * as vscode from 'vscode';
import { notify } from './messages.js';
import { texts } from './texts.js';

/**
 * Resolves when the window has answered. The extension host may go on without one: in a browser
 * whose page has crashed, the call is not answered before the page is there again.
 */
export async function ping(): Promise<void> {
	// A command of the window itself, of which nothing is seen.
	await vscode.commands.executeCommand('setContext', 'easel.windowAnswers', true);
}

/** Says why the window has to be started anew, which a button does, with what is open in it. */
export async function offerReload(why: string): Promise<void> {
	const run = async () => {
		await vscode.commands.executeCommand('workbench.action.reloadWindow');
	};
	await notify('warning', why, [{ label: texts.reloadWindow, run }]);
}
