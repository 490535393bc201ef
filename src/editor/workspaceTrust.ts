import * as vscode from 'vscode';
import { choose } from './messages.js';
import { texts } from './texts.js';

const { generateHere, manageTrust } = texts;

/** Whether a person wants images in this window although its workspace is not trusted. */
let isAllowed = false;

/**
 * Asks before the first image of a window in Restricted Mode. Nothing of such a workspace steers
 * Easel, but its texts and images may have been put there to be sent.
 *
 * @returns whether images may be made here; in a trusted workspace nobody is asked
 */
export async function mayGenerateHere(): Promise<boolean> {
	if (isAllowed || vscode.workspace.isTrusted) {
		return true;
	}
	const answer = await choose(texts.untrusted, [texts.untrustedDetail], generateHere, manageTrust);
	if (answer === manageTrust) {
		await vscode.commands.executeCommand('workbench.trust.manage');
	}
	isAllowed = answer === generateHere;
	return isAllowed;
}
