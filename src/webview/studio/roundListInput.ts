import type { LitElement } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import type { Point } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { ask } from './events.js';
import { removes } from './imageActions.js';
import { cellFor, type PlacedCell } from './streamKeys.js';
import type { StreamLayout } from './streamLayout.js';

/** What the list says of itself; each is asked whenever it is needed. */
interface Options {
	active(): PlacedCell | undefined;
	/** Missing where the slot is none of an image, or nothing is known of it yet. */
	image(id: string): Image | undefined;
	/** Whether there is an image in this slot. */
	isImage(id: string): boolean;
	isCollapsed(id: string): boolean;
	layout(): StreamLayout;
	/** The height that is seen, in pixels. */
	screen(): number;
	/** The element of a cell. */
	element(id: string): HTMLElement | undefined;
	focus(id: string): void;
	/** Makes it the one with the tab stop. */
	activate(id: string): void;
	openJob(id: string): void;
	/** Forgets a failure. */
	dismiss(id: string): void;
}

/** What keys and the pointer do in the list of rounds. */
export class RoundListInput {
	constructor(
		private readonly host: LitElement,
		private readonly options: Options,
	) {}

	readonly onKey = (event: KeyboardEvent): void => {
		const id = cellIdOf(event.target);
		const active = this.options.active();
		if (active === undefined || id === undefined) {
			// It is for one of the buttons; from those of a round, down leads to its tiles.
			if (active !== undefined && event.key === 'ArrowDown' && isInHeader(event.target)) {
				event.preventDefault();
				this.options.focus(active.cell.ids[0]!);
			}
			return;
		}
		const isLine = this.options.isCollapsed(id);
		if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
			event.preventDefault();
			this.#openMenu(id);
			return;
		}
		if (removes(event) && !isLine) {
			event.preventDefault();
			this.#remove(id);
			return;
		}
		if (hasModifier(event) || event.shiftKey) {
			return;
		}
		const to = cellFor(event.key, active, this.options.layout(), this.options.screen());
		if (to !== undefined) {
			event.preventDefault();
			this.options.focus(to.ids[0]!);
		} else if (!isLine && this.#act(event.key, id)) {
			event.preventDefault();
		}
	};

	readonly onFocusIn = ({ target }: FocusEvent): void => {
		const id =
			closest(target, '[data-cell]')?.dataset['cell'] ??
			closest(target, '[data-round]')?.dataset['round'];
		if (id !== undefined) {
			this.options.activate(id);
		}
	};

	readonly onClick = (event: MouseEvent): void => {
		const tile = tileOf(event.target);
		const id = tile?.dataset['cell'];
		if (id === undefined || closest(event.target, 'button') !== undefined) {
			return;
		}
		if (!this.options.isImage(id)) {
			this.options.openJob(id);
			return;
		}
		const selects = event.ctrlKey || event.metaKey || closest(event.target, '.check') !== undefined;
		dispatch(this.host, selects ? 'easel-list-select' : 'easel-list-open', id);
	};

	readonly onContextMenu = (event: MouseEvent): void => {
		const id = tileOf(event.target)?.dataset['cell'];
		if (id !== undefined) {
			event.preventDefault();
			// The key has no place of its own.
			const byPointer = event.clientX !== 0 || event.clientY !== 0;
			this.#openMenu(id, byPointer ? { x: event.clientX, y: event.clientY } : undefined);
		}
	};

	/** Returns whether the key means something. */
	#act(key: string, id: string): boolean {
		if (!this.options.isImage(id)) {
			if (key === 'Enter' || key === ' ') {
				this.options.openJob(id);
				return true;
			}
			return false;
		}
		switch (key) {
			case 'Enter':
				dispatch(this.host, 'easel-list-open', id);
				return true;
			case ' ':
				dispatch(this.host, 'easel-list-select', id);
				return true;
			case 'k':
			case 'K':
				ask(this.host, {
					type: 'markImage',
					id,
					kept: this.options.image(id)?.kept !== true,
				});
				return true;
			case 'e':
			case 'E':
				ask(this.host, { type: 'image', id, action: 'edit' });
				return true;
			default:
				return false;
		}
	}

	#remove(id: string): void {
		if (this.options.isImage(id)) {
			ask(this.host, { type: 'image', id, action: 'remove' });
		} else {
			this.options.dismiss(id);
		}
	}

	#openMenu(id: string, at?: Point): void {
		const tile = this.options.element(id);
		if (tile === undefined || this.options.isCollapsed(id)) {
			return;
		}
		this.options.activate(id);
		if (!this.options.isImage(id)) {
			this.options.openJob(id);
			return;
		}
		const { left, top, width } = tile.getBoundingClientRect();
		dispatch(this.host, 'easel-grid-menu', {
			id,
			at: at ?? { x: left + width / 4, y: top + width / 4 },
			tile,
		});
	}
}

/** Of the cell that has the focus itself, and not one of its buttons. */
function cellIdOf(target: EventTarget | null): string | undefined {
	return target instanceof HTMLElement ? target.dataset['cell'] : undefined;
}

function isInHeader(target: EventTarget | null): boolean {
	return closest(target, '.header') !== undefined;
}

function tileOf(target: EventTarget | null): HTMLElement | undefined {
	return closest(target, '.tile');
}

function closest(target: EventTarget | null, selector: string): HTMLElement | undefined {
	return target instanceof Element
		? (target.closest<HTMLElement>(selector) ?? undefined)
		: undefined;
}
