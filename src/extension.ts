// All that a window loads of Easel as long as nobody uses it: what it gives to the editor leads to
// `main.ts`, which is a bundle of its own.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { languages, markdownLanguages, promptLanguage } from './documents/languages.js';
import { documentsOf } from './editor/documentLanguage.js';
import { giveCommand } from './editor/commandDoor.js';
import { commandTitles } from './editor/commandTable.js';
import { LateHandlers } from './editor/lateHandlers.js';
import { mayShowImageAt } from './editor/nearImage.js';
import { provideCodeActions, provideCompletions, provideHover } from './editor/providers.js';
import { restrictPermissions } from './files/restrictPermissions.js';
import { comparisonType, studioType } from './protocol/panels.js';

/** Ends what `start` of `main.ts` has begun; nothing as long as that is not loaded. */
let end = () => Promise.resolve();

/** VS Code waits for it, within bounds: the next window need not ask then whether this one lives. */
export function deactivate(): Promise<void> {
	return end();
}

export function activate(context: vscode.ExtensionContext): void {
	const until: vscode.Disposable[] = [];
	const late = new LateHandlers(async () => {
		const { start } = await import('./main.js');
		vscode.Disposable.from(...until).dispose();
		end = start(context, late);
	});
	const documents = documentsOf(languages);
	context.subscriptions.push(
		...Object.keys(commandTitles).map((id) => giveCommand(id, late.of(`command ${id}`))),
		...[comparisonType, studioType].map((type) => restorePanels(type, late)),
		provideHover(documents, late.of('hover')),
		provideCompletions(documents, ['(', '/', '"', '{', ':'], late.of('completions')),
		provideCodeActions(documents, vscode.CodeActionKind.RefactorRewrite, late.of('refactorings')),
		provideCodeActions(
			documentsOf(markdownLanguages),
			vscode.CodeActionKind.QuickFix,
			late.of('quickFixes'),
		),
	);
	until.push(
		...untilAtImage(() => {
			quietly(late.ready());
		}),
		untilPrompt(() => {
			quietly(late.ready());
		}),
	);
	context.subscriptions.push(...until, followRenames(context, late), ...followImages(late));
	quietly(closeStorage(context, late));
	quietly(takeUpWhatIsLeft(context, late));
}

function restorePanels(type: string, late: LateHandlers): vscode.Disposable {
	const restore = late.of<void>(`webview ${type}`);
	return vscode.window.registerWebviewPanelSerializer(type, {
		deserializeWebviewPanel: (panel, state: unknown) => restore(panel, state),
	});
}

/** Where Easel cannot be loaded, that is told to whoever uses it. */
function quietly(task: Promise<void>): void {
	task.catch(() => undefined);
}

/** Calls once the cursor may be on an image: what menus offer depends on that. */
function untilAtImage(onImage: () => void): vscode.Disposable[] {
	const look = () => {
		const editor = vscode.window.activeTextEditor;
		if (editor !== undefined) {
			// VS Code tells of a change of the text before that of the cursor.
			const position = editor.document.validatePosition(editor.selection.active);
			if (mayShowImageAt(editor.document, position)) {
				onImage();
			}
		}
	};
	look();
	return [
		vscode.window.onDidChangeActiveTextEditor(look),
		vscode.window.onDidChangeTextEditorSelection(look),
		vscode.workspace.onDidChangeTextDocument(look),
		// Also where a document in front gets another language.
		vscode.workspace.onDidOpenTextDocument(look),
	];
}

/** Calls once a prompt stands in an editor: what can be chosen is shown above it. */
function untilPrompt(onPrompt: () => void): vscode.Disposable {
	const look = ({ languageId }: vscode.TextDocument) => {
		if (languageId === promptLanguage) {
			onPrompt();
		}
	};
	vscode.workspace.textDocuments.forEach(look);
	return vscode.workspace.onDidOpenTextDocument(look);
}

/** Keeps others out of what lies there: an older version let them look into it. */
async function closeStorage(
	{ globalStorageUri, storageUri }: vscode.ExtensionContext,
	late: LateHandlers,
): Promise<void> {
	for (const folder of [globalStorageUri, storageUri ?? globalStorageUri]) {
		await restrictPermissions(folder.fsPath).catch(late.of('openStorage'));
	}
}

/** The gallery knows where its images are, also when they are renamed before anybody looks at it. */
function followRenames(
	{ globalStorageUri }: vscode.ExtensionContext,
	late: LateHandlers,
): vscode.Disposable {
	const follow = late.of('renames');
	return vscode.workspace.onDidRenameFiles(async (event) => {
		if (await hasEntries(globalStorageUri.fsPath)) {
			await follow(event);
		}
	});
}

/** How an image was made may stand beside it, and goes where the image goes, in the same step. */
function followImages(late: LateHandlers): readonly vscode.Disposable[] {
	const follow = late.of<vscode.WorkspaceEdit>('besidesFollow');
	const wait = (
		event: vscode.FileWillRenameEvent | vscode.FileWillDeleteEvent,
		moves: readonly (readonly [vscode.Uri, vscode.Uri?])[],
	) => {
		const images = moves.filter(([{ path }]) => /\.(png|jpe?g|webp)$/i.test(path));
		if (images.length > 0) {
			event.waitUntil(
				areAnyThere(images.map(([uri]) => uri.with({ path: `${uri.path}.json` }))).then(
					(areThere) => (areThere ? follow(moves) : undefined),
				),
			);
		}
	};
	return [
		vscode.workspace.onWillRenameFiles((event) => {
			wait(
				event,
				event.files.map(({ oldUri, newUri }) => [oldUri, newUri]),
			);
		}),
		vscode.workspace.onWillDeleteFiles((event) => {
			wait(
				event,
				event.files.map((uri) => [uri]),
			);
		}),
	];
}

async function areAnyThere(files: readonly vscode.Uri[]): Promise<boolean> {
	const found = await Promise.allSettled(files.map((file) => vscode.workspace.fs.stat(file)));
	return found.some(({ status }) => status === 'fulfilled');
}

/** Images that were asked for in an earlier window. */
async function takeUpWhatIsLeft(
	{ globalStorageUri }: vscode.ExtensionContext,
	late: LateHandlers,
): Promise<void> {
	// A job goes at its end, with its folder.
	if (await hasEntries(path.join(globalStorageUri.fsPath, 'jobs'))) {
		await late.ready();
	}
}

/** Whoever has never made an image has no such folder. */
async function hasEntries(folder: string): Promise<boolean> {
	try {
		return (await readdir(folder)).length > 0;
	} catch (error) {
		// What else keeps it from being read is a matter for those who read it.
		return (error as NodeJS.ErrnoException).code !== 'ENOENT';
	}
}
