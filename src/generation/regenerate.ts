import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { GalleryImage } from '../jobs/gallery.js';
import type { ImageRequest } from '../jobs/request.js';
import { storedContext, storedTarget, type CommandContext, type Target } from './draft.js';

/** Returns the request of an image as it was, for a place beside the file that it is now. */
export function requestToRegenerate(uri: vscode.Uri, image: GalleryImage): ImageRequest {
	const { operation, prompt, size, quality, withoutStyle, references } = image;
	const { context, target } = besideImage(uri);
	return {
		operation,
		prompt,
		size,
		quality,
		withoutStyle,
		references: references.map((source) => ({ source })),
		...storedContext(context),
		target: storedTarget(target),
		regeneratedFrom: uri.toString(),
	};
}

/** Where an image goes that is asked for because of another one: beside that. */
export function besideImage(image: vscode.Uri): { context: CommandContext; target: Target } {
	const root = vscode.workspace.getWorkspaceFolder(image)?.uri;
	return {
		context: {
			document: undefined,
			workspaceFolder: root ?? vscode.workspace.workspaceFolders?.[0]?.uri,
		},
		target: {
			folder: vscode.Uri.joinPath(image, '..'),
			// The user has pointed at that very file, so its folder may lie anywhere.
			root,
			stem: posix.parse(image.path).name,
		},
	};
}
