import path from 'node:path';
import * as vscode from 'vscode';
import { copyImageLink, insertAtCursor } from '../../generation/writing.js';
import { requestsOf, type Draft } from '../../asking/draft.js';
import { urisOf, type CommandContext } from '../../editor/imageRequest.js';
import {
	type SavedImage,
	openImage,
	revealImage,
	savedImageOf,
} from '../../generation/savedImage.js';
import type { StudioDeps } from './deps.js';
import { recipeOfCopy } from '../../library/imageRecipes.js';
import { findTarget } from '../../asking/target.js';
import type { ImageRequest } from '../../jobs/request.js';
import { saveAs } from '../../editor/files.js';
import { safeName } from '../../editor/untrustedText.js';
import { runDetached, showStatus, notify } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { ImageAction } from '../../protocol/studioModel.js';
import { documentBeside } from './besideStudio.js';
import type { PastedImages } from './pastedImages.js';
import { studioMessages } from '../messages.js';
import { phrases } from '../../messages.js';

/**
 * Makes images from the draft; each is reported in its place.
 *
 * @param onJournaled called when all of it is in the journal
 */
export async function generate(
	draft: Draft,
	pasted: Pick<PastedImages, 'has'>,
	deps: StudioDeps,
	onJournaled: () => Promise<void>,
): Promise<void> {
	const requests = await requestsFor(draft, pasted, deps);
	if (requests !== undefined) {
		const { generator, preferences } = deps;
		await preferences.rememberPrompt(draft.operation, draft.prompt);
		await preferences.rememberSize(draft.size);
		await generator.make(requests, onJournaled);
	}
}

/** Returns the requests of a draft; `undefined` where it cannot be, or the user has cancelled. */
export async function requestsFor(
	draft: Draft,
	pasted: Pick<PastedImages, 'has'>,
	{ keys }: Pick<StudioDeps, 'keys'>,
): Promise<ImageRequest[] | undefined> {
	if (!(await ensureReady(keys))) {
		return undefined;
	}
	const [first] = urisOf(draft.references);
	const context = await contextHere(first);
	if (context === undefined) {
		return undefined;
	}
	const placed: Draft = { ...draft, ...context };
	// What was pasted has no place of its own that something could be saved beside.
	const isPasted = first !== undefined && pasted.has(first);
	const target = await findTarget(isPasted ? { ...placed, operation: 'generate' } : placed);
	return target && requestsOf(placed, target);
}

const plainActions = {
	insert: (image) => insertAtCursor(image, ofDocument()),
	copyImageLink: (image) => copyImageLink(image, ofDocument()),
	open: ({ uri }) => openImage(uri),
	reveal: ({ uri }) => revealImage(uri),
	saveAs: ({ uri }) => saveCopy(uri),
	copyPrompt: ({ prompt }) => copyPrompt(prompt),
} satisfies { readonly [action in ImageAction]?: (image: SavedImage) => Promise<unknown> };

type PlainAction = keyof typeof plainActions;

/** Returns whether an action needs nothing of the studio itself. */
export function isPlain(action: ImageAction): action is PlainAction {
	return action in plainActions;
}

/** Runs an action that needs nothing of the studio itself: see {@link isPlain}. */
export async function act(
	action: PlainAction,
	image: GalleryImage,
	{ history, annotations }: Pick<StudioDeps, 'history' | 'annotations'>,
): Promise<void> {
	await plainActions[action](await savedImageOf(image, await history.list(), annotations));
}

/** Returns the document beside the studio as the context of a command. */
function ofDocument(): CommandContext {
	const document = documentBeside()?.uri;
	const folder = document && vscode.workspace.getWorkspaceFolder(document);
	return {
		document: document?.toString(),
		workspaceFolder: (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.toString(),
	};
}

async function copyPrompt(prompt: string): Promise<void> {
	await vscode.env.clipboard.writeText(prompt);
	showStatus(studioMessages.promptCopied, 'check');
}

/**
 * Returns the workspace folder that images of the studio belong to: that of the first reference image, else
 * of the document beside the studio; `undefined` where neither says it and there are several.
 */
export function folderHere(first: vscode.Uri | undefined): vscode.WorkspaceFolder | undefined {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const near = first ?? documentBeside()?.uri;
	const found = near && vscode.workspace.getWorkspaceFolder(near);
	return found ?? (folders.length === 1 ? folders[0] : undefined);
}

/**
 * Returns the workspace folder of images of the studio, which the user picks where several could be
 * meant; `undefined` where that is cancelled. No document: images go to the folder of the setting.
 */
async function contextHere(first: vscode.Uri | undefined): Promise<CommandContext | undefined> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const workspaceFolder =
		folderHere(first) ??
		(folders.length > 1
			? await vscode.window.showWorkspaceFolderPick({
					placeHolder: phrases.workspaceFolder,
				})
			: folders[0]);
	return workspaceFolder === undefined && folders.length > 0
		? undefined
		: { workspaceFolder: workspaceFolder?.uri.toString() };
}

export async function saveCopy(uri: vscode.Uri): Promise<void> {
	const target = await vscode.window.showSaveDialog({
		title: studioMessages.saveImageAs,
		defaultUri: uri,
		filters: { Images: [path.posix.extname(uri.path).slice(1)] },
	});
	if (target !== undefined && target.toString() !== uri.toString()) {
		await saveAs(uri, target);
		const recipe = await recipeOfCopy(uri);
		if (recipe !== undefined) {
			runDetached(notify('info', studioMessages.saved(safeName(target), recipe)));
		}
	}
}
