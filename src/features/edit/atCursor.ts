import * as vscode from 'vscode';
import { commandTitles, type CommandId } from '../../editor/commandTable.js';
import { documentImageAt } from '../../editor/documentImages.js';
import { mayExist } from '../../editor/files.js';
import { registerProvider } from '../../editor/commands.js';
import { runDetached, showError } from '../../editor/messages.js';
import { pause } from '../../editor/providers.js';
import { editable, imageAtCursor } from '../../editor/targetImage.js';
import { masterOf } from '../../library/galleryLookup.js';
import { areModelsOn } from '../../models/languageModels.js';
import type { Services } from '../../services.js';
import { editMessages } from '../messages.js';

/** True while the cursor is on an image of a document; menus and the palette go by it. */
const contextKey = 'easel.imageAtCursor';

/** Offers what can be done with the image of a document that the cursor is on. */
export function registerAtCursor({ gallery, newDrafts }: Services): vscode.Disposable {
	let shown: boolean | undefined;
	let hasFailed = false;
	let latest = new vscode.CancellationTokenSource();
	const look = async ({ token }: vscode.CancellationTokenSource) => {
		// After a pause, so not with every key.
		if (!(await pause(token))) {
			return;
		}
		try {
			const isOnImage = (await imageAtCursor()) !== undefined;
			if (isOnImage !== shown && !token.isCancellationRequested) {
				shown = isOnImage;
				await vscode.commands.executeCommand('setContext', contextKey, isOnImage);
			}
		} catch (error) {
			// It is shown once, and not with every key.
			if (!hasFailed) {
				hasFailed = true;
				showError(error);
			}
		}
	};
	const stop = () => {
		latest.cancel();
		latest.dispose();
	};
	const update = () => {
		stop();
		latest = new vscode.CancellationTokenSource();
		runDetached(look(latest));
	};
	const updateFor = (document: vscode.TextDocument) => {
		if (document === vscode.window.activeTextEditor?.document) {
			update();
		}
	};
	update();
	return vscode.Disposable.from(
		{ dispose: stop },
		vscode.window.onDidChangeActiveTextEditor(update),
		vscode.window.onDidChangeTextEditorSelection(({ textEditor }) =>
			updateFor(textEditor.document),
		),
		vscode.workspace.onDidChangeTextDocument(({ document }) => updateFor(document)),
		// Also where a document in front gets another language.
		vscode.workspace.onDidOpenTextDocument(updateFor),
		registerProvider(
			'refactorings',
			async (
				document: vscode.TextDocument,
				{ start }: vscode.Range,
				context: vscode.CodeActionContext,
			) => {
				const all = await actions(document, start, newDrafts, gallery);
				return hasFixFor(start, context) ? all.filter((one) => !isProposal(one)) : all;
			},
		),
	);
}

/** Returns whether the light bulb has a fix for the alt text of the image at a position. */
function hasFixFor(
	position: vscode.Position,
	{ diagnostics, only }: vscode.CodeActionContext,
): boolean {
	return (
		(only?.contains(vscode.CodeActionKind.QuickFix) ?? true) &&
		diagnostics.some(
			({ code, range }) =>
				(code === 'alt-missing' || code === 'alt-generic') && range.contains(position),
		)
	);
}

function isProposal({ command }: vscode.CodeAction): boolean {
	return command?.command === ('easel.proposeAltText' satisfies CommandId);
}

async function actions(
	document: vscode.TextDocument,
	position: vscode.Position,
	newDrafts: Services['newDrafts'],
	gallery: Services['gallery'],
): Promise<vscode.CodeAction[]> {
	const image = editable((await documentImageAt(document, position))?.uri);
	if (image === undefined || !(await mayExist(image))) {
		return [];
	}
	const withModels = ['easel.proposeAltText', 'easel.checkWords'] as const;
	const actionOf = (title: string, command: CommandId, ...given: readonly vscode.Uri[]) => {
		const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
		action.command = { command, title, arguments: [...given] };
		return action;
	};
	const master = (await masterOf(image, gallery)).toString();
	const ofDrafts = newDrafts.all
		.filter((draft) => draft.type === 'new' && draft.original.toString() === master)
		.map(({ images: [made] }) => vscode.Uri.parse(made.target, true))
		.flatMap((made) => [
			actionOf(editMessages.compareDraft, 'easel.compareImages', image, made),
			actionOf(editMessages.useDraft, 'easel.replaceImage', made),
		]);
	return [
		...ofDrafts,
		...(['easel.editWithPrompt', ...(areModelsOn() ? withModels : [])] as const).map((command) =>
			actionOf(commandTitles[command], command, image),
		),
	];
}
