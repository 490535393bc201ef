import * as vscode from 'vscode';
import { previewButton } from '../../generation/requestPreview.js';
import { StyleOption } from '../../generation/styleOption.js';
import type { Styles } from '../../generation/styles.js';
import type { Size } from '../../service/contract.js';
import { choicesOf, type Wanted } from './ask.js';

interface FolderStyle {
	readonly option: StyleOption;
	readonly size: Size | undefined;
}

/** The styles of missing images, which may lie in several workspace folders: all have one, or none. */
export class WantedStyles {
	#withoutStyle = false;

	private constructor(
		private readonly folders: ReadonlyMap<string | undefined, FolderStyle>,
		private readonly styles: Styles,
	) {}

	/** @param documents those of the images, as paths */
	static async of(documents: readonly string[], styles: Styles): Promise<WantedStyles> {
		const uris = new Map(documents.map(folderOf).map((uri) => [uri?.toString(), uri]));
		const folders = new Map<string | undefined, FolderStyle>();
		for (const [key, folder] of uris) {
			const option = await StyleOption.of(folder, styles);
			folders.set(key, { option, size: await styles.sizeFor(folder) });
		}
		return new WantedStyles(folders, styles);
	}

	/** The size that the style of a document's workspace folder names, where it names one. */
	sizeFor(document: string): Size | undefined {
		return this.#styleFor(document)?.size;
	}

	get withoutStyle(): boolean {
		return this.#withoutStyle;
	}

	get buttons(): vscode.QuickInputButton[] {
		// The list has no row for it.
		return [...this.#common.buttons(this), previewButton];
	}

	async press(button: vscode.QuickInputButton, all: readonly Wanted[]): Promise<void> {
		const choices = { withoutStyle: this.#withoutStyle };
		if (this.#common.toggle(button, choices)) {
			this.#withoutStyle = choices.withoutStyle;
			return;
		}
		await this.styles.preview.show(
			all.map(({ image, prompt, size }) => {
				const asked = { ...choicesOf(image, prompt, size), ...choices };
				return [asked, this.#styleFor(image.document)?.option.applied(asked)];
			}),
		);
	}

	#styleFor(document: string): FolderStyle | undefined {
		return this.folders.get(folderOf(document)?.toString());
	}

	/** One that has a style, where one does. */
	get #common(): StyleOption {
		const all = [...this.folders.values()].map(({ option }) => option);
		return all.find(({ isThere }) => isThere) ?? all[0]!;
	}
}

function folderOf(document: string): vscode.Uri | undefined {
	return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(document))?.uri;
}
