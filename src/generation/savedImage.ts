import * as vscode from 'vscode';
import { safeText } from '../editor/untrustedText.js';
import { runDetached, notify } from '../editor/messages.js';
import { originOf, type GalleryImage, type Origin } from '../jobs/gallery.js';
import type { Annotations } from '../library/annotations.js';
import { messages } from '../messages.js';

/** An image that lies in the workspace. */
export interface SavedImage {
	readonly uri: vscode.Uri;
	/** The file that documents show in its place. */
	readonly published?: vscode.Uri | undefined;
	readonly prompt: string;
	readonly title?: string | undefined;
	readonly image: { readonly width: number; readonly height: number };
	/** The service's answer, where this image was made of it and of its original. */
	readonly answer?: SavedImage | undefined;
	/** Origin of an edit. */
	readonly origin?: Origin | undefined;
}

/** Returns what an image link needs of an image, with its title and what it was edited from. */
export async function savedImageOf(
	image: GalleryImage,
	all: readonly GalleryImage[],
	marks: Annotations,
): Promise<SavedImage> {
	const read = await marks.read().catch(() => undefined);
	return {
		uri: vscode.Uri.parse(image.target, true),
		published: image.published === undefined ? undefined : vscode.Uri.parse(image.published, true),
		prompt: image.prompt,
		title: read?.ofImage(image.id).title,
		image,
		origin: originOf(image, all),
	};
}

export async function openImage(uri: vscode.Uri): Promise<void> {
	await vscode.commands.executeCommand('vscode.open', uri);
}

/** Shows where the image lies: in the explorer, or outside the workspace in the system's own. */
export async function revealImage(uri: vscode.Uri): Promise<void> {
	if (vscode.workspace.getWorkspaceFolder(uri) === undefined) {
		await revealFolderOrFile(uri);
	} else {
		await vscode.commands.executeCommand('revealInExplorer', uri);
	}
}

/**
 * Shows a folder or a file in the system's file manager. In a browser, or where the files lie on
 * another machine, there is none that knows them; then the path is copied, and a notification says so.
 */
export async function revealFolderOrFile(uri: vscode.Uri): Promise<void> {
	const { remoteName, uiKind } = vscode.env;
	const isFile = uri.scheme === 'file';
	if (isFile && uiKind === vscode.UIKind.Desktop && remoteName === undefined) {
		await vscode.commands.executeCommand('revealFileInOS', uri);
		return;
	}
	const path = isFile ? uri.fsPath : uri.toString(true);
	await vscode.env.clipboard.writeText(path);
	runDetached(notify('info', messages.notRevealed(safeText(path))));
}
