import path from 'node:path';
import * as vscode from 'vscode';
import { ImageError } from '../images/inspect.js';
import { texts } from './texts.js';

/** Returns the button that helps where an image is a pointer of Git LFS, and none otherwise. */
export function lfsButtons(errors: readonly unknown[]) {
	const pointer = errors.find(
		(error): error is ImageError => error instanceof ImageError && error.foreign === 'lfsPointer',
	);
	return pointer === undefined
		? []
		: [{ label: texts.openTerminal, run: () => typeCommand(pointer.path) }];
}

/** Does not run it: fetching may take long and cost something, and Enter is the user's. */
function typeCommand(image: string): void {
	const isOnDisk = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(image)) !== undefined;
	const terminal = vscode.window.createTerminal({
		name: 'Git LFS',
		...(isOnDisk ? { cwd: path.dirname(image) } : {}),
	});
	terminal.show();
	terminal.sendText('git lfs pull', false);
}
