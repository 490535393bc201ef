import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../host/until.js';

/**
 * Returns the code actions at a position. VS Code cancels the question where a provider is registered
 * meanwhile, as that of the check of open documents is; it is asked again then.
 */
export async function codeActionsAt(
	{ uri }: vscode.TextDocument,
	position: vscode.Position,
	kind?: vscode.CodeActionKind,
): Promise<readonly vscode.CodeAction[]> {
	let actions: readonly vscode.CodeAction[] = [];
	await until(async () => {
		try {
			actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
				'vscode.executeCodeActionProvider',
				uri,
				new vscode.Range(position, position),
				kind?.value,
			);
			return true;
		} catch (error) {
			assert.match(String(error), /^Canceled/);
			return false;
		}
	}, 'the code actions');
	return actions;
}
