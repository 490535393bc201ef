import { cellsOf, type Cell, type StreamLayout } from './streamLayout.js';

/** A tile, or the line of a round, and the index of its round. */
export interface PlacedCell {
	readonly round: number;
	readonly cell: Cell;
}

/**
 * Returns the cell of a slot or a collapsed round.
 *
 * @param round index of its round
 */
export function cellWith(
	layout: StreamLayout,
	round: number,
	id: string | undefined,
): PlacedCell | undefined {
	const cells = cellsIn(layout, round);
	const cell = cells.find(({ ids }) => ids.some((other) => other === id)) ?? cells[0];
	return cell && { round, cell };
}

/**
 * Returns the cell that a key leads to, `undefined` for other keys. At an edge it is the same one.
 *
 * @param screen the height that is seen, for Page Up and Page Down, in pixels
 */
export function cellFor(
	key: string,
	{ round, cell: from }: PlacedCell,
	layout: StreamLayout,
	screen: number,
): Cell | undefined {
	const { blocks } = layout;
	const cells = cellsIn(layout, round);
	const index = cells.findIndex(({ ids }) => ids[0] === from.ids[0]);
	switch (key) {
		case 'ArrowLeft':
			return cells[index - 1] ?? cellsIn(layout, round - 1).at(-1) ?? from;
		case 'ArrowRight':
			return cells[index + 1] ?? cellsIn(layout, round + 1)[0] ?? from;
		case 'ArrowUp':
			return besides(from, rowBeside(layout, round, from.row, -1)) ?? from;
		case 'ArrowDown':
			return besides(from, rowBeside(layout, round, from.row, 1)) ?? from;
		case 'PageUp':
			return pageFrom(layout, round, from, -1, screen);
		case 'PageDown':
			return pageFrom(layout, round, from, 1, screen);
		case 'Home':
			return cellsIn(layout, 0)[0];
		case 'End':
			return cellsIn(layout, blocks.length - 1).at(-1);
		default:
			return undefined;
	}
}

function cellsIn(layout: StreamLayout, round: number): Cell[] {
	const block = layout.blocks[round];
	return block === undefined ? [] : cellsOf(layout, block);
}

/** The row above (-1) or below (1): of the same round, else the nearest of the next shelf. */
function rowBeside(layout: StreamLayout, round: number, row: number, by: -1 | 1): Cell[] {
	const own = cellsIn(layout, round).filter((cell) => cell.row === row + by);
	if (own.length > 0) {
		return own;
	}
	const { start, end } = layout.shelves[layout.blocks[round]!.shelf + by] ?? { start: 0, end: 0 };
	return layout.blocks.slice(start, end).flatMap((block) => {
		const cells = cellsOf(layout, block);
		const edge = by > 0 ? 0 : cells.at(-1)?.row;
		return cells.filter((cell) => cell.row === edge);
	});
}

/** The one that lies straight above or below, as far as there is one. */
function besides(from: Cell, row: readonly Cell[]): Cell | undefined {
	const middle = from.x + Math.min(from.width, from.height) / 2;
	const distance = ({ x, width }: Cell) => Math.max(x - middle, middle - (x + width), 0);
	return row.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** As far as a screen reaches, by one row at least. */
function pageFrom(
	layout: StreamLayout,
	round: number,
	from: Cell,
	by: -1 | 1,
	screen: number,
): Cell {
	let at = from;
	let block = round;
	for (;;) {
		const next = besides(from, rowBeside(layout, block, at.row, by));
		if (next === undefined || (at !== from && Math.abs(next.y - from.y) > screen - next.height)) {
			return at;
		}
		block = roundOf(layout, next, block, by);
		at = next;
	}
}

/** Index of the round in which a cell is, looked for from another one on. */
function roundOf({ blocks }: StreamLayout, cell: Cell, from: number, by: -1 | 1): number {
	let at = from;
	const isIn = ({ x, y, width, height }: (typeof blocks)[number]) =>
		cell.x >= x && cell.x < x + width && cell.y >= y && cell.y < y + height;
	while (!isIn(blocks[at]!)) {
		at += by;
	}
	return at;
}
