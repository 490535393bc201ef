import * as vscode from 'vscode';
import { commandTitles } from '../../editor/commandTable.js';
import { documentLanguages, imageAt } from '../../editor/documentImages.js';
import { imageNamePattern } from '../../editor/images.js';

/** True while the cursor is on an image of a document; menus and the palette go by it. */
const contextKey = 'easel.imageAtCursor';

/** Offers "Edit with Prompt…" where the cursor is on an image of a document. */
export function registerAtCursor(): vscode.Disposable {
	let last: boolean | undefined;
	const update = async (editor: vscode.TextEditor | undefined) => {
		const isOnImage = (await imageAtCursor(editor)) !== undefined;
		if (isOnImage !== last && editor === vscode.window.activeTextEditor) {
			last = isOnImage;
			await vscode.commands.executeCommand('setContext', contextKey, isOnImage);
		}
	};
	return vscode.Disposable.from(
		vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => void update(textEditor)),
		vscode.window.onDidChangeActiveTextEditor((editor) => void update(editor)),
		vscode.languages.registerCodeActionsProvider(
			documentLanguages,
			{ provideCodeActions: (document, range) => actions(document, range) },
			{ providedCodeActionKinds: [vscode.CodeActionKind.RefactorRewrite] },
		),
	);
}

/** The image under the cursor, if it is one that can be edited. */
export async function imageAtCursor(
	editor = vscode.window.activeTextEditor,
): Promise<vscode.Uri | undefined> {
	return editor && editable(await imageAt(editor.document, editor.selection.active));
}

async function actions(
	document: vscode.TextDocument,
	range: vscode.Range,
): Promise<vscode.CodeAction[]> {
	const image = editable(await imageAt(document, range.start));
	if (image === undefined) {
		return [];
	}
	const title = 'Edit This Image with Prompt…';
	const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
	action.command = {
		command: 'easel.editWithPrompt',
		title: commandTitles['easel.editWithPrompt'],
		arguments: [image],
	};
	return [action];
}

function editable(uri: vscode.Uri | undefined): vscode.Uri | undefined {
	return uri !== undefined && imageNamePattern.test(uri.path) ? uri : undefined;
}
