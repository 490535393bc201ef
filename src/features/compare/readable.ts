import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { copyFlushed } from '../../files/copyFlushed.js';
import { imageNamePattern } from '../../editor/images.js';
import { maxImageBytes } from '../../images/inspect.js';
import { privateFile, privateFolder } from '../../files/writeWhole.js';

/** Where a page may read the image of one side, as it was last looked at. */
export interface Readable {
	/** The only folder that it needs for it. */
	readonly root: vscode.Uri;
	/** Returns what it loads for the image, as its file is now. */
	readonly source: () => Promise<vscode.Uri>;
	readonly dispose: () => void;
}

/**
 * Makes an image readable for a page. An image of the workspace is read from its own folder. Any
 * other file, which an argument or a restored state can name wherever it lies, is read from a copy:
 * the folder of `/x.png` would be the whole disk.
 */
export function makeReadable(image: vscode.Uri): Readable {
	// A workspace folder is found by the beginning of a path, whatever `..` stands behind.
	const plain = image.with({ path: path.posix.normalize(image.path) });
	return vscode.workspace.getWorkspaceFolder(plain) === undefined
		? copied(image)
		: {
				root: vscode.Uri.joinPath(plain, '..').with({ query: '', fragment: '' }),
				source: () => Promise.resolve(plain),
				dispose: () => undefined,
			};
}

function copied(image: vscode.Uri): Readable {
	const folder = path.join(tmpdir(), `easel-compare-${crypto.randomUUID()}`);
	const extension = imageNamePattern.exec(image.path)?.[0] ?? '';
	const copy = path.join(folder, `image${extension}`);
	let made: Promise<unknown> | undefined;
	return {
		root: vscode.Uri.file(folder),
		source: async () => {
			// Not `recursive`: a folder that is there already is not ours.
			await (made ??= mkdir(folder, { mode: privateFolder }));
			await rm(copy, { force: true });
			await (image.scheme === 'file'
				? copyFlushed(image.fsPath, copy, { mode: privateFile, maxBytes: maxImageBytes })
				: vscode.workspace.fs.copy(image, vscode.Uri.file(copy)));
			return vscode.Uri.file(copy);
		},
		dispose: () => {
			rm(folder, { recursive: true, force: true }).catch(() => undefined);
		},
	};
}
