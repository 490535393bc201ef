import * as vscode from 'vscode';
import { safeText } from './untrustedText.js';
import { createPick, settle, type Answer, type Common } from './quickInput.js';
import { ShownItems, type PickItem } from './shownItems.js';

type Ended<Item extends PickItem> = Answer<readonly Item[]> | ItemAnswer<Item> | ListAnswer<Item>;

interface PickManyQuestion<Item extends PickItem> extends Common {
	/** Shown as they arrive; the list is busy until then. */
	readonly items: Promise<readonly Item[]>;
	readonly selected: (item: Item) => boolean;
	/** What is shown where there is nothing to choose from. */
	readonly emptyText: string;
	/** Whether an item can be chosen at all; one that cannot only says something. */
	readonly selectable?: (item: Item) => boolean;
	/**
	 * The title for what is selected: VS Code's own button beside it says "OK" whatever that does.
	 * With nothing selected the question stays.
	 */
	readonly titleFor?: (selected: readonly Item[]) => string;
}

/** A button of one item was pressed, with what was selected then; the question can be put again. */
interface ItemAnswer<Item extends PickItem> {
	readonly type: 'item';
	readonly item: Item;
	readonly button: vscode.QuickInputButton;
	readonly selected: readonly Item[];
}

/** A button in the title was pressed, with what was selected then; the question can be put again. */
interface ListAnswer<Item extends PickItem> {
	readonly type: 'list';
	readonly button: vscode.QuickInputButton;
	readonly selected: readonly Item[];
}

export async function askPickMany<Item extends PickItem>(
	question: PickManyQuestion<Item>,
): Promise<Ended<Item>> {
	const pick = createPick(question);
	const shown = new ShownItems<Item>();
	const { selectable = () => true, titleFor } = question;
	const selected = () => pick.selectedItems.map((item) => shown.given(item));
	let count = 0;
	const showSelected = () => {
		count = pick.selectedItems.length;
		if (titleFor !== undefined) {
			pick.title = safeText(titleFor(selected()));
		}
	};
	pick.canSelectMany = true;
	pick.matchOnDescription = true;
	pick.busy = true;
	const answer = Promise.withResolvers<Ended<Item>>();
	const accept = () => {
		// While the list is busy, the user has not seen what is ticked.
		if (!pick.busy && (titleFor === undefined || pick.selectedItems.length > 0)) {
			answer.resolve({ type: 'value', value: selected() });
		}
	};
	pick.onDidChangeSelection((items) => {
		const allowed = items.filter((item) => selectable(shown.given(item)));
		const barred = items.length - allowed.length;
		if (barred > 0) {
			// The user ticks one at a time; the box for all of them ticks more. It is never checked with
			// these among them, and so could never be used to untick what is ticked.
			const isBoxForAll = barred > 1 && allowed.length === count && pick.value === '';
			pick.selectedItems = isBoxForAll ? [] : allowed;
		}
		showSelected();
	});
	pick.onDidTriggerItemButton(({ item, button }) => {
		answer.resolve({ type: 'item', item: shown.given(item), button, selected: selected() });
	});
	pick.onDidTriggerButton((button) => {
		if (button !== vscode.QuickInputButtons.Back) {
			answer.resolve({ type: 'list', button, selected: selected() });
		}
	});
	question.items.then((items) => {
		pick.items = shown.show(items);
		pick.selectedItems = pick.items.filter((item) => question.selected(shown.given(item)));
		pick.busy = false;
		showSelected();
		if (items.length === 0) {
			pick.placeholder = safeText(question.emptyText);
		}
	}, answer.reject);
	return settle<Ended<Item>>(pick, answer, accept);
}
