import * as vscode from 'vscode';
import { logFailure } from './messages.js';

/**
 * What documents are asked for while a person types, points or moves the cursor. Whatever fails then
 * is logged and disturbs nobody: VS Code asks again with the next key.
 */
type Provide<Args extends unknown[], T> = (...args: Args) => Promise<T>;

/** Offers what stands under the pointer. */
export function provideHover(
	languages: readonly string[],
	provide: Provide<[vscode.TextDocument, vscode.Position], vscode.MarkdownString | undefined>,
): vscode.Disposable {
	return vscode.languages.registerHoverProvider(languages, {
		provideHover: logging(
			'A hover',
			async (document: vscode.TextDocument, position: vscode.Position) => {
				const text = await provide(document, position);
				return text && new vscode.Hover(text);
			},
		),
	});
}

/** Offers what completes the text at the cursor. */
export function provideCompletions(
	languages: readonly string[],
	triggers: readonly string[],
	provide: Provide<[vscode.TextDocument, vscode.Position], vscode.CompletionItem[]>,
): vscode.Disposable {
	return vscode.languages.registerCompletionItemProvider(
		languages,
		{ provideCompletionItems: logging('Completions', provide) },
		...triggers,
	);
}

/** Offers what can be done about the code at the cursor. */
export function provideCodeActions(
	languages: readonly string[],
	kind: vscode.CodeActionKind,
	provide: Provide<
		[vscode.TextDocument, vscode.Range, vscode.CodeActionContext],
		vscode.CodeAction[]
	>,
): vscode.Disposable {
	return vscode.languages.registerCodeActionsProvider(
		languages,
		{ provideCodeActions: logging('Code actions', provide) },
		{ providedCodeActionKinds: [kind] },
	);
}

function logging<Args extends unknown[], T>(
	what: string,
	provide: Provide<Args, T>,
): Provide<Args, T | undefined> {
	let last: string | undefined;
	return async (...args) => {
		try {
			return await provide(...args);
		} catch (error) {
			// Not with every key.
			if (last !== String(error)) {
				last = String(error);
				logFailure(`${what} could not be offered`, error);
			}
			return undefined;
		}
	};
}
