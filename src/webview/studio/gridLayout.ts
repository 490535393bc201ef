import { between, type Rectangle } from '../geometry.js';

/** Tiles of one size in rows, all lengths in CSS pixels. Nothing has to be measured to place one. */
export interface GridLayout {
	/** How many tiles there are. */
	readonly count: number;
	readonly columns: number;
	/** A tile's width. The picture is a square of this width. */
	readonly width: number;
	/** A tile's height, with the caption below the picture. */
	readonly height: number;
}

/** Indexes of tiles; `end` is not among them. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** Between two tiles. */
export const gap = 8;
/** Below a picture. */
export const captionHeight = 30;
const narrowest = 160;
const widest = 220;
/** From this width on there are at least two in a row. */
const roomForTwo = 240;

/**
 * Lays the tiles out in rows that fill the width: tiles are 160 to 220 wide where whole tiles of
 * such a width fill it, else the nearest to it.
 *
 * @param width of the grid; 0 where it is not known yet
 */
export function layOut(width: number, count: number): GridLayout {
	const tileWidth = (columns: number) => Math.floor((width - gap * (columns - 1)) / columns);
	let columns = Math.max(1, Math.ceil((width + gap) / (widest + gap)));
	if (columns > 1 && tileWidth(columns) < narrowest) {
		columns -= 1;
	}
	if (width >= roomForTwo) {
		columns = Math.max(columns, 2);
	}
	const own = Math.max(1, tileWidth(columns));
	return { count, columns, width: own, height: own + captionHeight };
}

/** Of the whole grid. */
export function heightOf({ count, columns, height }: GridLayout): number {
	const rows = Math.ceil(count / columns);
	return Math.max(0, rows * (height + gap) - gap);
}

/** Returns where a tile lies in the grid. */
export function placeOf({ columns, width, height }: GridLayout, index: number): Rectangle {
	return {
		x: (index % columns) * (width + gap),
		y: Math.floor(index / columns) * (height + gap),
		width,
		height,
	};
}

/** Returns the tiles of all rows of which something lies between two heights of the grid. */
export function tilesBetween(layout: GridLayout, top: number, bottom: number): Span {
	const { count, columns, height } = layout;
	const pitch = height + gap;
	const first = Math.floor((top + gap) / pitch);
	const last = Math.ceil(bottom / pitch);
	const start = between(0, first * columns, count);
	return { start, end: between(start, last * columns, count) };
}

/**
 * Returns what to have ready around what is seen: one screen more below and above, whole rows, and
 * never more than so many. What is seen comes first, then what is below.
 */
export function tilesAround(layout: GridLayout, top: number, bottom: number, most: number): Span {
	const seen = tilesBetween(layout, top, bottom);
	const screen = Math.max(bottom - top, 0);
	const wide = tilesBetween(layout, top - screen, bottom + screen);
	const end = Math.min(Math.max(wide.end, seen.end), seen.start + most);
	const start = Math.max(Math.min(wide.start, seen.start), end - most);
	return { start: Math.ceil(start / layout.columns) * layout.columns, end };
}

/**
 * Returns the indexes of a span and one more, in order: a tile that is moved in the tree loses the
 * focus.
 *
 * @param more -1 where there is none
 */
export function indexesIn({ start, end }: Span, more: number): number[] {
	const indexes = Array.from({ length: end - start }, (_, index) => start + index);
	if (more < 0 || (more >= start && more < end)) {
		return indexes;
	}
	return more < start ? [more, ...indexes] : [...indexes, more];
}

/**
 * Returns the tile that a key leads to, `undefined` for other keys. At an edge it is the same tile.
 *
 * @param screen the height that is seen, for Page Up and Page Down
 */
export function tileFor(
	key: string,
	index: number,
	layout: GridLayout,
	screen: number,
): number | undefined {
	const { count, columns, height } = layout;
	const last = count - 1;
	const page = columns * Math.max(1, Math.floor(screen / (height + gap)));
	const down = (by: number) =>
		// From the row before the last one also where there is none right below.
		index + by <= last ? index + by : isInLastRow(index, layout) ? index : last;
	const up = (by: number) => (index - by >= 0 ? index - by : index % columns);
	switch (key) {
		case 'ArrowLeft':
			return Math.max(index - 1, 0);
		case 'ArrowRight':
			return Math.min(index + 1, last);
		case 'ArrowUp':
			return up(columns);
		case 'ArrowDown':
			return down(columns);
		case 'PageUp':
			return up(page);
		case 'PageDown':
			return down(page);
		case 'Home':
			return 0;
		case 'End':
			return last;
		default:
			return undefined;
	}
}

/**
 * Returns who takes the place of one that may have gone: itself, the next one of those that are
 * still there, else the one before; `undefined` if none is left.
 *
 * @param before all of them while it was there
 */
export function successor(
	id: string,
	before: readonly string[],
	after: readonly string[],
): string | undefined {
	if (after.includes(id)) {
		return id;
	}
	const left = new Set(after);
	const place = Math.max(before.indexOf(id), 0);
	return (
		before.slice(place).find((other) => left.has(other)) ??
		before.slice(0, place).findLast((other) => left.has(other)) ??
		after.at(0)
	);
}

function isInLastRow(index: number, { count, columns }: GridLayout): boolean {
	return Math.floor(index / columns) === Math.floor((count - 1) / columns);
}
