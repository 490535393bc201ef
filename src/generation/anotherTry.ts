import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { GalleryImage } from '../jobs/gallery.js';
import type { Order } from './order.js';

/** The request of an image as it was, for a place beside the file that it is now. */
export function anotherTryOf(uri: vscode.Uri, image: GalleryImage): Order {
	const { operation, prompt, size, quality = 'unset', withoutStyle } = image;
	return {
		operation,
		choices: {
			prompt,
			size,
			quality,
			count: 1,
			references: image.references.map((reference) => vscode.Uri.parse(reference, true)),
			withoutStyle,
		},
		...besideImage(uri),
		anotherTryOf: uri,
	};
}

/** Where an image goes that is asked for because of another one: beside that. */
export function besideImage(image: vscode.Uri): Pick<Order, 'context' | 'target'> {
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
