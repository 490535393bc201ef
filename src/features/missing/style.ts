import * as vscode from 'vscode';
import type { Choices } from '../../generation/draft.js';
import { StyleOption } from '../../generation/styleOption.js';
import type { Styles } from '../../generation/styles.js';
import type { Size } from '../../service/contract.js';

/** The styles of missing images, which may lie in several workspace folders: all have one, or none. */
export class WantedStyles {
	#withoutStyle = false;

	private constructor(
		/** By the workspace folder. */
		private readonly options: ReadonlyMap<string | undefined, StyleOption>,
		/** The same: what the style is offered in first. */
		private readonly sizes: ReadonlyMap<string | undefined, Size | undefined>,
		private readonly styles: Pick<Styles, 'preview'>,
	) {}

	/** @param documents those of the images, as paths */
	static async of(
		documents: readonly string[],
		styles: Pick<Styles, 'look' | 'preview' | 'sizeFor'>,
	): Promise<WantedStyles> {
		const folders = new Map(documents.map(folderOf).map((uri) => [uri?.toString(), uri]));
		const options = new Map<string | undefined, StyleOption>();
		const sizes = new Map<string | undefined, Size | undefined>();
		for (const [key, folder] of folders) {
			options.set(key, await StyleOption.of(folder, styles));
			sizes.set(key, await styles.sizeFor(folder));
		}
		return new WantedStyles(options, sizes, styles);
	}

	/** The size that the style of a document's workspace folder names, where it names one. */
	sizeFor(document: string): Size | undefined {
		return this.sizes.get(folderOf(document)?.toString());
	}

	get withoutStyle(): boolean {
		return this.#withoutStyle;
	}

	/** In the title of the list. */
	get buttons(): vscode.QuickInputButton[] {
		return this.#common.buttons(this);
	}

	/**
	 * Does what a button stands for.
	 *
	 * @param wanted what would be asked for now, each with its document
	 */
	async press(
		button: vscode.QuickInputButton,
		wanted: readonly (readonly [document: string, choices: Choices])[],
	): Promise<void> {
		const choices = { withoutStyle: this.#withoutStyle };
		if (this.#common.toggle(button, choices)) {
			this.#withoutStyle = choices.withoutStyle;
			return;
		}
		await this.styles.preview.show(
			wanted.map(([document, one]) => {
				const option = this.options.get(folderOf(document)?.toString());
				const asked = { ...one, withoutStyle: this.#withoutStyle };
				return [asked, option?.applied(asked)];
			}),
		);
	}

	/** One that has a style, where one does. */
	get #common(): StyleOption {
		const all = [...this.options.values()];
		return all.find(({ isThere }) => isThere) ?? all[0]!;
	}
}

function folderOf(document: string): vscode.Uri | undefined {
	return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(document))?.uri;
}
