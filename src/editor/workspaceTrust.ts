import * as vscode from 'vscode';
import { choose } from './messages.js';

const generateHere = 'Generate Here';
const manageTrust = 'Manage Workspace Trust';

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
	const answer = await choose(
		'Generate images in a workspace that you do not trust?',
		[
			'This window is in Restricted Mode, so only your own settings count here. Prompts and reference images are sent to your image service, each image may be charged, and images and their links are written into this workspace. Look at what you take from it.',
		],
		generateHere,
		manageTrust,
	);
	if (answer === manageTrust) {
		await vscode.commands.executeCommand('workbench.trust.manage');
	}
	isAllowed = answer === generateHere;
	return isAllowed;
}
