import * as vscode from 'vscode';
import type { ImageRequest } from '../../src/jobs/request.js';
import { root } from './workspace.js';

/** A request for an image in the folder `images` of the workspace, named by its prompt. */
export function imageRequest(prompt: string, fields: Partial<ImageRequest> = {}): ImageRequest {
	return {
		operation: 'generate',
		prompt,
		size: '1024x1024',
		references: [],
		workspaceFolder: root().toString(),
		target: {
			folder: vscode.Uri.joinPath(root(), 'images').toString(),
			root: root().toString(),
			stem: prompt,
		},
		...fields,
	};
}
