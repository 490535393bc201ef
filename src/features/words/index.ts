import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { withErrorMessage } from '../../editor/messages.js';
import { Problems } from '../../editor/problems.js';
import { provideCodeActions } from '../../editor/providers.js';
import type { Services } from '../../generation/services.js';
import { proposeAltText } from './altText.js';
import { checkWords } from './checkWords.js';

/** What a language model says of pictures: an alt text, and whether their words are right. */
export function registerWords(deps: Services): vscode.Disposable {
	const problems = new Problems();
	return vscode.Disposable.from(
		problems,
		registerCommand('easel.proposeAltText', () => withErrorMessage(() => proposeAltText(deps))),
		registerCommand('easel.checkWords', () => withErrorMessage(() => checkWords(problems, deps))),
		provideCodeActions('*', vscode.CodeActionKind.QuickFix, (_document, _range, context) =>
			Promise.resolve(problems.fixes((context as vscode.CodeActionContext).diagnostics)),
		),
	);
}
