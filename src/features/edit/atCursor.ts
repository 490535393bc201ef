import * as vscode from 'vscode';
import { commandTitles } from '../../editor/commandTable.js';
import { imageAt } from '../../editor/documentImages.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { uriExists } from '../../editor/files.js';
import { editable, imageAtCursor } from '../../editor/targetImage.js';
import { runDetached } from '../../editor/messages.js';
import { safeProvider } from '../../editor/safeProvider.js';
import { pause } from '../../editor/providers.js';

/** True while the cursor is on an image of a document; menus and the palette go by it. */
const contextKey = 'easel.imageAtCursor';

/** Offers "Edit with Prompt…" where the cursor is on an image of a document. */
export function registerAtCursor(): vscode.Disposable {
	const look = followCursor((isOnImage) =>
		vscode.commands.executeCommand('setContext', contextKey, isOnImage),
	);
	const isInFront = (document: vscode.TextDocument) =>
		document === vscode.window.activeTextEditor?.document;
	look();
	return vscode.Disposable.from(
		look,
		vscode.window.onDidChangeActiveTextEditor(look),
		vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
			if (isInFront(textEditor.document)) {
				look();
			}
		}),
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			if (isInFront(document)) {
				look();
			}
		}),
		// Also where a document in front gets another language.
		vscode.workspace.onDidOpenTextDocument((document) => {
			if (isInFront(document)) {
				look();
			}
		}),
		registerHandler('refactorings', safeProvider('Refactorings', actions)),
	);
}

/**
 * Returns what looks whether the cursor is on an image, and says so where that has changed. It looks
 * when nobody has called it for a moment, so not with every key; once at a time, and what it says last
 * is true of the last call.
 */
function followCursor(
	say: (isOnImage: boolean) => PromiseLike<unknown>,
): (() => void) & vscode.Disposable {
	let said: boolean | undefined;
	let looking = false;
	let outdated = false;
	let failed = false;
	let moving = new vscode.CancellationTokenSource();
	const look = async () => {
		looking = true;
		try {
			do {
				outdated = false;
				const isOnImage = (await imageAtCursor()) !== undefined;
				if (isOnImage !== said) {
					said = isOnImage;
					await say(isOnImage);
				}
			} while (outdated);
		} catch (error) {
			// It is told once, and not with every key.
			if (!failed) {
				failed = true;
				throw error;
			}
		} finally {
			looking = false;
		}
	};
	const lookAfterPause = async ({ token }: vscode.CancellationTokenSource) => {
		if (await pause(token)) {
			outdated = true;
			if (!looking) {
				await look();
			}
		}
	};
	const stop = () => {
		moving.cancel();
		moving.dispose();
	};
	const call = () => {
		stop();
		moving = new vscode.CancellationTokenSource();
		runDetached(lookAfterPause(moving));
	};
	return Object.assign(call, { dispose: stop });
}

async function actions(
	document: vscode.TextDocument,
	range: vscode.Range,
): Promise<vscode.CodeAction[]> {
	const image = editable(await imageAt(document, range.start));
	// What cannot be looked at now may well be there.
	if (image === undefined || !(await uriExists(image).catch(() => true))) {
		return [];
	}
	const title = commandTitles['easel.editWithPrompt'];
	const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
	action.command = { command: 'easel.editWithPrompt', title, arguments: [image] };
	return [action];
}
