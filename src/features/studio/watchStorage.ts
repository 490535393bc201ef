import { watch, type FSWatcher } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { privateFolder } from '../../files/writeWhole.js';

/** Several lines may be written one after the other. In milliseconds. */
const togetherMs = 100;

/**
 * Calls when a file of our storage was written, by this window or another one. Where the system
 * cannot watch, it never calls.
 *
 * @param folder absolute; it is made where it is missing
 * @param names of the files in it
 */
export function watchStorage(
	folder: string,
	names: readonly string[],
	onWritten: () => void,
	onTrouble: (error: unknown) => void,
): vscode.Disposable {
	let watcher: FSWatcher | undefined;
	let timer: NodeJS.Timeout | undefined;
	let isOver = false;
	const begin = async () => {
		await mkdir(folder, { recursive: true, mode: privateFolder });
		if (isOver) {
			return;
		}
		watcher = watch(folder, { persistent: false }, (_event, name) => {
			// Some systems do not say which file it was.
			if (name === null || names.includes(name)) {
				timer ??= setTimeout(() => {
					timer = undefined;
					onWritten();
				}, togetherMs);
			}
		});
		watcher.on('error', onTrouble);
	};
	begin().catch(onTrouble);
	return {
		dispose: () => {
			isOver = true;
			clearTimeout(timer);
			watcher?.close();
		},
	};
}
