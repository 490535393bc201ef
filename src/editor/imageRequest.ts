import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ImageRequest, RequestReference } from '../jobs/request.js';
import type { Quality } from '../service/contract.js';

/** Document and folder of a command, which decide the place of the image and its link. */
export type CommandContext = Pick<ImageRequest, 'document' | 'insertion' | 'workspaceFolder'>;

/** Place of images; known before anything is sent, so that a mistake costs nothing. */
export type Target = ImageRequest['target'];

/** A setting or an argument, as a request has it. */
export function knownQuality(quality: Quality | 'unset'): Quality | undefined {
	return quality === 'unset' ? undefined : quality;
}

export function asReferences(uris: readonly vscode.Uri[]): RequestReference[] {
	return uris.map((uri) => ({ source: uri.toString() }));
}

export function urisOf(references: readonly RequestReference[]): vscode.Uri[] {
	return references.map(({ source }) => vscode.Uri.parse(source, true));
}

export function parseUri(text: string | undefined): vscode.Uri | undefined {
	return text === undefined ? undefined : vscode.Uri.parse(text, true);
}

/** Returns the folder whose last size is offered again: that of the document, else the workspace's. */
export function sizeFolder({ document, workspaceFolder }: CommandContext): vscode.Uri | undefined {
	const uri = parseUri(document);
	return uri?.scheme === 'file' ? vscode.Uri.joinPath(uri, '..') : parseUri(workspaceFolder);
}

/**
 * Returns a target. @param root the workspace folder that the target folder must not leave
 * @param stem the file name without its extension, which is that of the image that comes
 */
export function targetIn(folder: vscode.Uri, root: vscode.Uri | undefined, stem: string): Target {
	return { folder: folder.toString(), root: root?.toString(), stem };
}

/** The file name of a target, without its extension. */
export function fileStem({ stem, number }: Target): string {
	return number === undefined ? stem : `${stem}-${String(number)}`;
}

/** The file of a target, if its name is free. */
export function targetFile(target: Target, extension = '.png'): vscode.Uri {
	return vscode.Uri.joinPath(vscode.Uri.parse(target.folder, true), fileStem(target) + extension);
}

/** Returns the place of an image that is asked for because of another one: beside that. */
export function besideImage(image: vscode.Uri): Pick<ImageRequest, 'workspaceFolder' | 'target'> {
	const root = vscode.workspace.getWorkspaceFolder(image)?.uri;
	return {
		workspaceFolder: (root ?? vscode.workspace.workspaceFolders?.[0]?.uri)?.toString(),
		// The user has pointed at that very file, so its folder may lie anywhere.
		target: targetIn(vscode.Uri.joinPath(image, '..'), root, posix.parse(image.path).name),
	};
}
