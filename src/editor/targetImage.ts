import * as vscode from 'vscode';
import { documentImageAt } from './documentImages.js';
import { imageNamePattern } from '../images/fileName.js';

/**
 * Returns the image that a menu names, else the one in front, else the one at the cursor. The
 * context menu of a document names the document, that of a webview none.
 */
export async function targetImage(target: unknown): Promise<vscode.Uri | undefined> {
	const inFront = vscode.window.activeTextEditor?.document.uri.toString();
	return target instanceof vscode.Uri && target.toString() !== inFront
		? target
		: (imageOn(vscode.window.tabGroups.activeTabGroup.activeTab) ?? (await imageAtCursor()));
}

/** The images that a command is given for: all that are selected with the one that a menu names. */
export async function targetImages(
	target: unknown,
	selected: unknown,
): Promise<readonly vscode.Uri[]> {
	const image = await targetImage(target);
	const uris = selectedUris(selected);
	// A right click outside the selection is meant for that one file.
	return image === undefined || uris.some((uri) => uri.toString() === image.toString())
		? uris
		: [image];
}

/** The URIs that a menu passes for a selection. */
export function selectedUris(selected: unknown): vscode.Uri[] {
	const all: unknown[] = Array.isArray(selected) ? selected : [];
	return all.filter((one) => one instanceof vscode.Uri);
}

/** The image that a tab shows; the preview of images is a custom editor. */
export function imageOn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
	return tab?.input instanceof vscode.TabInputCustom ? tab.input.uri : undefined;
}

/** The image at the cursor, if it is one that can be edited. */
export async function imageAtCursor(
	editor = vscode.window.activeTextEditor,
): Promise<vscode.Uri | undefined> {
	if (editor === undefined) {
		return undefined;
	}
	// VS Code reports a change of the text before that of the cursor.
	const position = editor.document.validatePosition(editor.selection.active);
	return editable((await documentImageAt(editor.document, position))?.uri);
}

/** The image itself, if its name is that of one that can be edited. */
export function editable(uri: vscode.Uri | undefined): vscode.Uri | undefined {
	return uri !== undefined && imageNamePattern.test(uri.path) ? uri : undefined;
}
