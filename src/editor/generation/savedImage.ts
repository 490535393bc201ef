import * as vscode from 'vscode';
import { altText } from '../../documents/altText.js';
import { markdownImage } from '../../documents/markdown.js';
import { referenceText, relativeReference } from '../../documents/reference.js';
import type { Origin } from './origin.js';
import type { SavedImage } from './report.js';

/** Opens an image in the editor that VS Code has for it. */
export async function openImage(uri: vscode.Uri): Promise<void> {
	await vscode.commands.executeCommand('vscode.open', uri);
}

/** Shows where the image lies: in the explorer, or outside the workspace in the system's own. */
export async function revealImage(uri: vscode.Uri): Promise<void> {
	const inWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
	await vscode.commands.executeCommand(inWorkspace ? 'revealInExplorer' : 'revealFileInOS', uri);
}

/** Copies the reference as the document needs it from which the command came. */
export async function copyReference(saved: SavedImage, origin: Origin): Promise<void> {
	const root = origin.workspaceFolder;
	// Without a document the reference fits one that lies at the top of the workspace folder.
	const from = origin.document ?? (root && vscode.Uri.joinPath(root, 'README.md')) ?? saved.uri;
	await vscode.env.clipboard.writeText(referenceFrom(from, saved));
	vscode.window.setStatusBarMessage('$(check) Easel: the Markdown reference is copied', 4000);
}

/**
 * Inserts the reference at the cursor of the document that is in front, in one undo step that
 * takes back the reference alone. Where no document is open, the reference is copied instead.
 */
export async function insertReference(saved: SavedImage, origin: Origin): Promise<void> {
	const editors = vscode.window.visibleTextEditors.filter(({ document }) => isDocument(document));
	const editor =
		editors.find((one) => one === vscode.window.activeTextEditor) ??
		editors.find(({ document }) => document.uri.toString() === origin.document?.toString()) ??
		editors[0];
	if (editor === undefined) {
		await copyReference(saved, origin);
		return;
	}
	const { document } = editor;
	const root = origin.workspaceFolder;
	const from = document.isUntitled && root ? vscode.Uri.joinPath(root, 'README.md') : document.uri;
	const snippet = new vscode.SnippetString().appendText(referenceFrom(from, saved));
	await editor.insertSnippet(snippet);
	await vscode.window.showTextDocument(document, { viewColumn: editor.viewColumn });
}

function referenceFrom(document: vscode.Uri, { uri, prompt }: SavedImage): string {
	const path = relativeReference(document, uri);
	return referenceText(markdownImage({ path, alt: altText(prompt) }));
}

/** Text that a person writes; outputs and the like are text editors too. */
function isDocument({ uri }: vscode.TextDocument): boolean {
	return ['file', 'untitled', 'vscode-vfs', 'vscode-remote'].includes(uri.scheme);
}
