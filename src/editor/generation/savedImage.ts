import * as vscode from 'vscode';

/** Opens an image in the editor that VS Code has for it. */
export async function openImage(uri: vscode.Uri): Promise<void> {
	await vscode.commands.executeCommand('vscode.open', uri);
}

/** Shows where the image lies: in the explorer, or outside the workspace in the system's own. */
export async function revealImage(uri: vscode.Uri): Promise<void> {
	const inWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
	await vscode.commands.executeCommand(inWorkspace ? 'revealInExplorer' : 'revealFileInOS', uri);
}
