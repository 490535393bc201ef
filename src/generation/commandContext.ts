import * as vscode from 'vscode';
import { promptLanguage, sentLanguage } from '../documents/languages.js';
import { readSetting, settingOr } from '../editor/settings.js';
import type { Insertion } from '../jobs/request.js';
import type { CommandContext } from './draft.js';
import { openDocument } from './writing.js';
import { phrases } from './messages.js';

/**
 * Looks at the active editor. With several workspace folders and no document in one of them, the
 * user is asked; `undefined` means that the question was cancelled.
 */
export async function findCommandContext(
	insertion?: Insertion,
): Promise<CommandContext | undefined> {
	const uri = documentInFront()?.uri;
	const folders = vscode.workspace.workspaceFolders ?? [];
	let workspaceFolder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
	if (workspaceFolder === undefined && folders.length > 1) {
		workspaceFolder = await vscode.window.showWorkspaceFolderPick({
			placeHolder: phrases.workspaceFolder,
		});
		if (workspaceFolder === undefined) {
			return undefined;
		}
	}
	return {
		document: uri,
		insertion,
		workspaceFolder: (workspaceFolder ?? folders[0])?.uri,
	};
}

/** The document in front; a prompt that is written in an editor is none. */
export function documentInFront(): vscode.TextDocument | undefined {
	const document = vscode.window.activeTextEditor?.document ?? documentInMarkdownEditor();
	return document?.languageId === promptLanguage || isAboutImages(document) ? undefined : document;
}

/** The document in VS Code's own Markdown editor or preview: no text editor, without a cursor. */
function documentInMarkdownEditor(): vscode.TextDocument | undefined {
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	return input instanceof vscode.TabInputCustom && input.viewType.startsWith('vscode.markdown.')
		? openDocument(input.uri)
		: undefined;
}

/** Whether a document says how images are made, so that none is to stand in it. */
export function isAboutImages(document: vscode.TextDocument | undefined): boolean {
	if (document === undefined) {
		return false;
	}
	const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
	const guide = folder && settingOr(() => readSetting('style.file', folder));
	return (
		document.languageId === sentLanguage ||
		(folder !== undefined &&
			guide !== undefined &&
			vscode.Uri.joinPath(folder, guide.replaceAll('\\', '/')).path === document.uri.path)
	);
}
