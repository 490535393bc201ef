import * as vscode from 'vscode';
import { occurs } from './events.js';
import { imagePathAt, mayShowImageAt } from './nearImage.js';

/**
 * Provider that is called while the user types, points or moves the cursor. It is looked for when
 * they pause: VS Code cancels what it has asked for with the next key. And only where there can be
 * something: this is asked in every document of these languages, also by those who never use Easel.
 */
type Provide<T> = (document: vscode.TextDocument, ...args: unknown[]) => Promise<T | undefined>;

/** Gives VS Code a command. What its handler throws must be fit to be shown. */
export function registerRawCommand(
	id: string,
	handler: (...args: unknown[]) => Promise<unknown>,
): vscode.Disposable {
	return vscode.commands.registerCommand(id, handler);
}

/** Creates what shows problems of one kind, for the caller to dispose. */
export function problemCollection(kind: string): vscode.DiagnosticCollection {
	return vscode.languages.createDiagnosticCollection(kind);
}

/** Gives a view of the manifest its page. */
export function provideView(
	id: string,
	resolveWebviewView: (...args: unknown[]) => Promise<void>,
): vscode.Disposable {
	return vscode.window.registerWebviewViewProvider(id, { resolveWebviewView });
}

/** Offers what is under the pointer, where that may be an image. */
export function provideHover(
	documents: vscode.DocumentSelector,
	provide: Provide<vscode.MarkdownString>,
): vscode.Disposable {
	return vscode.languages.registerHoverProvider(documents, {
		provideHover: async (document, position, token) => {
			const isWanted = (await pause(token)) && mayShowImageAt(document, position);
			const text = isWanted ? await provide(document, position) : undefined;
			return text && new vscode.Hover(text);
		},
	});
}

/** Offers what completes the path of an image at the cursor. */
export function provideCompletions(
	documents: vscode.DocumentSelector,
	triggers: readonly string[],
	provide: Provide<vscode.CompletionItem[]>,
): vscode.Disposable {
	return vscode.languages.registerCompletionItemProvider(
		documents,
		{
			provideCompletionItems: async (document, position, token) =>
				(await pause(token)) && imagePathAt(document, position) !== undefined
					? provide(document, position)
					: undefined,
		},
		...triggers,
	);
}

/** Offers what can be done about the code at the cursor, where that may be an image. */
export function provideCodeActions(
	documents: vscode.DocumentSelector,
	kind: vscode.CodeActionKind,
	provide: Provide<vscode.CodeAction[]>,
): vscode.Disposable {
	return vscode.languages.registerCodeActionsProvider(
		documents,
		{
			provideCodeActions: async (document, range, context, token) =>
				(await pause(token)) && mayShowImageAt(document, range.start)
					? provide(document, range, context)
					: undefined,
		},
		{ providedCodeActionKinds: [kind] },
	);
}

/** In milliseconds: about as long as there is between two keys that are typed in one go. */
const pauseMs = 100;

/** Debounces a provider call; returns whether it is still wanted when the user has paused. */
export async function pause(token: vscode.CancellationToken): Promise<boolean> {
	return !token.isCancellationRequested && !(await occurs(token.onCancellationRequested, pauseMs));
}
