import * as vscode from 'vscode';
import { inBackground } from './messages.js';
import type { UndoRecords } from './undoRecords.js';

/** A step as the editor's list of what can be undone gets it. */
export interface UndoStep<State extends string> {
	readonly id: string;
	/** The state that it leads to. */
	readonly to: State;
	readonly label: string;
	/** The files that are changed, with their names before the step and after it. */
	readonly files: readonly (readonly [from: vscode.Uri, to: vscode.Uri])[];
	/** Adds what else is changed. */
	readonly change?: (
		edit: vscode.WorkspaceEdit,
		metadata: vscode.WorkspaceEditEntryMetadata,
	) => void;
}

/**
 * Exchanges of files as steps in the editor's list of what can be undone. Nothing but names change
 * by such a step: VS Code removes what it has created when that is undone, whatever it is by then, so
 * it gets no file to create or to delete.
 */
export class UndoSteps<State extends string> implements vscode.Disposable {
	readonly #following: vscode.Disposable;
	/** Those that are being noted down, so that they are not followed. */
	readonly #ours = new Set<string>();

	/** @param follow does with the files what the editor's undo or redo has done with their names */
	constructor(
		private readonly records: UndoRecords<State>,
		follow: (id: string, state: State) => Promise<void>,
	) {
		this.#following = vscode.workspace.onDidRenameFiles(({ files }) => {
			for (const { newUri } of files) {
				const step = records.stateBy(newUri);
				if (step !== undefined && !this.#ours.has(step.id)) {
					inBackground(follow(step.id, step.state));
				}
			}
		});
	}

	dispose(): void {
		this.#following.dispose();
	}

	/**
	 * Puts a step into the list; `false` where the editor refuses it. A file that keeps its name is
	 * renamed to the same one, which does nothing, and yet is undone where that file is in front.
	 */
	async noteDown({ id, to, label, files, change }: UndoStep<State>): Promise<boolean> {
		const metadata = { needsConfirmation: false, label };
		const edit = new vscode.WorkspaceEdit();
		// First, so that nothing is renamed where a document cannot be changed.
		change?.(edit, metadata);
		for (const [from, into] of files) {
			edit.renameFile(from, into, {}, metadata);
		}
		const record = (state: State) => this.records.uri(id, state);
		edit.renameFile(record(this.records.otherThan(to)), record(to), {}, metadata);
		this.#ours.add(id);
		try {
			return await vscode.workspace.applyEdit(edit, { isRefactoring: true });
		} finally {
			this.#ours.delete(id);
		}
	}
}
