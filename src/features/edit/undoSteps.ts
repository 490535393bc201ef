import * as vscode from 'vscode';
import { inBackground } from '../../editor/messages.js';
import { changeAll, type DocumentEdits } from './references.js';
import { nameOf } from './replacementMessages.js';
import {
	namesOf,
	otherThan,
	type Replacement,
	type ReplacementRecords,
	type Shown,
} from './replacementRecords.js';

/**
 * Exchanges of images as steps in the editor's list of what can be undone. Nothing but names change
 * by such a step: VS Code removes what it has created when that is undone, whatever it is by then, so
 * it gets no file to create or to delete.
 */
export class UndoSteps implements vscode.Disposable {
	readonly #following: vscode.Disposable;
	/** Those that are being noted down, so that they are not followed. */
	readonly #ours = new Set<string>();

	/** @param follow does with the images what the editor's undo or redo has done with their names */
	constructor(
		private readonly records: ReplacementRecords,
		follow: (id: string, shown: Shown) => Promise<void>,
	) {
		this.#following = vscode.workspace.onDidRenameFiles(({ files }) => {
			for (const { newUri } of files) {
				const step = records.shownBy(newUri);
				if (step !== undefined && !this.#ours.has(step.id)) {
					inBackground(follow(step.id, step.shown));
				}
			}
		});
	}

	dispose(): void {
		this.#following.dispose();
	}

	/**
	 * Puts a step into the list; `false` where the editor refuses it. An image that keeps its name is
	 * renamed to the same one, which does nothing, and yet is undone where that image is in front.
	 *
	 * @param documents are changed with it
	 */
	async noteDown(
		replacement: Replacement,
		to: Shown,
		documents: readonly DocumentEdits[],
	): Promise<boolean> {
		const { id, original } = replacement;
		const name = nameOf(original);
		const label = to === 'edited' ? `Replace ${name}` : `Put ${name} back`;
		const metadata = { needsConfirmation: false, label };
		const edit = new vscode.WorkspaceEdit();
		// First, so that nothing is renamed where a document cannot be changed.
		changeAll(edit, documents, metadata);
		edit.renameFile(...namesOf(replacement, to), {}, metadata);
		edit.renameFile(
			this.records.uri(replacement, otherThan(to)),
			this.records.uri(replacement, to),
			{},
			metadata,
		);
		this.#ours.add(id);
		try {
			return await vscode.workspace.applyEdit(edit, { isRefactoring: true });
		} finally {
			this.#ours.delete(id);
		}
	}
}
