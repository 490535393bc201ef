// All that a window loads of Easel as long as it is not used: what it gives to the editor leads to
// `main.ts`, which is a bundle of its own.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { languages, markdownLanguages, promptLanguage } from './documents/languages.js';
import { commandTitles } from './editor/commandTable.js';
import { checkOpenDocuments } from './editor/checkOpen.js';
import { LazyHandlers } from './editor/lazyHandlers.js';
import { provideMcpServer } from './editor/mcpServer.js';
import { documentsOf, mayShowImageAt } from './editor/nearImage.js';
import {
	provideCodeActions,
	provideCompletions,
	provideHover,
	provideView,
	registerRawCommand,
} from './editor/providers.js';
import { restrictPermissions } from './files/restrictPermissions.js';
import type { AgentApi } from './protocol/agentApi.js';
import { agentToolTitles, modelToolName, type AgentToolName } from './protocol/agentToolNames.js';
import type { AgentAnswer } from './protocol/agents.js';
import { comparisonType, studioType, studioView } from './protocol/panels.js';

/** Ends what `start` of `main.ts` has begun; nothing as long as that is not loaded. */
let end = () => Promise.resolve();

/** Releases leases and sockets, so that the next window need not ask whether this one lives. */
export function deactivate(): Promise<void> {
	return end();
}

/** @returns what other extensions may use of it */
export function activate(context: vscode.ExtensionContext): AgentApi {
	const handlers = new LazyHandlers(async () => {
		const { start } = await import('./main.js');
		untilLoaded.dispose();
		const endOthers = start(context, handlers, mcp);
		end = async () => {
			await Promise.all([endOthers(), mcp.close()]);
		};
	});
	const mcp = provideMcpServer(context, handlers.proxy<AgentAnswer>('agentCall'));
	end = () => mcp.close();
	const untilLoaded = loadWhereNeeded(handlers);
	const checking = checkOpenDocuments();
	const documents = documentsOf(languages);
	const { RefactorRewrite, QuickFix } = vscode.CodeActionKind;
	context.subscriptions.push(
		untilLoaded,
		checking,
		...Object.keys(commandTitles).map((id) =>
			registerRawCommand(id, handlers.proxy(`command ${id}`)),
		),
		...[comparisonType, studioType].map((type) =>
			vscode.window.registerWebviewPanelSerializer(type, {
				deserializeWebviewPanel: handlers.proxy<void>(`webview ${type}`),
			}),
		),
		provideView(studioView, handlers.proxy(`view ${studioView}`)),
		provideHover(documents, handlers.proxy('hover')),
		provideCompletions(documents, ['(', '/', '"', '{', ':'], handlers.proxy('completions')),
		provideCodeActions(documents, RefactorRewrite, handlers.proxy('refactorings')),
		provideCodeActions(documentsOf(markdownLanguages), QuickFix, handlers.proxy('quickFixes')),
		followRenames(context, handlers),
		...followImages(handlers),
		...registerTools(handlers),
	);
	quietly(restrictStorage(context, handlers));
	quietly(recoverJobs(context, handlers));
	return { version: 1, callTool: handlers.proxy('api') };
}

/** Registers the language model tools. Whether one may cost money is decided when it is called. */
function registerTools(handlers: LazyHandlers): vscode.Disposable[] {
	const call = handlers.proxy<vscode.LanguageModelToolResult>('languageModelTool');
	return toolNames.map((name) =>
		vscode.lm.registerTool<unknown>(modelToolName(name), {
			prepareInvocation: () => ({ invocationMessage: agentToolTitles[name] }),
			invoke: ({ input }) => call(name, input),
		}),
	);
}

const toolNames = Object.keys(agentToolTitles) as AgentToolName[];

/** Drops a failure to load, which is reported where Easel is used. */
function quietly(task: Promise<void>): void {
	task.catch(() => undefined);
}

/**
 * Loads Easel once the cursor may be on an image, because what menus offer depends on that, or a
 * prompt is in an editor, because what can be chosen is shown above it.
 */
function loadWhereNeeded(handlers: LazyHandlers): vscode.Disposable {
	const isPrompt = ({ languageId }: vscode.TextDocument) => languageId === promptLanguage;
	const isAtImage = ({ document, selection }: vscode.TextEditor) =>
		// VS Code tells of a change of the text before that of the cursor.
		mayShowImageAt(document, document.validatePosition(selection.active));
	const look = () => {
		const editor = vscode.window.activeTextEditor;
		if (
			(editor !== undefined && isAtImage(editor)) ||
			vscode.workspace.textDocuments.some(isPrompt)
		) {
			quietly(handlers.load());
		}
	};
	look();
	return vscode.Disposable.from(
		vscode.window.onDidChangeActiveTextEditor(look),
		vscode.window.onDidChangeTextEditorSelection(look),
		vscode.workspace.onDidChangeTextDocument(look),
		// Also where a document in front gets another language.
		vscode.workspace.onDidOpenTextDocument(look),
	);
}

/** Closes our storage to other users of the machine: an older version has left it open. */
async function restrictStorage(
	{ globalStorageUri, storageUri }: vscode.ExtensionContext,
	handlers: LazyHandlers,
): Promise<void> {
	for (const folder of [globalStorageUri, storageUri ?? globalStorageUri]) {
		await restrictPermissions(folder.fsPath).catch(handlers.proxy('openStorage'));
	}
}

/** Has the gallery follow images that are renamed, also before it is opened. */
function followRenames(
	{ globalStorageUri }: vscode.ExtensionContext,
	handlers: LazyHandlers,
): vscode.Disposable {
	const follow = handlers.proxy('renames');
	return vscode.workspace.onDidRenameFiles(async (event) => {
		if (await hasEntries(globalStorageUri.fsPath)) {
			await follow(event);
		}
	});
}

/** Moves or deletes the recipe beside an image with the image, in the same step. */
function followImages(handlers: LazyHandlers): vscode.Disposable[] {
	const proxy = handlers.proxy<vscode.WorkspaceEdit>('moveRecipes');
	const follow = async (moves: readonly (readonly [vscode.Uri, vscode.Uri?])[]) => {
		const images = moves.filter(([{ path }]) => /\.(png|jpe?g|webp)$/i.test(path));
		const recipes = images.map(([uri]) => uri.with({ path: `${uri.path}.json` }));
		const found = await Promise.allSettled(recipes.map((uri) => vscode.workspace.fs.stat(uri)));
		return found.some(({ status }) => status === 'fulfilled') ? proxy(moves) : undefined;
	};
	return [
		vscode.workspace.onWillRenameFiles((event) => {
			event.waitUntil(follow(event.files.map(({ oldUri, newUri }) => [oldUri, newUri])));
		}),
		vscode.workspace.onWillDeleteFiles((event) => {
			event.waitUntil(follow(event.files.map((uri) => [uri])));
		}),
	];
}

/**
 * Loads Easel where the journal has jobs of an earlier window: a job goes at its end, with its
 * folder.
 */
async function recoverJobs(
	{ globalStorageUri }: vscode.ExtensionContext,
	handlers: LazyHandlers,
): Promise<void> {
	if (await hasEntries(path.join(globalStorageUri.fsPath, 'jobs'))) {
		await handlers.load();
	}
}

/**
 * Returns whether a folder has entries; that of a user who has never made an image does not exist.
 */
async function hasEntries(folder: string): Promise<boolean> {
	try {
		return (await readdir(folder)).length > 0;
	} catch (error) {
		// What else keeps it from being read is a matter for those who read it.
		return (error as NodeJS.ErrnoException).code !== 'ENOENT';
	}
}
