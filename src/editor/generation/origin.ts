import * as vscode from 'vscode';
import type { Insertion } from './insertion.js';

/** Where the command was given: what it means for the image's place and for its references. */
export interface Origin {
	/** The document of the text editor in front; it may be untitled. */
	readonly document: vscode.Uri | undefined;
	/** Where the reference goes, if it goes anywhere by itself. */
	readonly insertion?: Insertion | undefined;
	readonly selectedText: string;
	readonly workspaceFolder: vscode.Uri | undefined;
}

/** Longest selection that is offered as the prompt, in UTF-16 code units. */
const longestSelection = 4000;

/**
 * Looks at the active editor. With several workspace folders and no document in one of them, the
 * user is asked; `undefined` means that the question was cancelled.
 */
export async function findOrigin(insertion?: Insertion): Promise<Origin | undefined> {
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
