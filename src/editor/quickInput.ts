import * as vscode from 'vscode';
import { safeText } from './untrustedText.js';
import { ShownItems, type PickItem } from './shownItems.js';
import { ping } from './windowHealth.js';

/** What a step of a series of inputs ended with; `undefined` means that it was cancelled. */
export type Answer<T> =
	| { readonly type: 'value'; readonly value: T }
	| { readonly type: 'back' }
	| { readonly type: 'button'; readonly button: vscode.QuickInputButton; readonly text: string }
	| undefined;

/** How every question can be left. */
type Left = Exclude<Answer<never>, { type: 'value' }>;

/** What all questions have in common. */
export interface Common {
	readonly title: string;
	/** Position in the series, from 1, where there is one. */
	readonly step?: number;
	readonly totalSteps?: number;
	readonly canGoBack?: boolean;
	readonly buttons?: readonly vscode.QuickInputButton[];
	readonly placeholder?: string;
	/** The text to start with. */
	readonly text?: string;
}

export interface TextQuestion extends Common {
	readonly prompt?: string;
	readonly password?: boolean;
	/** What is wrong with the text, or `undefined`; nothing wrong is accepted. */
	readonly problem?: (text: string) => string | undefined;
}

/** Asks for a line of text. */
export async function askText(question: TextQuestion): Promise<Answer<string>> {
	const input = vscode.window.createInputBox();
	prepare(input, question);
	input.password = question.password ?? false;
	input.prompt = question.prompt && safeText(question.prompt);
	input.value = question.text ?? '';
	const answer = Promise.withResolvers<Answer<string>>();
	// While a person still types the first words a complaint would only be in the way.
	let complain = false;
	const check = () => {
		const problem = question.problem?.(input.value);
		input.validationMessage = complain ? problem && safeText(problem) : undefined;
		return problem;
	};
	input.onDidChangeValue(check);
	const accept = () => {
		complain = true;
		if (check() === undefined) {
			answer.resolve({ type: 'value', value: input.value });
		}
	};
	return settle(input, answer, accept);
}

