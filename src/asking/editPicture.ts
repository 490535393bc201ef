import * as vscode from 'vscode';
import { asReferences } from '../editor/imageRequest.js';
import { inspectUri } from '../editor/images.js';
import { nearestOffered } from '../editor/service.js';
import { runRequestCommand } from './requestCommands.js';

/**
 * Opens the question for an edit with this prompt, which says what it costs before anything is sent.
 *
 * @param document in front of which it is
 */
export async function editPicture(
	image: vscode.Uri,
	prompt: string,
	document: vscode.Uri | undefined,
): Promise<void> {
	const dimensions = await inspectUri(image);
	await runRequestCommand('change', 'edit', {
		operation: 'edit',
		prompt,
		size: nearestOffered(dimensions),
		count: 1,
		references: asReferences([image]),
		document: document?.toString(),
		workspaceFolder: vscode.workspace.getWorkspaceFolder(image)?.uri.toString(),
	});
}
