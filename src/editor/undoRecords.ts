import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { assertNotNewer, serializeVersioned, parseVersioned } from '../files/fileFormat.js';
import { isNotFound } from '../files/fsErrors.js';
import { privateFile, privateFolder } from '../files/writeWhole.js';
import { keptAtLeastMs } from './keptFiles.js';

/**
 * Steps that can be undone, each in a file of our own storage whose name ends with the state that
 * counts. VS Code renames that file in the same step as what is changed, so its undo and redo, which
 * name no step, tell which one they take back or do again. They outlive the extension host, as VS
 * Code's list of steps does.
 */
export class UndoRecords<State extends string> {
	/**
	 * @param folder in our own storage, absolute
	 * @param states letters; before the step, and after it
	 */
	constructor(
		private readonly folder: string,
		private readonly states: readonly [before: State, after: State],
	) {}

	/**
	 * Notes down a step that has not been made yet.
	 *
	 * @returns its id
	 */
	async create(record: object): Promise<string> {
		const id = randomUUID();
		await mkdir(this.folder, { recursive: true, mode: privateFolder });
		const file = this.uri(id, this.states[0]).fsPath;
		await writeFile(file, serializeVersioned(record), { mode: privateFile });
		return id;
	}

	/** The file of a step while this state counts. */
	uri(id: string, state: State): vscode.Uri {
		return vscode.Uri.file(path.join(this.folder, `${id}.${state}`));
	}

	otherThan(state: State): State {
		return this.states[state === this.states[0] ? 1 : 0];
	}

	/** The step and its state, if VS Code has renamed its file to this. */
	stateBy(uri: vscode.Uri): { readonly id: string; readonly state: State } | undefined {
		const [, id, ending] = /^([\da-f-]{36})\.([a-z]+)$/.exec(path.basename(uri.fsPath)) ?? [];
		const state = this.states.find((one) => one === ending);
		return uri.scheme === 'file' &&
			path.dirname(uri.fsPath) === path.dirname(this.uri('', this.states[0]).fsPath) &&
			id !== undefined &&
			state !== undefined
			? { id, state }
			: undefined;
	}

	/** Whether VS Code's list of steps says that this state counts. */
	async isIn(id: string, state: State): Promise<boolean> {
		const names = await readdir(this.folder);
		return names.includes(path.basename(this.uri(id, state).fsPath));
	}

	/**
	 * Reads what was noted down; `undefined` where another state counts by now.
	 *
	 * @throws where the record is no JSON, of a newer Easel, or cannot be read
	 */
	async read(id: string, state: State): Promise<unknown> {
		try {
			return parseVersioned(await readFile(this.uri(id, state).fsPath, 'utf8'));
		} catch (error) {
			if (isNotFound(error)) {
				return undefined;
			}
			throw error;
		}
	}

	/**
	 * Forgets steps of windows that are closed since long, as what they need may be.
	 *
	 * @param now in milliseconds since 1970
	 */
	async tidy(now = Date.now()): Promise<void> {
		for (const name of await readdir(this.folder)) {
			const file = path.join(this.folder, name);
			const found = await stat(file).catch(() => undefined);
			if (found !== undefined && now - found.mtimeMs > keptAtLeastMs && (await isOurs(file))) {
				await rm(file, { force: true });
			}
		}
	}
}

async function isOurs(file: string): Promise<boolean> {
	return assertNotNewer(file).then(
		() => true,
		() => false,
	);
}
