import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import * as z from 'zod';
import { assertNotNewer, parseVersioned, serializeVersioned } from '../files/fileFormat.js';
import { isNotFound } from '../files/fsErrors.js';
import { privateFile, privateFolder } from '../files/writeWhole.js';
import { minBackupAgeMs, type BackupStore } from './backupStore.js';
import { runDetached } from './messages.js';
import { log } from '../log.js';

/** The files as they are before a step, and after it. */
export type Side = (typeof sides)[number];

const sides = ['before', 'after'] as const;

export function otherSide(side: Side): Side {
	return side === 'before' ? 'after' : 'before';
}

const hash = z.string().regex(/^[\da-f]{64}$/);

const swapSchema = z.object({
	/** As a URI. */
	file: z.string(),
	/** The URI that the file has after the step, where that is another one. */
	renamed: z.string().optional(),
	/** SHA-256 of what is there before the step, hexadecimal; missing where nothing is. */
	before: hash.optional(),
	after: hash.optional(),
});

export type Swap = z.infer<typeof swapSchema>;

/** The record of a step; the last two as Replace Original and Strip Recipe used to write it. */
const recordSchema = z.union([
	z.object({ swaps: z.array(swapSchema) }),
	z
		.object({
			original: z.string(),
			edited: z.string(),
			target: z.string(),
			originalSha256: hash,
			editedSha256: hash,
		})
		.transform(({ original, edited, target, originalSha256, editedSha256 }) => ({
			swaps: [
				{ file: original, renamed: target, before: originalSha256, after: editedSha256 },
				{ file: edited, before: editedSha256 },
			],
		})),
	z
		.object({
			changes: z.array(z.object({ file: z.string(), whole: hash, stripped: hash.optional() })),
		})
		.transform(({ changes }) => ({
			swaps: changes.map(({ file, whole, stripped }) => ({ file, before: whole, after: stripped })),
		})),
]);

export interface SwapStep {
	readonly id: string;
	readonly swaps: readonly Swap[];
}

/**
 * Swaps of files as steps in the editor's list of what can be undone. The editor changes nothing but
 * names: it removes what it has created when that is undone, whatever it is by then, so it gets no
 * file to create or to delete.
 *
 * Each step has a record in a file of our own storage whose name ends with the side that counts. VS
 * Code renames that file in the same step as the names of what is changed, so its undo and redo, which
 * name no step, say which one they take back or do again. The records outlive the extension host, as
 * VS Code's list does.
 */
export abstract class UndoableSwaps implements vscode.Disposable {
	/** One step after the other: the editor's undo comes in quick succession. */
	readonly #queue = new PQueue({ concurrency: 1 });
	readonly #following: vscode.Disposable;
	/** Those that the editor is being given, so that they are not followed. */
	readonly #ours = new Set<string>();

	/**
	 * @param folder in our own storage, absolute
	 * @param endings of the names of records
	 */
	constructor(
		private readonly folder: string,
		private readonly endings: Readonly<Record<Side, string>>,
		protected readonly backups: BackupStore,
	) {
		this.#following = vscode.workspace.onDidRenameFiles(({ files }) => {
			for (const { newUri } of files) {
				const found = this.#parseUri(newUri);
				if (found !== undefined && !this.#ours.has(found.id)) {
					runDetached(this.follow(found.id, found.side));
				}
			}
		});
	}

	dispose(): void {
		this.#following.dispose();
	}

	/** Does with the files what the editor's undo or redo has done with their names. */
	protected abstract onFollow(step: SwapStep, to: Side): Promise<void>;

	/** Follows the editor to this side of a step, if that still counts. */
	async follow(id: string, to: Side): Promise<void> {
		await this.run(async () => {
			const step = await this.#read(id, to);
			await (step && this.onFollow(step, to));
		});
	}

	/** Runs a task when no other one, and no step of the editor, is under way. */
	run<T>(task: () => Promise<T>): Promise<T> {
		return this.#queue.add(task);
	}

	/** Resolves when no step is under way. */
	async settled(): Promise<void> {
		await this.#queue.onIdle();
	}

	/** Records a step that has not been made yet. */
	async create(swaps: readonly Swap[]): Promise<SwapStep> {
		const id = randomUUID();
		await mkdir(this.folder, { recursive: true, mode: privateFolder });
		const file = this.#uri(id, 'before').fsPath;
		await writeFile(file, serializeVersioned({ swaps }), { mode: privateFile });
		Promise.all([this.backups.prune(), this.#prune()]).catch((error: unknown) =>
			log.error('Backups could not be pruned', error),
		);
		return { id, swaps };
	}

	/** Whether VS Code's list of steps says that this step was made, and not undone. */
	async isMade({ id }: SwapStep): Promise<boolean> {
		return (await readdir(this.folder)).includes(path.basename(this.#uri(id, 'after').fsPath));
	}

	/**
	 * Puts a step into the editor's list; `false` where the editor refuses it. A file that keeps its
	 * name is renamed to the same one, which is undone where that file is in front.
	 *
	 * @param files that are changed, with their names before the step and after it
	 */
	async addToEditor(
		{ id }: SwapStep,
		to: Side,
		label: string,
		files: readonly (readonly [from: vscode.Uri, to: vscode.Uri])[],
		change?: (edit: vscode.WorkspaceEdit, metadata: vscode.WorkspaceEditEntryMetadata) => void,
	): Promise<boolean> {
		const metadata = { needsConfirmation: false, label };
		const edit = new vscode.WorkspaceEdit();
		// First, so that nothing is renamed where a document cannot be changed.
		change?.(edit, metadata);
		for (const [from, into] of files) {
			edit.renameFile(from, into, {}, metadata);
		}
		edit.renameFile(this.#uri(id, otherSide(to)), this.#uri(id, to), {}, metadata);
		this.#ours.add(id);
		try {
			return await vscode.workspace.applyEdit(edit, { isRefactoring: true });
		} finally {
			this.#ours.delete(id);
		}
	}

	#uri(id: string, side: Side): vscode.Uri {
		return vscode.Uri.file(path.join(this.folder, `${id}.${this.endings[side]}`));
	}

	/** The step and its side, if this is the file of a record. */
	#parseUri(uri: vscode.Uri): { readonly id: string; readonly side: Side } | undefined {
		const id = path.parse(uri.fsPath).name;
		const side = sides.find((one) => this.#uri(id, one).toString() === uri.toString());
		return side && { id, side };
	}

	/** Reads a step; `undefined` where another side counts by now. */
	async #read(id: string, side: Side): Promise<SwapStep | undefined> {
		try {
			const record = parseVersioned(await readFile(this.#uri(id, side).fsPath, 'utf8'));
			return { id, ...recordSchema.parse(record) };
		} catch (error) {
			if (!isNotFound(error)) {
				throw error;
			}
			return undefined;
		}
	}

	/** Forgets steps of windows that are closed since long, as their backups may be gone. */
	async #prune(now = Date.now()): Promise<void> {
		for (const name of await readdir(this.folder)) {
			const file = path.join(this.folder, name);
			const found = await stat(file).catch(() => undefined);
			if (found !== undefined && now - found.mtimeMs > minBackupAgeMs) {
				await assertNotNewer(file).then(
					() => rm(file, { force: true }),
					() => undefined,
				);
			}
		}
	}
}
