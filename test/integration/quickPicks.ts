import * as vscode from 'vscode';
import { ignoredEnterMs } from '../../src/editor/quickInput.js';
import { ping } from '../../src/editor/windowHealth.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';

/** The lists that Easel shows until the test ends, so that they can be read and answered. */
export class QuickPicks {
	readonly #shown: vscode.QuickPick<vscode.QuickPickItem>[] = [];
	readonly #boxes: vscode.InputBox[] = [];
	/** Those whose ticks are drawn: the window tells of them. */
	readonly #ticked = new Set<vscode.QuickPick<vscode.QuickPickItem>>();
	/** Presses of buttons in rows, by their lists: the window has no command for them. */
	readonly #presses = new Map<
		vscode.QuickPick<vscode.QuickPickItem>,
		vscode.EventEmitter<vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>>
	>();
	readonly #window = {
		createQuickPick: vscode.window.createQuickPick,
		createInputBox: vscode.window.createInputBox,
	};

	constructor() {
		atEnd(() => this.dispose());
		const { createQuickPick, createInputBox } = this.#window;
		const noting =
			<T>(create: () => T, noted: T[]) =>
			() => {
				const input = create();
				noted.push(input);
				return input;
			};
		Object.assign(vscode.window, {
			createQuickPick: noting(() => {
				const pick = createQuickPick();
				pick.onDidChangeSelection(() => this.#ticked.add(pick));
				const presses = new vscode.EventEmitter<
					vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>
				>();
				pick.onDidTriggerItemButton((event) => presses.fire(event));
				Object.assign(pick, { onDidTriggerItemButton: presses.event });
				this.#presses.set(pick, presses);
				return pick;
			}, this.#shown),
			createInputBox: noting(createInputBox, this.#boxes),
		});
	}

	dispose(): void {
		Object.assign(vscode.window, this.#window);
	}

	/** The list in front. */
	get last(): vscode.QuickPick<vscode.QuickPickItem> | undefined {
		return this.#shown.at(-1);
	}

	/** Waits until a line of text is asked for, with words in its prompt. */
	async askedForText(words = /(?:)/): Promise<vscode.InputBox> {
		const isAsked = () => words.test(this.#boxes.at(-1)?.prompt ?? '');
		await until(() => this.#boxes.length > 0 && isAsked(), 'a line of text to be asked for');
		return this.#boxes.at(-1)!;
	}

	/** Waits until the list in front has this title or placeholder, and items. */
	async shown(words: RegExp): Promise<vscode.QuickPick<vscode.QuickPickItem>> {
		const inFront = () => this.last;
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

	/** The same for a list in which something is ticked from the start: waits until that is drawn. */
	async shownTicked(words: RegExp): Promise<vscode.QuickPick<vscode.QuickPickItem>> {
		const pick = await this.shown(words);
		await until(() => this.#ticked.has(pick), `the ticks of the list with ${String(words)}`);
		return pick;
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

	/** Presses a button in the row whose label or detail contains the words. */
	press(pick: vscode.QuickPick<vscode.QuickPickItem>, words: string, tooltip: string): void {
		const item = pick.items.find(({ label, detail }) =>
			`${label}\n${detail ?? ''}`.includes(words),
		);
		const button = item?.buttons?.find((one) => one.tooltip === tooltip);
		if (item === undefined || button === undefined) {
			throw new Error(`There is no button “${tooltip}” in a row with “${words}”.`);
		}
		this.#presses.get(pick)?.fire({ item, button });
	}

	/** Presses Enter, as soon as an input takes it. */
	async accept(): Promise<void> {
		// The window answers in order, so an input that waits for that has heard it before.
		await ping();
		const seenAt = performance.now();
		await until(() => performance.now() - seenAt > ignoredEnterMs, 'the input to take an Enter');
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
	}

	/** Presses Escape. */
	async leave(): Promise<void> {
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
	}
}
