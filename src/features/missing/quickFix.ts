import * as vscode from 'vscode';
import { commandTitles } from '../../editor/commandTable.js';
import { missingInDocument } from './collect.js';
import { isObstructed, obstacleWords } from './obstacle.js';

const title = 'Generate Image from Its Alt Text…';

/** The quick fix on an image of a document whose file does not exist. */
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
	const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	// That of the built-in link validation, where it is on.
	action.diagnostics = context.diagnostics.filter(({ source }) => source === 'markdown');
	if (isObstructed(image)) {
		action.disabled = { reason: obstacleWords(image) };
	} else {
		action.command = {
			command: 'easel.generateMissingImages',
			title: commandTitles['easel.generateMissingImages'],
			arguments: [document.uri, image.path],
		};
	}
	return [action];
}
