import path from 'node:path';
import * as vscode from 'vscode';
import { copyImageLink, insertAtCursor } from '../../generation/insertAtCursor.js';
import type { Choices, CommandContext, Order } from '../../generation/order.js';
import type { SavedImage } from '../../generation/savedImage.js';
import type { StudioNeeds } from './needs.js';
import { openImage, revealImage } from '../../generation/savedImage.js';
import { findTarget } from '../../generation/target.js';
import { saveAs } from '../../editor/files.js';
import { ensureReady } from '../../editor/service.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { originOf } from '../../jobs/origin.js';
import type { ImageAction } from '../../protocol/studioActions.js';
import type { DraftReferences } from './references.js';

/** Makes images from the draft; each is told on its card. */
export async function generate(
	choices: Choices,
	references: DraftReferences,
	needs: StudioNeeds,
): Promise<void> {
	const order = await orderOf(choices, references, needs);
	if (order !== undefined) {
		await make(order, needs);
	}
}

/** Makes an image once more in its final quality: one click, so it is asked about first. */
export async function makeFinal(
	{ prompt, size }: GalleryImage,
	references: DraftReferences,
	needs: StudioNeeds,
): Promise<void> {
	const choices: Choices = { prompt, size, quality: 'high', count: 1, references: [] };
	const order = await orderOf(choices, references, needs);
	if (order !== undefined && (await needs.calls.allows(order))) {
		await make(order, needs);
	}
}

async function orderOf(
	choices: Choices,
	references: DraftReferences,
	{ keys }: StudioNeeds,
): Promise<Order | undefined> {
	if (!(await ensureReady(keys))) {
		return undefined;
	}
	const [first] = choices.references;
	const context = await contextHere(first);
	// What was pasted has no place of its own that something could be saved beside.
	const operation = first === undefined || references.isStored(first) ? 'generate' : 'edit';
	const target = context && (await findTarget(operation, context, choices, undefined));
	return context && target && { operation, choices, context, target };
}

async function make(order: Order, { generator, preferences }: StudioNeeds): Promise<void> {
	await preferences.rememberPrompt(order.operation, order.choices.prompt);
	await preferences.rememberSize(order.choices.size);
	await generator.makeAll(order);
}

/** The actions that need nothing of the studio itself. */
const plainActions = {
	insert: (image) => insertAtCursor(image, ofDocument()),
	copyImageLink: (image) => copyImageLink(image, ofDocument()),
	open: ({ uri }) => openImage(uri),
	reveal: ({ uri }) => revealImage(uri),
	saveAs: ({ uri }) => saveCopy(uri),
} satisfies { readonly [action in ImageAction]?: (image: SavedImage) => Promise<unknown> };

/** Does what can be done with one image anywhere. */
export async function act(
	action: keyof typeof plainActions,
	image: GalleryImage,
	{ gallery }: Pick<StudioNeeds, 'gallery'>,
): Promise<void> {
	const uri = vscode.Uri.parse(image.target, true);
	const origin = originOf(image, await gallery.list());
	await plainActions[action]({ uri, prompt: image.prompt, image, origin });
}

/** The document that is seen beside the studio, which has the focus itself. */
function ofDocument(): CommandContext {
	const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
	const document = editor?.document.uri;
	const folder = document && vscode.workspace.getWorkspaceFolder(document);
	return {
		document,
		workspaceFolder: (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri,
	};
}

/** Where images of the studio go: to the folder of the setting, not to that of a document. */
async function contextHere(first: vscode.Uri | undefined): Promise<CommandContext | undefined> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const near = first ?? ofDocument().document;
	const workspaceFolder =
		(near && vscode.workspace.getWorkspaceFolder(near)) ??
		(folders.length > 1
			? await vscode.window.showWorkspaceFolderPick({
					placeHolder: 'The workspace folder that gets the image',
				})
			: folders[0]);
	return workspaceFolder === undefined && folders.length > 0
		? undefined
		: { document: undefined, workspaceFolder: workspaceFolder?.uri };
}

async function saveCopy(uri: vscode.Uri): Promise<void> {
	const target = await vscode.window.showSaveDialog({
		title: 'Save Image As',
		defaultUri: uri,
		filters: { Images: [path.posix.extname(uri.path).slice(1)] },
	});
	if (target !== undefined && target.toString() !== uri.toString()) {
		await saveAs(uri, target);
	}
}
