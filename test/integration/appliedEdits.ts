import * as vscode from 'vscode';
import { atEnd } from './atEnd.js';

/** Edits that Easel asks for until the test ends, with what they ask of the user. */
export class AppliedEdits implements vscode.Disposable {
	/** True for each that is shown in the preview of refactorings first. */
	readonly previewed: boolean[] = [];
	/** Ends with the last edit: false where the user has discarded it. */
	ended: Thenable<boolean> | undefined;
	readonly #before = vscode.workspace.applyEdit;

	/** @param accept true to apply all of an edit at once, as a user does who ticks all in its preview */
	constructor(accept: boolean) {
		atEnd(() => this.dispose());
		const applyEdit: typeof vscode.workspace.applyEdit = (edit, metadata) => {
			this.previewed.push(metadata?.isRefactoring === true);
			const all = new vscode.WorkspaceEdit();
			edit.entries().forEach(([uri, edits]) => {
				all.set(uri, edits);
			});
			this.ended = accept ? this.#before(all) : this.#before(edit, metadata);
			return this.ended;
		};
		Object.assign(vscode.workspace, { applyEdit });
	}

	dispose(): void {
		Object.assign(vscode.workspace, { applyEdit: this.#before });
	}
}
