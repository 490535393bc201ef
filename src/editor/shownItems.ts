import type * as vscode from 'vscode';
import { safeText } from './untrustedText.js';

/** An item of a list. Its texts are shown as they are; an icon is named apart from them. */
export interface PickItem extends vscode.QuickPickItem {
	/** Of VS Code, before the label: `sparkle`. */
	readonly icon?: string;
}

/**
 * The items of one list as it shows them, in which VS Code would make icons of `$(x)` wherever that
 * stands, and those that were given, which are what the caller gets back.
 */
export class ShownItems<Item extends PickItem> {
	readonly #given = new WeakMap<vscode.QuickPickItem, Item>();

	show(items: readonly Item[]): vscode.QuickPickItem[] {
		return items.map((item) => {
			const shown = fit(item);
			this.#given.set(shown, item);
			return shown;
		});
	}

	/** Returns the item of one that is shown. */
	given(shown: vscode.QuickPickItem): Item {
		const item = this.#given.get(shown);
		if (item === undefined) {
			throw new Error('The list has never shown this item.');
		}
		return item;
	}
}

function fit({ icon, label, description, detail, ...others }: PickItem): vscode.QuickPickItem {
	const words = safeText(label);
	return {
		...others,
		label: icon === undefined ? words : `$(${icon}) ${words}`,
		description: description && safeText(description),
		detail: detail && safeText(detail),
	};
}