export function inputButton(icon: string, tooltip: string): vscode.QuickInputButton {
	return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

/** An item that stands for something; without a value it only says something. */
export interface ValueItem extends PickItem {
	readonly value?: string;
}

interface PickQuestion<Item extends PickItem> extends Common {
	readonly items: readonly Item[];
	/**
	 * The items for what is typed, where they depend on it; otherwise they are only filtered. The
	 * first one stands for the text itself: it is taken by Enter unless another one was chosen.
	 */
	readonly itemsFor?: (text: string) => readonly Item[];
	readonly active?: Item | undefined;
	readonly matchOnDescription?: boolean;
	/** Whether an item can end the question as it is; where it cannot, nothing happens. */
	readonly acceptable?: (item: Item) => boolean;
	/**
	 * A button of an item was pressed. The text that it returns is the answer, with the button; without
	 * one the question goes on, and the items are asked for anew.
	 */
	readonly onItemButton?: (item: Item, button: vscode.QuickInputButton) => string | undefined;
	/** When the items for the same text are others than before; the one in front stays in front. */
	readonly onDidChangeItems?: vscode.Event<void>;
	/** Leaves the question by a button where a change of the text has another text for it. */
	readonly onPaste?: {
		readonly button: vscode.QuickInputButton;
		readonly textFor: (before: string, text: string) => Promise<string | undefined>;
	};
}

/** Asks for one of several items. */
export async function askPick<Item extends PickItem>(
	question: PickQuestion<Item>,
): Promise<Answer<Item>> {
	const pick = createPick(question);
	const shown = new ShownItems<Item>();
	const answer = Promise.withResolvers<Answer<Item>>();
	pick.matchOnDescription = question.matchOnDescription ?? false;
	const itemsFor = question.itemsFor;
	pick.value = question.text ?? '';
	pick.items = shown.show(itemsFor?.(pick.value) ?? question.items);
	if (question.active !== undefined) {
		pick.activeItems = pick.items.filter((item) => shown.given(item) === question.active);
	}
	// The list is drawn in another process. What is in front there when Enter comes right behind the
	// last letter belongs to another text, and would be asked and paid for unseen.
	let drawnFor = pick.value;
	let before = pick.value;
	const { onPaste, onDidChangeItems } = question;
	const changing = onDidChangeItems?.(() => {
		const at = Math.max(
			0,
			pick.items.findIndex((item) => pick.activeItems.includes(item)),
		);
		pick.items = shown.show(itemsFor?.(pick.value) ?? question.items);
		pick.activeItems = pick.items.slice(at, at + 1);
	});
	if (itemsFor !== undefined) {
		pick.onDidChangeValue((text) => {
			pick.items = shown.show(itemsFor(text));
			pick.activeItems = pick.items.slice(0, 1);
			onPaste?.textFor(before, text).then(
				(pasted) => {
					if (pasted !== undefined) {
						answer.resolve({ type: 'button', button: onPaste.button, text: pasted });
					}
				},
				// A clipboard that cannot be read has nothing for an editor.
				() => undefined,
			);
			before = text;
		});
		pick.onDidChangeActive(([first]) => {
			if (first === pick.items[0]) {
				drawnFor = pick.value;
			}
		});
		pick.onDidTriggerItemButton(({ item, button }) => {
			const text = question.onItemButton?.(shown.given(item), button);
			if (text !== undefined) {
				answer.resolve({ type: 'button', button, text });
				return;
			}
			pick.items = shown.show(itemsFor(pick.value));
			// The item that was moved stays in focus, so that it can be moved on.
			pick.activeItems = pick.items.filter(({ label }) => label === item.label);
		});
	}
	const accept = () => {
		const isDrawn = itemsFor === undefined || drawnFor === pick.value;
		const taken = isDrawn ? (pick.selectedItems[0] ?? pick.activeItems[0]) : pick.items[0];
		const item = taken && shown.given(taken);
		if (item !== undefined && (question.acceptable?.(item) ?? true)) {
			answer.resolve({ type: 'value', value: item });
		}
	};
	try {
		return await settle(pick, answer, accept);
	} finally {
		changing?.dispose();
	}
}

/** What a step of {@link pickLoop} leads to; `undefined` cancels everything. */
export type LoopStep<T> = 'again' | { readonly done: T } | undefined;

/** Asks, hands the answer to a step, and asks again as long as that says so; `undefined` for cancel. */
export async function pickLoop<A, T>(
	ask: () => Promise<A | undefined>,
	step: (answer: A) => Promise<LoopStep<T>> | LoopStep<T>,
): Promise<T | undefined> {
	for (;;) {
		const answer = await ask();
		const next = answer === undefined ? undefined : await step(answer);
		if (next !== 'again') {
			return next?.done;
		}
	}
}

/** A list without items that says how far something is. */
interface BusyList extends vscode.Disposable {
	send(text: string): void;
}

/** Shows one, until it is disposed of. */
export function showBusyList(title: string, text: string, onLeft: () => void): BusyList {
	const list = createPick({ title, placeholder: text });
	list.busy = true;
	list.onDidHide(onLeft);
	list.show();
	return {
		send: (now) => {
			list.placeholder = safeText(now);
		},
		dispose: () => {
			list.dispose();
		},
	};
}

/** A list that is not shown yet. */
export function createPick(question: Common): vscode.QuickPick<vscode.QuickPickItem> {
	const pick = vscode.window.createQuickPick();
	prepare(pick, question);
	return pick;
}

/** What input boxes and picks have in common beyond `vscode.QuickInput`. */
interface Input extends vscode.QuickInput {
	value: string;
	placeholder: string | undefined;
	buttons: readonly vscode.QuickInputButton[];
	readonly onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
	readonly onDidAccept: vscode.Event<void>;
}

function prepare(input: Input, question: Common): void {
	input.title = safeText(question.title);
	input.step = question.step;
	input.totalSteps = question.totalSteps;
	input.placeholder = question.placeholder && safeText(question.placeholder);
	// A prompt or a key is often fetched from another window; losing it halfway would be a pity.
	input.ignoreFocusOut = true;
	input.buttons = [
		...(question.canGoBack === true ? [vscode.QuickInputButtons.Back] : []),
		...(question.buttons ?? []),
	];
}

/** How long an input takes no Enter from when it is shown, in milliseconds. */
export const ignoredEnterMs = 300;

/**
 * Shows the input until it is answered, left by a button, or cancelled. An Enter that comes right
 * behind its appearance was typed into what had the keyboard before, and must not buy anything.
 *
 * @param accept called for every other Enter, and for a click on an item
 */
export async function settle<A>(
	input: Input,
	answer: PromiseWithResolvers<A | Left>,
	accept: () => void,
): Promise<A | Left> {
	let acceptsFrom = Infinity;
	input.onDidAccept(() => {
		if (performance.now() >= acceptsFrom) {
			accept();
		}
	});
	input.onDidTriggerButton((button) => {
		answer.resolve(
			button === vscode.QuickInputButtons.Back
				? { type: 'back' }
				: { type: 'button', button, text: input.value },
		);
	});
	input.onDidHide(() => {
		answer.resolve(undefined);
	});
	input.show();
	// The window shows it before it answers.
	const appeared = () => {
		acceptsFrom = performance.now() + ignoredEnterMs;
	};
	ping().then(appeared, appeared);
	try {
		return await answer.promise;
	} finally {
		input.dispose();
	}
}
