import type { LitElement } from 'lit';
import { successor } from './successor.js';

/**
 * Keeps the focus in a list when an update removes or moves the item that has it. Items are what has
 * a `data-id`.
 *
 * @param ids of the items, asked before every update
 * @param focus gives the focus to an item: the one that had it, the next one, or the one before;
 * `undefined` where none is left. `onButton`: it is the same item, and one of its buttons had it
 */
export function keepFocus(
	host: LitElement,
	ids: () => readonly string[],
	focus: (item: HTMLElement | undefined, onButton: boolean) => void,
): void {
	let known: readonly string[] = [];
	let next: { readonly id: string | undefined; readonly onButton: boolean } | undefined;
	host.addController({
		hostUpdate() {
			const before = known;
			known = ids();
			const focused = host.shadowRoot?.activeElement;
			const id = focused?.closest<HTMLElement>('[data-id]')?.dataset['id'];
			if (focused == null || id === undefined) {
				next = undefined;
				return;
			}
			const nextId = successor(id, before, known);
			next = { id: nextId, onButton: nextId === id && focused.matches('button') };
		},
		hostUpdated() {
			if (next !== undefined && host.shadowRoot?.activeElement === null) {
				const { id, onButton } = next;
				const items = [...host.renderRoot.querySelectorAll<HTMLElement>('[data-id]')];
				focus(
					items.find(({ dataset }) => dataset['id'] === id),
					onButton,
				);
			}
		},
	});
}
