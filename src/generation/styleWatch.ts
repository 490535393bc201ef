import * as vscode from 'vscode';
import { runDetached } from '../editor/messages.js';
import { styleFileOf } from './styleFile.js';

/** Watches the style guides of the workspace folders, from when somebody wants to know of them. */
export class StyleWatch implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	#watching: vscode.Disposable | undefined;
	/** Those of the guides that are there now. */
	#watchers: readonly vscode.Disposable[] = [];

	/** A guide has changed, come or gone, or another one counts. */
	readonly onDidChange: vscode.Event<void> = (...listener) => {
		this.#watching ??= this.#begin();
		return this.#changed.event(...listener);
	};

	dispose(): void {
		vscode.Disposable.from(...this.#watchers, this.#changed).dispose();
		this.#watching?.dispose();
	}

	#begin(): vscode.Disposable {
		const again = () => {
			runDetached(this.#watchAll());
			this.#changed.fire();
		};
		runDetached(this.#watchAll());
		return vscode.Disposable.from(
			vscode.workspace.onDidChangeWorkspaceFolders(again),
			vscode.workspace.onDidGrantWorkspaceTrust(again),
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration('easel.style')) {
					again();
				}
			}),
		);
	}

	async #watchAll(): Promise<void> {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const guides = await Promise.all(
			// What is wrong with the setting is told when something is asked for.
			folders.map(({ uri }) => styleFileOf(uri).catch(() => undefined)),
		);
		vscode.Disposable.from(...this.#watchers).dispose();
		this.#watchers = guides.flatMap((guide) => (guide === undefined ? [] : this.#watch(guide)));
	}

	/** All of its folder, because its name may be a pattern to VS Code. */
	#watch(guide: vscode.Uri): vscode.Disposable[] {
		const folder = vscode.Uri.joinPath(guide, '..');
		const watcher = vscode.workspace.createFileSystemWatcher(
			new vscode.RelativePattern(folder, '*'),
		);
		const fire = (uri: vscode.Uri) => {
			if (uri.path === guide.path) {
				this.#changed.fire();
			}
		};
		return [
			watcher,
			watcher.onDidChange(fire),
			watcher.onDidCreate(fire),
			watcher.onDidDelete(fire),
		];
	}
}
