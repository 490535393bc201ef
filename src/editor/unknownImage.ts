import * as vscode from 'vscode';

/** Of no file system. */
const scheme = 'easel-elsewhere';

/**
 * Stands for an image that a file of the workspace names and that is not among the images of this workspace:
 * what a stranger names is not looked for anywhere else.
 *
 * @param name the last part of its path; empty where there is none
 */
export function unknownImage(name: string): vscode.Uri {
	return vscode.Uri.from({ scheme, path: `/${name}` });
}

export function isUnknownImage(uri: vscode.Uri): boolean {
	return uri.scheme === scheme;
}
