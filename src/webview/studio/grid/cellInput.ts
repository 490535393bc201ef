import type { Point } from '../../geometry.js';
import { hasModifier } from '../../keys.js';
import { selectTo, toggle } from '../selection.js';
import { actOnCell, openCell, openCellMenu } from './cellActions.js';
import type { CellFocus, CellGrid } from './cellFocus.js';
import { cellForKey, cellIdOf } from './cells.js';

interface Host extends CellGrid {
	/** Number of cells beside each other. */
	readonly columns: number;
}

/** Keys and the pointer on cells: they move the focus, select, open, and open the menu. */
export function handleCellInput(grid: Host, focus: CellFocus): void {
	grid.addEventListener('keydown', (event) => onKey(grid, focus, event));
	grid.addEventListener('click', (event) => onClick(grid, focus, event));
	grid.addEventListener('contextmenu', (event) => onContextMenu(grid, focus, event));
}

function onKey(grid: Host, focus: CellFocus, event: KeyboardEvent): void {
	const { target, key, shiftKey } = event;
	const { store, columns } = grid;
	const id = target instanceof HTMLElement ? target.dataset['cell'] : undefined;
	if (event.defaultPrevented) {
		return;
	}
	if (id === undefined) {
		const isInField = target instanceof HTMLInputElement;
		if (key === 'Escape' && !isInField && actOnCell(store, event, '', columns)) {
			event.preventDefault();
			return;
		}
		// It is for a button; from those of a round's line, down leads to its pictures.
		const isInLine = target instanceof Element && target.closest('.header') !== null;
		if (key === 'ArrowDown' && isInLine && !isInField) {
			event.preventDefault();
			focus.focusOn(undefined);
		}
		return;
	}
	const cell = target as HTMLElement;
	if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) {
		event.preventDefault();
		openMenuOn(grid, focus, cell, id);
	} else if (actOnCell(store, event, id, columns)) {
		event.preventDefault();
	} else if (!hasModifier(event)) {
		move(grid, focus, event, cell, id);
	} else if (key === 'a' && (event.ctrlKey || event.metaKey)) {
		event.preventDefault();
		store.selected.select({ ids: new Set(selectable(grid)), from: undefined });
	}
}

function move(
	grid: Host,
	focus: CellFocus,
	event: KeyboardEvent,
	cell: HTMLElement,
	id: string,
): void {
	const { key, shiftKey } = event;
	const { library, selected } = grid.store;
	const to = cellForKey(grid, key, cell, grid.ids);
	if (to !== undefined) {
		event.preventDefault();
		if (shiftKey && library.isImage(to)) {
			selected.select(selectTo(selected.current, to, selectable(grid), id));
		}
		focus.focusOn(to);
	} else if (key === ' ' && library.isImage(id)) {
		event.preventDefault();
		selected.select(toggle(selected.current, id));
	} else if (key === 'Enter' && !event.repeat) {
		event.preventDefault();
		openCell(grid.store, id);
	}
}

function onClick(grid: Host, focus: CellFocus, event: MouseEvent): void {
	const { target } = event;
	const { library, selected } = grid.store;
	const id = cellIdOf(target);
	if (id === undefined || !(target instanceof Element) || target.closest('button') !== null) {
		return;
	}
	focus.active = id;
	const isSelectable = library.isImage(id);
	if (isSelectable && event.shiftKey) {
		selected.select(selectTo(selected.current, id, selectable(grid)));
	} else if (
		isSelectable &&
		(event.ctrlKey || event.metaKey || target.closest('.check') !== null)
	) {
		selected.select(toggle(selected.current, id));
	} else {
		openCell(grid.store, id);
	}
}

function onContextMenu(grid: Host, focus: CellFocus, event: MouseEvent): void {
	const id = cellIdOf(event.target);
	const cell = focus.elementOf(id);
	if (id !== undefined && cell !== undefined) {
		event.preventDefault();
		// The key has no place of its own.
		const isPointer = event.clientX !== 0 || event.clientY !== 0;
		const at = isPointer ? { x: event.clientX, y: event.clientY } : undefined;
		openMenuOn(grid, focus, cell, id, at);
	}
}

function openMenuOn(
	{ store }: Host,
	focus: CellFocus,
	cell: HTMLElement,
	id: string,
	at?: Point,
): void {
	const { left, top, width } = cell.getBoundingClientRect();
	focus.active = id;
	openCellMenu(store, id, at ?? { x: left + width / 4, y: top + width / 4 }, cell);
}

/** Images alone can be selected. */
function selectable({ ids, store }: Host): string[] {
	return ids.filter((id) => store.library.isImage(id));
}
