import * as vscode from 'vscode';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { commandTitles } from '../../editor/commandTable.js';
import { missingInDocument } from './collect.js';

const title = 'Generate Image from Its Alt Text…';

const reasons: Record<NonNullable<MissingImage['obstacle']>, string> = {
	format: 'The name does not end in .png, and the service makes PNG images.',
	outside: 'The path leaves the workspace folder.',
	name: 'No file can have a name like this here.',
};

/** The quick fix on an image of a document whose file does not exist. */
export async function quickFixes(
	document: vscode.TextDocument,
	range: vscode.Range,
	context: vscode.CodeActionContext,
): Promise<vscode.CodeAction[]> {
	const offset = document.offsetAt(range.start);
	const image = (await missingInDocument(document)).find(
		({ reference: { span } }) => span.start <= offset && offset <= span.end,
	);
	if (image === undefined) {
		return [];
	}
	const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	// That of the built-in link validation, where it is on.
	action.diagnostics = context.diagnostics.filter(({ source }) => source === 'markdown');
	if (image.obstacle === undefined) {
		action.command = {
			command: 'easel.generateMissingImages',
			title: commandTitles['easel.generateMissingImages'],
			arguments: [document.uri, image.path],
		};
	} else {
		action.disabled = {
			reason:
				image.obstacle === 'outside' &&
				vscode.workspace.getWorkspaceFolder(document.uri) === undefined
					? 'The path leaves the folder of the document.'
					: reasons[image.obstacle],
		};
	}
	return [action];
}
