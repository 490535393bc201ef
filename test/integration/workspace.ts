import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { saveDocument } from '../../src/editor/saveDocument.js';

/** The folder that is open in the editor under test. */
export function root(): vscode.Uri {
	const folder = vscode.workspace.workspaceFolders?.[0];
	if (folder === undefined) {
		throw new Error('No folder is open.');
	}
	return folder.uri;
}

export function inRoot(...names: string[]): string {
	return path.join(root().fsPath, ...names);
}

/** Removes a file or folder, also one into which something still writes. */
export async function remove(...names: string[]): Promise<void> {
	await rm(inRoot(...names), { recursive: true, force: true, maxRetries: 10 });
}

/** Sets a setting and resolves when the editor has taken it. */
export async function setSetting(
	key: string,
	value: unknown,
	target = vscode.ConfigurationTarget.Global,
): Promise<void> {
	await vscode.workspace.getConfiguration().update(key, value, target);
}

/** Forgets the prompts that are being written, as emptying their editors does. */
export async function forgetPrompts(): Promise<void> {
	const isPrompt = ({ languageId }: vscode.TextDocument) => languageId === 'easel-prompt';
	for (const document of vscode.workspace.textDocuments.filter(isPrompt)) {
		const edit = new vscode.WorkspaceEdit();
		edit.delete(document.uri, new vscode.Range(0, 0, document.lineCount, 0));
		await vscode.workspace.applyEdit(edit);
		await saveDocument(document);
	}
}

/**
 * Writes the workspace's settings file as a hostile repository brings it along, and resolves when
 * the editor has read it.
 */
export async function writeWorkspaceSettings(settings: object): Promise<void> {
	// A harmless setting of the same file tells that the file was read.
	const token = crypto.randomUUID();
	const read = Promise.withResolvers<void>();
	const listener = vscode.workspace.onDidChangeConfiguration(() => {
		const found = vscode.workspace.getConfiguration('window').inspect('title')?.workspaceValue;
		if (found === token) {
			read.resolve();
		}
	});
	try {
		await vscode.workspace.fs.writeFile(
			vscode.Uri.joinPath(root(), '.vscode/settings.json'),
			Buffer.from(JSON.stringify({ ...settings, 'window.title': token })),
		);
		await read.promise;
	} finally {
		listener.dispose();
	}
}
