import * as vscode from 'vscode';
import { log } from '../log.js';

/** Returns the column beside the one in front; a third one would leave no room for any of them. */
export function columnBeside(): vscode.ViewColumn {
	const { all, activeTabGroup } = vscode.window.tabGroups;
	return all.find((group) => group !== activeTabGroup)?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** The column for a document: where it is open already; not over a panel of ours in front. */
export function columnFor(uri: vscode.Uri): vscode.ViewColumn {
	const { all, activeTabGroup } = vscode.window.tabGroups;
	const open = all.find(({ tabs }) =>
		tabs.some(
			({ input }) =>
				input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
		),
	);
	const isPanel = activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
	return open?.viewColumn ?? (isPanel ? columnBeside() : activeTabGroup.viewColumn);
}

/** Remembers the text editor in front; returns what gives it the keyboard back, if it is still open. */
export function rememberEditor(): () => void {
	const { document, viewColumn } = vscode.window.activeTextEditor ?? {};
	return () => {
		const shown =
			document === undefined || document.isClosed
				? // After a reload it is not known; what comes in front has the keyboard then.
					vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup')
				: vscode.window.showTextDocument(document, viewColumn);
		shown.then(undefined, (error: unknown) =>
			log.error('The editor could not be shown again', error),
		);
	};
}
