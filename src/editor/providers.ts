import * as vscode from 'vscode';
import { logFailure } from './messages.js';
import { pause } from './pause.js';

/**
 * What documents are asked for while a person types, points or moves the cursor. It is looked for
 * when they pause: VS Code cancels what it has asked for with the next key. Whatever fails then is
 * logged and disturbs nobody.
 */
type Provide<Args extends unknown[], T> = (...args: Args) => Promise<T>;

/** Offers what stands under the pointer. */
export function provideHover(
	languages: readonly string[],
	provide: Provide<[vscode.TextDocument, vscode.Position], vscode.MarkdownString | undefined>,
): vscode.Disposable {
	return vscode.languages.registerHoverProvider(languages, {
		provideHover: async (document, position, token) => {
			const text = await inPause('A hover', token, () => provide(document, position));
			return text && new vscode.Hover(text);
		},
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
		{
			provideCompletionItems: (document, position, token) =>
				inPause('Completions', token, () => provide(document, position)),
		},
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
		{
			provideCodeActions: (document, range, context, token) =>
				inPause('Code actions', token, () => provide(document, range, context)),
		},
		{ providedCodeActionKinds: [kind] },
	);
}

/** What could not be offered last, and why: it is not logged again with every key. */
let lastFailure: string | undefined;

async function inPause<T>(
	what: string,
	token: vscode.CancellationToken,
	provide: () => Promise<T>,
): Promise<T | undefined> {
	try {
		return (await pause(token)) ? await provide() : undefined;
	} catch (error) {
		const failure = `${what}: ${String(error)}`;
		if (lastFailure !== failure) {
			lastFailure = failure;
			logFailure(`${what} could not be offered`, error);
		}
		return undefined;
	}
}
