import * as vscode from 'vscode';
import { extensionId } from './extensionId.js';
import { runDetached } from './messages.js';

/**
 * Steps of the walkthrough. Each is ticked off by doing it, in whatever way.
 */
type Step = 'setUp' | 'generate' | 'insert' | 'edit';

const done = new Set<Step>();

/** Marks a step as done. The editor remembers it from window to window. */
export function stepDone(step: Step): void {
	if (!done.has(step)) {
		done.add(step);
		runDetached(vscode.commands.executeCommand('setContext', `easel.did.${step}`, true));
	}
}

/** Opens the walkthrough, at its first step that is not done. */
export async function openWalkthrough(): Promise<void> {
	await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`);
}
