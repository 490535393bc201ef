import * as vscode from 'vscode';
import { until } from '../host/until.js';

/** The lists that Easel shows while something is done, so that they can be read and answered. */
export class QuickPicks {
	readonly #shown: vscode.QuickPick<vscode.QuickPickItem>[] = [];
	readonly #boxes: vscode.InputBox[] = [];
	readonly #window = {
		createQuickPick: vscode.window.createQuickPick,
		createInputBox: vscode.window.createInputBox,
	};

	constructor() {
		const { createQuickPick, createInputBox } = this.#window;
		const noting =
			<T>(create: () => T, noted: T[]) =>
			() => {
				const input = create();
				noted.push(input);
				return input;
			};
		Object.assign(vscode.window, {
			createQuickPick: noting(() => createQuickPick(), this.#shown),
			createInputBox: noting(createInputBox, this.#boxes),
		});
	}

	dispose(): void {
		Object.assign(vscode.window, this.#window);
	}

	/** Waits until a line of text is asked for. */
	async askedForText(): Promise<void> {
		await until(() => this.#boxes.length > 0, 'a line of text to be asked for');
	}

	/** Waits until the list in front has this title or placeholder, and items. */
	async shown(words: RegExp): Promise<vscode.QuickPick<vscode.QuickPickItem>> {
		const inFront = () => this.#shown.at(-1);
		await until(
			() => {
				const pick = inFront();
				return (
					pick !== undefined &&
					pick.items.length > 0 &&
					words.test(`${pick.title ?? ''}\n${pick.placeholder ?? ''}`)
				);
			},
			`a list with ${String(words)}`,
		);
		return inFront()!;
	}

	/** Moves to the item whose label or detail contains the words, and ticks or unticks it. */
	async toggle(pick: vscode.QuickPick<vscode.QuickPickItem>, words: string): Promise<void> {
		const item = pick.items.find(({ label, detail }) =>
			`${label}\n${detail ?? ''}`.includes(words),
		);
		if (item === undefined) {
			throw new Error(`There is no item with “${words}”.`);
		}
		const active = new Promise<void>((resolve) => {
			const listener = pick.onDidChangeActive((items) => {
				if (items.includes(item)) {
					listener.dispose();
					resolve();
				}
			});
		});
		if (!pick.activeItems.includes(item)) {
			pick.activeItems = [item];
			await active;
		}
		const changed = new Promise<void>((resolve) => {
			const listener = pick.onDidChangeSelection(() => {
				listener.dispose();
				resolve();
			});
		});
		await vscode.commands.executeCommand('workbench.action.quickPickManyToggle');
		await changed;
	}

	/** Presses Enter. */
	async accept(): Promise<void> {
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
	}

	/** Presses Escape. */
	async leave(): Promise<void> {
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
	}
}
