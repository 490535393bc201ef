import path from 'node:path';
import * as vscode from 'vscode';
import { assertInside, OutsideWorkspaceError } from '../../editor/files.js';
import { studioMessages } from '../messages.js';
import { RefusedReference } from './references.js';

/**
 * Returns the files that a page names. A page can be made to name anything, so only what lies within
 * the workspace is taken.
 *
 * @throws {RefusedReference} where one of them does not
 */
export function droppedFiles(texts: readonly string[]): Promise<vscode.Uri[]> {
	return Promise.all(texts.map(droppedFile));
}

async function droppedFile(text: string): Promise<vscode.Uri> {
	let uri: vscode.Uri;
	try {
		uri = asHere(vscode.Uri.parse(text, true));
	} catch {
		throw new RefusedReference(studioMessages.notAFile);
	}
	const name = path.posix.basename(uri.path);
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	try {
		if (folder === undefined) {
			throw new OutsideWorkspaceError('it lies elsewhere');
		}
		await assertInside(folder.uri, uri);
		return uri;
	} catch (error) {
		if (error instanceof OutsideWorkspaceError) {
			throw new RefusedReference(studioMessages.outsideWorkspace(name));
		}
		throw error;
	}
}

/** A page lives on the other side: there a file of this machine has the name of the machine. */
function asHere(uri: vscode.Uri): vscode.Uri {
	return uri.scheme === 'vscode-remote' ? uri.with({ scheme: 'file', authority: '' }) : uri;
}
