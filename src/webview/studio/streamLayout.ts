import { between, type Rectangle } from '../geometry.js';

/** Indexes of rounds; `end` is not among them. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** What the layout has to know of a round; all lengths here are in CSS pixels. */
export interface RoundShape {
	readonly id: string;
	readonly slots: readonly SlotShape[];
	/** Nothing of it is there but its line. */
	readonly collapsed: boolean;
}

export interface SlotShape {
	readonly id: string;
	/** Width to height of its picture. */
	readonly ratio: number;
	/** Neighbors in a row that have the same one are one tile. */
	readonly group?: string | undefined;
}

/** Where a round lies in the stream, with its header. */
export interface Block extends Rectangle {
	readonly round: RoundShape;
	/** Of its line: where nobody stands beside it, that has all of the width. */
	readonly lineWidth: number;
	/** Which of the shelves it stands on, from 0. */
	readonly shelf: number;
}

/** Rounds beside each other, newest first. */
export interface Shelf extends Span {
	readonly y: number;
	readonly height: number;
}

/** A tile, or the line of a round that is collapsed; its place is that in the stream. */
export interface Cell extends Rectangle {
	/** Of the slots that it stands for, in order; of a collapsed round its own. */
	readonly ids: readonly string[];
	/** Which row of the round's tiles it is in, from 0. */
	readonly row: number;
}

/** Where everything lies. Nothing has to be measured: the ratios are known before the pictures. */
export interface StreamLayout {
	/** Newest first. */
	readonly blocks: readonly Block[];
	readonly shelves: readonly Shelf[];
	readonly columns: number;
	/** Of a tile. */
	readonly tileWidth: number;
	readonly height: number;
}

/** Between two tiles. */
export const gap = 12;
/** Of the line that says what a round is. */
export const headerHeight = 32;
/** Below a picture. */
export const captionHeight = 28;
/** Below the rounds of a shelf. */
const shelfGap = 10;
const collapsedGap = 2;
/**
 * From these widths on there are two in a row, and the four that are made at most. Three would leave
 * the last of four alone.
 */
const [roomForTwo, roomForFour] = [240, 536];
/** Where there is room for more than four, tiles are about as wide as this. */
const widest = 360;
/** Height to width of a picture's place: what is longer or flatter is seen whole within it. */
const flattest = 0.4;
const longest = 1.5;
/** More would leave no room for another round. */
const tallest = 400;

/** How many tiles stand beside each other: the wider the page, the wider they are. */
export function columnsFor(width: number): number {
	if (width < roomForFour) {
		return width < roomForTwo ? 1 : 2;
	}
	return Math.max(4, Math.floor((width + gap) / (widest + gap) + 0.7));
}

/**
 * Lays out the rounds. Small ones stand beside each other as long as there is room; who stands with
 * whom is decided from the oldest on, so that a new round moves none but those beside it.
 *
 * @param rounds newest first
 * @param width of the stream; 0 where it is not known yet
 */
export function layOut(rounds: readonly RoundShape[], width: number): StreamLayout {
	const columns = columnsFor(width);
	const tileWidth = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
	const blocks: Block[] = [];
	const shelves: Shelf[] = [];
	let y = 0;
	for (const { start, end } of shelvesOf(rounds, columns)) {
		let x = 0;
		let highest = 0;
		for (let at = start; at < end; at++) {
			const round = rounds[at]!;
			const taken = columnsOf(round, columns);
			const wide = taken * (tileWidth + gap) - gap;
			const height = headerHeight + (round.collapsed ? 0 : tilesHeight(round, taken, tileWidth));
			const lineWidth = at === end - 1 ? Math.max(width - x, 1) : wide;
			blocks.push({ round, shelf: shelves.length, x, y, width: wide, height, lineWidth });
			x += wide + gap;
			highest = Math.max(highest, height);
		}
		shelves.push({ y, height: highest, start, end });
		y += highest + (rounds[start]?.collapsed === true ? collapsedGap : shelfGap);
	}
	return { blocks, shelves, columns, tileWidth, height: y };
}

/** Returns the tiles of a round, or its line where it is collapsed. */
export function cellsOf({ columns, tileWidth }: StreamLayout, block: Block): Cell[] {
	const { round, x, y, lineWidth } = block;
	if (round.collapsed) {
		return [{ ids: [round.id], row: 0, x, y, width: lineWidth, height: headerHeight }];
	}
	const cells: Cell[] = [];
	let top = y + headerHeight;
	for (const [row, slots] of rowsOf(round.slots, columns).entries()) {
		const height = rowHeight(slots, 0, slots.length, tileWidth);
		let column = 0;
		for (const group of groupsOf(slots)) {
			cells.push({
				ids: group.map(({ id }) => id),
				row,
				x: x + column * (tileWidth + gap),
				y: top,
				width: group.length * (tileWidth + gap) - gap,
				height,
			});
			column += group.length;
		}
		top += height + gap;
	}
	return cells;
}

/** How high the place of a picture is, in a tile of this width. */
function pictureHeight(ratio: number, width: number): number {
	return Math.round(Math.min(between(flattest, 1 / ratio, longest) * width, tallest));
}

function columnsOf({ slots }: RoundShape, columns: number): number {
	return Math.min(slots.length, columns);
}

/** From the last to the first, which is the order in which rounds come. */
function shelvesOf(rounds: readonly RoundShape[], columns: number): Span[] {
	const spans: Span[] = [];
	let end = rounds.length;
	while (end > 0) {
		let start = end - 1;
		let room = columns - roomOf(rounds[start]!, columns);
		while (start > 0 && roomOf(rounds[start - 1]!, columns) <= room) {
			start -= 1;
			room -= roomOf(rounds[start]!, columns);
		}
		spans.push({ start, end });
		end = start;
	}
	return spans.reverse();
}

/** How many columns nobody else may have. */
function roomOf(round: RoundShape, columns: number): number {
	return round.collapsed ? columns : columnsOf(round, columns);
}

/** Of all rows. There may be very many rounds: nothing is made for each of them. */
function tilesHeight({ slots }: RoundShape, columns: number, tileWidth: number): number {
	let height = -gap;
	for (let start = 0; start < slots.length; start += columns) {
		height += rowHeight(slots, start, start + columns, tileWidth) + gap;
	}
	return height;
}

function rowHeight(
	slots: readonly SlotShape[],
	start: number,
	end: number,
	tileWidth: number,
): number {
	let height = 0;
	for (let at = start; at < end && at < slots.length; at++) {
		height = Math.max(height, pictureHeight(slots[at]!.ratio, tileWidth));
	}
	return height + captionHeight;
}

function rowsOf(slots: readonly SlotShape[], columns: number): SlotShape[][] {
	const rows: SlotShape[][] = [];
	for (let start = 0; start < slots.length; start += columns) {
		rows.push(slots.slice(start, start + columns));
	}
	return rows;
}

function groupsOf(slots: readonly SlotShape[]): SlotShape[][] {
	const groups: SlotShape[][] = [];
	for (const slot of slots) {
		const last = groups.at(-1);
		if (slot.group !== undefined && last?.[0]?.group === slot.group) {
			last.push(slot);
		} else {
			groups.push([slot]);
		}
	}
	return groups;
}
