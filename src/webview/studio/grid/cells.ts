// The cells of the grid as they stand in the document: elements with a `data-cell`.

/** Those that are drawn, in order. */
export function drawnCells(grid: HTMLElement): HTMLElement[] {
	return [...grid.querySelectorAll<HTMLElement>('[data-cell]')];
}

/** The cell that something is in. */
export function cellIdOf(target: EventTarget | null): string | undefined {
	return target instanceof Element
		? target.closest<HTMLElement>('[data-cell]')?.dataset['cell']
		: undefined;
}

/** Returns the cells that are drawn, those in the middle of what is seen first. */
export function cellsBySight(grid: HTMLElement): string[] {
	const { top, bottom } = grid.getBoundingClientRect();
	const middle = (top + bottom) / 2;
	const distances = new Map<string, number>();
	for (const cell of drawnCells(grid)) {
		const box = cell.getBoundingClientRect();
		distances.set(cell.dataset['cell']!, Math.abs((box.top + box.bottom) / 2 - middle));
	}
	return [...distances.keys()].sort((a, b) => distances.get(a)! - distances.get(b)!);
}

/**
 * The cell that a key leads to, by where they stand; `undefined` for other keys. At an edge it is the
 * same one.
 *
 * @param ids all cells, drawn or not, in order
 */
export function cellForKey(
	grid: HTMLElement,
	key: string,
	cell: HTMLElement,
	ids: readonly string[],
): string | undefined {
	const id = cell.dataset['cell'];
	const cells = drawnCells(grid);
	const index = cells.indexOf(cell);
	const screen = grid.clientHeight - cell.clientHeight;
	switch (key) {
		case 'ArrowLeft':
			return cells[index - 1]?.dataset['cell'] ?? id;
		case 'ArrowRight':
			return cells[index + 1]?.dataset['cell'] ?? id;
		case 'ArrowUp':
			return cellBeyond(cells, cell, -1) ?? id;
		case 'ArrowDown':
			return cellBeyond(cells, cell, 1) ?? id;
		case 'PageUp':
			return cellBeyond(cells, cell, -1, screen) ?? id;
		case 'PageDown':
			return cellBeyond(cells, cell, 1, screen) ?? id;
		case 'Home':
			return ids[0];
		case 'End':
			return ids.at(-1);
		default:
			return undefined;
	}
}

/**
 * The cell above (-1) or below (1), in the next row, or in the last one within a distance.
 *
 * @param distance in CSS pixels
 */
function cellBeyond(
	cells: readonly HTMLElement[],
	from: HTMLElement,
	by: -1 | 1,
	distance = 0,
): string | undefined {
	const { top, left, width } = from.getBoundingClientRect();
	const middle = left + Math.min(width, 80) / 2;
	const places = cells.map((cell) => {
		const box = cell.getBoundingClientRect();
		return {
			id: cell.dataset['cell'],
			away: (box.top - top) * by,
			beside: Math.max(box.left - middle, middle - box.right, 0),
		};
	});
	const beyond = places.filter(({ away }) => away > 1);
	const within = beyond.filter(({ away }) => away <= distance);
	const away =
		within.length > 0
			? Math.max(...within.map((place) => place.away))
			: Math.min(...beyond.map((place) => place.away));
	return beyond
		.filter((place) => Math.abs(place.away - away) < 2)
		.sort((a, b) => a.beside - b.beside)[0]?.id;
}
