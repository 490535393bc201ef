import * as vscode from 'vscode';
import { texts } from './texts.js';
import { safeText, shownItem, type PickItem, type ShownItem } from './untrustedText.js';
import { ping } from './windowHealth.js';

/** End of a step in a series of inputs; `undefined` means that it was cancelled. */
export type Answer<T> =
	| { readonly type: 'value'; readonly value: T }
	| { readonly type: 'back' }
	| { readonly type: 'button'; readonly button: vscode.QuickInputButton; readonly text: string }
	| undefined;

/** Ends that every question has. */
type Left = Exclude<Answer<never>, { type: 'value' }>;

/** Fields of every question. */
interface Common {
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
	/** Returns the problem of the text, or `undefined`; nothing wrong is accepted. */
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
	// While the user still types the first words a complaint would only be in the way.
	let complain = false;
	const check = () => {
		const problem = question.problem?.(input.value);
		input.validationMessage = complain ? problem && safeText(problem) : undefined;
		return problem;
	};
	input.onDidChangeValue(check);
	return settle(input, answer, () => {
		complain = true;
		if (check() === undefined) {
			answer.resolve({ type: 'value', value: input.value });
		}
	});
}

export function inputButton(icon: string, tooltip: string): vscode.QuickInputButton {
	return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

/** An item that stands for something; without a value it only says something. */
export interface ValueItem extends PickItem {
	readonly value?: string;
}

/** One that does something itself when it is chosen, before the question is asked again. */
export interface ActionItem extends ValueItem {
	readonly run?: () => Promise<'again' | undefined>;
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
	/** Returns whether an item can end the question as it is; where it cannot, nothing happens. */
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
	const { itemsFor, onPaste } = question;
	const answer = Promise.withResolvers<Answer<Item>>();
	const pick = createPick<Item>(question);
	const showItems = () => {
		pick.items = (itemsFor?.(pick.value) ?? question.items).map(shownItem);
	};
	pick.matchOnDescription = question.matchOnDescription ?? false;
	// The list is drawn in another process. What is in front there when Enter comes right behind the
	// last letter belongs to another text, and would be asked and paid for unseen.
	let drawnFor: string | undefined;
	/** Puts the item of the text itself in front: VS Code begins with one that contains the text. */
	const showFirst = () => {
		// Without a text, no item stands for it.
		drawnFor = pick.value === '' ? '' : undefined;
		showItems();
		pick.activeItems = pick.items.slice(0, 1);
	};
	pick.value = question.text ?? '';
	if (itemsFor === undefined) {
		showItems();
	} else {
		showFirst();
	}
	if (question.active !== undefined) {
		pick.activeItems = pick.items.filter(({ given }) => given === question.active);
	}
	let before = pick.value;
	const changing = question.onDidChangeItems?.(() => {
		const [active] = pick.activeItems;
		if (drawnFor !== pick.value || active === undefined || active === pick.items[0]) {
			showFirst();
			return;
		}
		// By its label: there may be more items or fewer before it.
		showItems();
		const same = pick.items.find(({ label }) => label === active.label) ?? pick.items[0];
		pick.activeItems = same === undefined ? [] : [same];
	});
	if (itemsFor !== undefined) {
		pick.onDidChangeValue((text) => {
			showFirst();
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
			const text = question.onItemButton?.(item.given, button);
			if (text !== undefined) {
				answer.resolve({ type: 'button', button, text });
				return;
			}
			showItems();
			// The item that was moved stays in focus, so that it can be moved on.
			pick.activeItems = pick.items.filter(({ label }) => label === item.label);
		});
	}
	const accept = () => {
		const isDrawn = itemsFor === undefined || drawnFor === pick.value;
		const taken = isDrawn ? (pick.selectedItems[0] ?? pick.activeItems[0]) : pick.items[0];
		if (taken !== undefined && (question.acceptable?.(taken.given) ?? true)) {
			answer.resolve({ type: 'value', value: taken.given });
		}
	};
	try {
		return await settle(pick, answer, accept);
	} finally {
		changing?.dispose();
	}
}

interface PickManyQuestion<Item extends PickItem> extends Common {
	/** Shown as they arrive; the list is busy until then. */
	readonly items: Promise<readonly Item[]>;
	readonly selected: (item: Item) => boolean;
	/** Text where there is nothing to choose from. */
	readonly emptyText: string;
	/** Returns whether an item can be chosen at all; one that cannot only says something. */
	readonly selectable?: (item: Item) => boolean;
	/**
	 * The title for what is selected: VS Code's own button beside it says "OK" whatever that does.
	 * With nothing selected the question stays.
	 */
	readonly titleFor?: (selected: readonly Item[]) => string;
}

/** A button in the title or of an item was pressed; the question can be put again. */
type PickManyAnswer<Item> =
	| Answer<readonly Item[]>
	| ({
			readonly button: vscode.QuickInputButton;
			/** Items that were selected then. */
			readonly selected: readonly Item[];
	  } & ({ readonly type: 'list' } | { readonly type: 'item'; readonly item: Item }));

/** Asks for any number of items. */
export async function askPickMany<Item extends PickItem>(
	question: PickManyQuestion<Item>,
): Promise<PickManyAnswer<Item>> {
	const { selectable = () => true, titleFor } = question;
	const answer = Promise.withResolvers<PickManyAnswer<Item>>();
	const pick = createPick<Item>(question);
	const selected = () => pick.selectedItems.map(({ given }) => given);
	let count = 0;
	const showSelected = () => {
		count = pick.selectedItems.length;
		pick.title = safeText(titleFor?.(selected()) ?? question.title);
	};
	pick.canSelectMany = true;
	pick.matchOnDescription = true;
	pick.busy = true;
	pick.onDidChangeSelection((items) => {
		const allowed = items.filter(({ given }) => selectable(given));
		const barred = items.length - allowed.length;
		if (barred > 0) {
			// The user ticks one at a time; the box for all of them ticks more. It is never checked with
			// these among them, and so could never be used to untick what is ticked.
			const isBoxForAll = barred > 1 && allowed.length === count && pick.value === '';
			pick.selectedItems = isBoxForAll ? [] : allowed;
		}
		showSelected();
	});
	pick.onDidTriggerItemButton(({ item: { given }, button }) =>
		answer.resolve({ type: 'item', item: given, button, selected: selected() }),
	);
	pick.onDidTriggerButton((button) => {
		if (button !== vscode.QuickInputButtons.Back) {
			answer.resolve({ type: 'list', button, selected: selected() });
		}
	});
	question.items.then((items) => {
		pick.items = items.map(shownItem);
		pick.selectedItems = pick.items.filter(({ given }) => question.selected(given));
		pick.busy = false;
		showSelected();
		if (items.length === 0) {
			pick.placeholder = safeText(question.emptyText);
		}
	}, answer.reject);
	return settle<PickManyAnswer<Item>>(pick, answer, () => {
		// While the list is busy, the user has not seen what is ticked.
		if (!pick.busy && (titleFor === undefined || pick.selectedItems.length > 0)) {
			answer.resolve({ type: 'value', value: selected() });
		}
	});
}

/** Result of a step of {@link pickLoop}; `undefined` cancels everything. */
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

/**
 * Runs a search behind a list that is still empty and says how far it is. When the search is over
 * the list is gone, so that the next question takes its place; a notification would stay beside it.
 *
 * @param what is looked for: `missing images`
 * @param search gets what reports how far it is, and the signal of the list being left
 * @returns `undefined` where the user has left the list
 */
export async function searchWithProgress<T>(
	title: string,
	what: string,
	search: (report: (found: string) => void, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
	const leaving = new AbortController();
	const list = createPick({ title, placeholder: texts.lookingFor(what) });
	list.busy = true;
	list.onDidHide(() => leaving.abort());
	list.show();
	const report = (found: string) => {
		list.placeholder = safeText(texts.found(what, found));
	};
	try {
		const result = await search(report, leaving.signal);
		return leaving.signal.aborted ? undefined : result;
	} catch (error) {
		if (leaving.signal.aborted) {
			return undefined;
		}
		throw error;
	} finally {
		list.dispose();
	}
}

/** A list that is not shown yet. */
function createPick<Item extends PickItem>(question: Common): vscode.QuickPick<ShownItem<Item>> {
	const pick = vscode.window.createQuickPick<ShownItem<Item>>();
	prepare(pick, question);
	return pick;
}

/** Members that input boxes and picks share beyond `vscode.QuickInput`. */
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

/** Time after it is shown in which an input takes no Enter, in milliseconds. */
export const ignoredEnterMs = 300;

/**
 * Shows the input until it is answered, left by a button, or cancelled. An Enter that comes right
 * behind its appearance was typed into what had the keyboard before, and must not buy anything.
 *
 * @param accept called for every other Enter, and for a click on an item
 */
async function settle<A>(
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
	input.onDidHide(() => answer.resolve(undefined));
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
