import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { removeQuietly } from '../../editor/files.js';
import { privateFile, privateFolder } from '../../files/writeWhole.js';

/** Files of images that were dropped or pasted as bytes, in a folder of our own. */
export class PastedImages {
	private readonly folder: vscode.Uri;

	/** @param context a window without a folder has no storage of its own */
	constructor(
		private readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri'>,
	) {
		const storage = context.storageUri ?? context.globalStorageUri;
		this.folder = vscode.Uri.joinPath(storage, 'references');
	}

	/** Returns whether an image is one of them, so that nothing can be put beside it. */
	has(uri: vscode.Uri): boolean {
		return uri.toString().startsWith(`${this.folder.toString()}/`);
	}

	/** Returns the file that bytes have; its name is their hash. */
	fileFor(bytes: Uint8Array): vscode.Uri {
		return vscode.Uri.joinPath(this.folder, createHash('sha256').update(bytes).digest('hex'));
	}

	async write(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
		await mkdir(this.folder.fsPath, { recursive: true, mode: privateFolder });
		await writeFile(uri.fsPath, bytes, { mode: privateFile });
	}

	/**
	 * Returns those that may be of no use any more.
	 *
	 * @param before references until now; where the folder serves all windows, only these are known to
	 *   be of this one
	 */
	async removable(before: readonly vscode.Uri[]): Promise<vscode.Uri[]> {
		if (this.context.storageUri === undefined) {
			return before.filter((uri) => this.has(uri));
		}
		const names = await readdir(this.folder.fsPath).catch(() => []);
		return names.map((name) => vscode.Uri.joinPath(this.folder, name));
	}

	async remove(uri: vscode.Uri): Promise<void> {
		await removeQuietly(uri);
	}
}
