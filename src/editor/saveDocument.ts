import * as vscode from 'vscode';
import { occurs } from './events.js';

/** VS Code gives all extensions 1.75 s to take part in a save; formatting comes on top of that. */
const otherSaveTimeoutMs = 5000;

/**
 * Saves a document. VS Code answers its own `save` at once, with `false`, where another save
 * (mostly the automatic one) waits for those that take part in it. Here that save is waited for.
 *
 * @returns whether the file has what the document holds
 * @throws where the document has been closed
 */
export async function saveDocument(document: vscode.TextDocument): Promise<boolean> {
	const otherSave = occurs(
		vscode.workspace.onDidSaveTextDocument,
		otherSaveTimeoutMs,
		(saved) => saved === document,
	);
	if (await document.save()) {
		return true;
	}
	await (document.isDirty ? otherSave : undefined);
	return document.save();
}
