import * as vscode from 'vscode';
import { commandTitles } from '../../editor/commandTable.js';
import { safeText } from '../../editor/untrustedText.js';
import { missingMessages } from '../messages.js';
import { isObstructed, missingInDocument, obstacleWords } from './collect.js';
import { isFixable, linkChange, relativePath } from './fixLinks.js';

/** Among more of them the one that is meant is not found. */
const maxFixes = 5;

/** The quick fixes on an image of a document whose file does not exist: other files come first. */
export async function quickFixes(
	document: vscode.TextDocument,
	range: vscode.Range,
	context: vscode.CodeActionContext,
): Promise<vscode.CodeAction[]> {
	const offset = document.offsetAt(range.start);
	const [image] = await missingInDocument(
		document,
		({ reference: { span } }) => span.start <= offset && offset <= span.end,
	);
	if (image === undefined) {
		return [];
	}
	// That of the built-in link validation, where it is on.
	const diagnostics = context.diagnostics.filter(({ source }) => source === 'markdown');
	const newAction = (words: string) => {
		const action = new vscode.CodeAction(words, vscode.CodeActionKind.QuickFix);
		action.diagnostics = diagnostics;
		return action;
	};
	const actions: vscode.CodeAction[] = [];
	for (const file of image.candidates.slice(0, maxFixes)) {
		const change = await linkChange(document, image, file);
		if (change !== undefined) {
			const action = newAction(missingMessages.fixLinkTo(safeText(relativePath(file))));
			action.edit = new vscode.WorkspaceEdit();
			action.edit.set(document.uri, [change]);
			action.isPreferred = isFixable(image);
			actions.push(action);
		}
	}
	const generate = newAction(missingMessages.generateMissing);
	if (isObstructed(image)) {
		generate.disabled = { reason: obstacleWords(image) };
	} else {
		generate.command = {
			command: 'easel.generateMissingImages',
			title: commandTitles['easel.generateMissingImages'],
			arguments: [document.uri, image.path],
		};
	}
	return [...actions, generate];
}
