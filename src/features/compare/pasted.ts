import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { privateFile, privateFolder } from '../../files/writeWhole.js';
import { detectFormat } from '../../images/inspect.js';
import type { Services } from '../../services.js';

type Storage = Pick<Services, 'storage'>;

/** Returns a place of our own for an image that is going to be pasted. */
export function placeToPaste(storage: Storage): vscode.Uri {
	return vscode.Uri.file(path.join(folderOf(storage), crypto.randomUUID(), 'pasted.png'));
}

/** Returns whether an image was, or is going to be, pasted. */
export function isPasted(image: vscode.Uri, storage: Storage): boolean {
	return (
		image.scheme === 'file' &&
		path.dirname(path.dirname(image.fsPath)) === vscode.Uri.file(folderOf(storage)).fsPath
	);
}

/**
 * Writes a pasted image; returns its file, or `undefined` where it is no image. Those that are older
 * than a week go.
 */
export async function writePasted(
	bytes: Uint8Array,
	storage: Storage,
): Promise<vscode.Uri | undefined> {
	const format = detectFormat(bytes);
	if (format === undefined) {
		return undefined;
	}
	await removeOld(folderOf(storage));
	const folder = path.join(folderOf(storage), crypto.randomUUID());
	await mkdir(folder, { recursive: true, mode: privateFolder });
	const file = path.join(folder, `pasted.${format === 'jpeg' ? 'jpg' : format}`);
	await writeFile(file, bytes, { mode: privateFile });
	return vscode.Uri.file(file);
}

async function removeOld(parent: string): Promise<void> {
	for (const name of await readdir(parent).catch(() => [])) {
		const folder = path.join(parent, name);
		const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
		if (Date.now() - mtimeMs > weekMs) {
			await rm(folder, { recursive: true, force: true });
		}
	}
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

function folderOf({ storage }: Storage): string {
	return path.join(storage, 'compared');
}
