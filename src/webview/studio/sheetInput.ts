import type { LitElement } from 'lit';
import type { SheetFile } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import type { Point } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { cellFor, type SheetLayout } from './sheetLayout.js';
import { selectOnly, selectTo, toggle, type SheetSelection } from './sheetSelection.js';

/** The grid, as far as its input needs it. */
interface Grid extends LitElement {
	readonly files: readonly SheetFile[];
	readonly selection: SheetSelection;
}

/** What the grid says of itself; each is asked whenever it is needed. */
interface Options {
	/** The index of the file with the tab stop; -1 where there is none. */
	active(): number;
	layout(): SheetLayout;
	/** The height that is seen, in pixels. */
	screen(): number;
	/** Gives a file the tab stop and the focus. */
	focus(id: string): void;
	cell(id: string): HTMLElement | undefined;
}

/** What keys and the pointer do in a sheet. */
export class SheetInput {
	constructor(
		private readonly host: Grid,
		private readonly options: Options,
	) {}

	readonly onKey = (event: KeyboardEvent): void => {
		const index = this.options.active();
		const id = this.host.files[index]?.id;
		if (id === undefined) {
			return;
		}
		if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
			event.preventDefault();
			this.#openMenu(id);
			return;
		}
		if (!hasModifier(event) && this.#act(event, index, id)) {
			event.preventDefault();
		}
	};

	readonly onClick = (event: MouseEvent): void => {
		const id = idOf(event.target);
		if (id === undefined) {
			return;
		}
		const isOnCheck = event.target instanceof Element && event.target.closest('.check') !== null;
		if (event.shiftKey) {
			this.#select(selectTo(this.host.selection, id, this.#ids));
		} else if (event.ctrlKey || event.metaKey || isOnCheck) {
			this.#select(toggle(this.host.selection, id));
		} else {
			this.#select(selectOnly(id));
		}
	};

	readonly onDoubleClick = (event: MouseEvent): void => {
		const id = idOf(event.target);
		if (id !== undefined && !hasModifier(event) && !event.shiftKey) {
			dispatch(this.host, 'easel-sheet-open', id);
		}
	};

	readonly onContextMenu = (event: MouseEvent): void => {
		const id = idOf(event.target);
		if (id !== undefined) {
			event.preventDefault();
			// The key has no place of its own.
			const byPointer = event.clientX !== 0 || event.clientY !== 0;
			this.#openMenu(id, byPointer ? { x: event.clientX, y: event.clientY } : undefined);
		}
	};

	/** Returns whether the key means something. */
	#act(event: KeyboardEvent, index: number, id: string): boolean {
		const to = cellFor(event.key, index, this.options.layout(), this.options.screen());
		const there = to === undefined ? undefined : this.host.files[to]?.id;
		if (there !== undefined) {
			if (event.shiftKey) {
				this.#select(selectTo(this.host.selection, there, this.#ids, id));
			}
			this.options.focus(there);
			return true;
		}
		if (event.key === ' ') {
			this.#select(toggle(this.host.selection, id));
			return true;
		}
		if (event.key === 'Enter' && !event.repeat) {
			dispatch(this.host, 'easel-sheet-open', id);
			return true;
		}
		return false;
	}

	/** For what is selected; where this one is not, for this one alone. */
	#openMenu(id: string, at?: Point): void {
		const cell = this.options.cell(id);
		if (cell !== undefined) {
			if (!this.host.selection.ids.has(id)) {
				this.#select(selectOnly(id));
			}
			const { left, top, width } = cell.getBoundingClientRect();
			const middle = { x: left + width / 4, y: top + width / 4 };
			dispatch(this.host, 'easel-sheet-menu', { at: at ?? middle, cell });
		}
	}

	#select(selection: SheetSelection): void {
		dispatch(this.host, 'easel-sheet-select', selection);
	}

	get #ids(): string[] {
		return this.host.files.map(({ id }) => id);
	}
}

/** The file whose cell something is in. */
export function idOf(target: EventTarget | null): string | undefined {
	return target instanceof Element
		? target.closest<HTMLElement>('.cell')?.dataset['cell']
		: undefined;
}
