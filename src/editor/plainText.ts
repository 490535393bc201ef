import * as vscode from 'vscode';
import { columnBeside } from './column.js';

/**
 * A read-only document of plain text that no file holds. Its text is shown as it
 * is, character by character, because the user wants to see just that: an editor of plain text makes no
 * command of it, and marks characters that cannot be seen.
 */
export class PlainText implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<vscode.Uri>();
	readonly #provider: vscode.Disposable;
	readonly #uri: vscode.Uri;
	#text = '';

	/**
	 * @param scheme of its own
	 * @param name that of its tab
	 * @param language that of plain text with settings of its own
	 */
	constructor(
		scheme: string,
		name: string,
		private readonly language: string,
	) {
		this.#uri = vscode.Uri.from({ scheme, path: `/${name}` });
		this.#provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
			onDidChange: this.#changed.event,
			provideTextDocumentContent: () => this.#text,
		});
	}

	dispose(): void {
		this.#provider.dispose();
		this.#changed.dispose();
	}

	/** Shows this text beside what is in front, which keeps the focus. */
	async show(text: string): Promise<void> {
		this.#text = text;
		this.#changed.fire(this.#uri);
		const opened = await vscode.workspace.openTextDocument(this.#uri);
		const document = await vscode.languages.setTextDocumentLanguage(opened, this.language);
		await vscode.window.showTextDocument(document, {
			viewColumn: columnBeside(),
			preview: true,
			preserveFocus: true,
		});
	}
}
