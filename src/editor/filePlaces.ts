import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { codeOf } from '../files/fsErrors.js';
import { DiskPlace, TakenError, type FilePlace } from './swapFiles.js';
import type { BackupStore } from './backupStore.js';
import { texts } from './texts.js';

/** The place of a file, on this machine's disks or in a virtual file system. */
export function placeOf(uri: vscode.Uri): FilePlace {
	return uri.scheme === 'file' ? new DiskPlace(uri.fsPath) : new VirtualPlace(uri);
}

/** A file that only VS Code can reach. It is read and written as a whole. */
class VirtualPlace implements FilePlace {
	constructor(private readonly uri: vscode.Uri) {}

	get name(): string {
		return path.posix.basename(this.uri.path);
	}

	beside(name: string): VirtualPlace {
		return new VirtualPlace(vscode.Uri.joinPath(this.uri, '..', name));
	}

	async sha256(): Promise<string | undefined> {
		const bytes = await this.#read();
		return bytes && createHash('sha256').update(bytes).digest('hex');
	}

	async backUp(backups: BackupStore): Promise<string | undefined> {
		const bytes = await this.#read();
		return bytes && backups.add(bytes);
	}

	async copyFrom(file: string): Promise<void> {
		await vscode.workspace.fs.writeFile(this.uri, await readFile(file));
	}

	async renameTo(name: string): Promise<boolean> {
		try {
			await this.renameToFree(name);
			return true;
		} catch (error) {
			return failsWith(error, 'FileNotFound', false);
		}
	}

	async renameToFree(name: string): Promise<void> {
		try {
			await vscode.workspace.fs.rename(this.uri, this.beside(name).uri, { overwrite: false });
		} catch (error) {
			failsWith(error, 'FileExists', undefined);
			throw new TakenError(texts.nameTaken(name));
		}
	}

	async remove(): Promise<void> {
		await vscode.workspace.fs.delete(this.uri, { useTrash: false });
	}

	async #read(): Promise<Uint8Array | undefined> {
		try {
			return await vscode.workspace.fs.readFile(this.uri);
		} catch (error) {
			return failsWith(error, 'FileNotFound', undefined);
		}
	}
}

/** Returns `answer` for this one failure; every other one goes on its way. */
function failsWith<T>(error: unknown, code: string, answer: T): T {
	if (codeOf(error) === code) {
		return answer;
	}
	throw error;
}
