import * as vscode from 'vscode';
import type { CommandContext, Insertion } from './order.js';

/** Longest selection that is offered as the prompt, in UTF-16 code units. */
const longestSelection = 4000;

/**
 * Looks at the active editor. With several workspace folders and no document in one of them, the
 * user is asked; `undefined` means that the question was cancelled.
 */
export async function findCommandContext(
	insertion?: Insertion,
): Promise<CommandContext | undefined> {
	const editor = vscode.window.activeTextEditor;
	const document = editor?.document;
	const selectedText = (document?.getText(editor?.selection) ?? '').slice(0, longestSelection);
	const uri = document?.uri;
	const folders = vscode.workspace.workspaceFolders ?? [];
	let workspaceFolder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
	if (workspaceFolder === undefined && folders.length > 1) {
		workspaceFolder = await vscode.window.showWorkspaceFolderPick({
			placeHolder: 'The workspace folder that gets the image',
		});
		if (workspaceFolder === undefined) {
			return undefined;
		}
	}
	return {
		document: uri,
		insertion,
		selectedText: selectedText.replace(/\s+/g, ' ').trim(),
		workspaceFolder: (workspaceFolder ?? folders[0])?.uri,
	};
}
