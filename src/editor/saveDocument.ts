import * as vscode from 'vscode';
import { occurs } from './events.js';

/**
 * How long a save that VS Code or another extension has begun is waited for. VS Code gives all
 * extensions together 1.75 s to take part in one; formatting comes on top of that.
 */
const otherSaveTimeoutMs = 5000;

/**
 * Saves a document. VS Code answers its own `save` at once, with `false`, where another save of the
 * document (mostly the automatic one) waits for those that take part in it; the file is written after
 * that. Here that save is waited for.
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
