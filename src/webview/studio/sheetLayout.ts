import type { SavedState } from '../../protocol/studio.js';
import type { Rectangle } from '../geometry.js';
import type { Heights } from './onScreen.js';
import type { Span } from './streamLayout.js';

export type CellSize = NonNullable<SavedState['sheet']>['cells'];

/** Where the cells of a sheet lie, all of one size. Lengths are in CSS pixels. */
export interface SheetLayout {
	readonly count: number;
	readonly columns: number;
	/** Of a cell, and of the place of its picture, which is a square. */
	readonly cellWidth: number;
	readonly cellHeight: number;
	readonly height: number;
}

/** Between two cells. */
const gap = 12;
/** Below a picture. */
export const nameHeight = 26;
/** The least that a cell is wide: small ones are for many, large ones as large as a thumbnail. */
const minWidth: Readonly<Record<CellSize, number>> = { small: 88, medium: 148, large: 220 };

/**
 * Lays out cells in rows that fill the width.
 *
 * @param width of the sheet; 0 where it is not known yet
 */
export function layOutSheet(count: number, width: number, size: CellSize): SheetLayout {
	const columns = Math.max(1, Math.floor((width + gap) / (minWidth[size] + gap)));
	const cellWidth = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
	const cellHeight = cellWidth + nameHeight;
	const rows = Math.ceil(count / columns);
	return { count, columns, cellWidth, cellHeight, height: Math.max(0, rows * (cellHeight + gap)) };
}

/** Where a cell lies. @param index from 0 */
export function placeOf({ columns, cellWidth, cellHeight }: SheetLayout, index: number): Rectangle {
	return {
		x: (index % columns) * (cellWidth + gap),
		y: Math.floor(index / columns) * (cellHeight + gap),
		width: cellWidth,
		height: cellHeight,
	};
}

/** The cells of all rows of which something lies between two heights. */
export function cellsBetween(
	{ count, columns, cellHeight }: SheetLayout,
	{ top, bottom }: Heights,
): Span {
	const row = cellHeight + gap;
	const start = Math.max(0, Math.floor((top + gap) / row)) * columns;
	const end = Math.max(0, Math.ceil(bottom / row)) * columns;
	return { start: Math.min(start, count), end: Math.min(Math.max(start, end), count) };
}

/**
 * The cell that a key leads to, `undefined` for other keys. At an edge it is the same one.
 *
 * @param screen the height that is seen, for Page Up and Page Down
 */
export function cellFor(
	key: string,
	from: number,
	{ count, columns, cellHeight }: SheetLayout,
	screen: number,
): number | undefined {
	const rows = Math.max(1, Math.floor(screen / (cellHeight + gap)));
	const within = (index: number) => Math.min(Math.max(index, 0), count - 1);
	/** To another row as far as there is one, in the same column. */
	const byRows = (by: number) => {
		const last = Math.floor((count - 1) / columns);
		const row = Math.min(Math.max(Math.floor(from / columns) + by, 0), last);
		return within(row * columns + (from % columns));
	};
	switch (key) {
		case 'ArrowLeft':
			return within(from - 1);
		case 'ArrowRight':
			return within(from + 1);
		case 'ArrowUp':
			return byRows(-1);
		case 'ArrowDown':
			return byRows(1);
		case 'PageUp':
			return byRows(-rows);
		case 'PageDown':
			return byRows(rows);
		case 'Home':
			return within(0);
		case 'End':
			return within(count - 1);
		default:
			return undefined;
	}
}
