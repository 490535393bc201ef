import { cellsOf, type Cell, type StreamLayout } from './streamLayout.js';
import { roundsBetween } from './streamSpan.js';

/** Two heights, in pixels from the upper edge of the stream. */
export interface Heights {
	readonly top: number;
	readonly bottom: number;
}

/** What is on the screen and around it: no more than this has to be known. */
export interface OnScreen {
	readonly rounds: readonly string[];
	readonly images: readonly string[];
}

/**
 * Returns what has to be known: what is seen first, then what is around it as far as there is room.
 *
 * @param ready between these heights
 * @param isImage whether there is an image in a slot
 */
export function onScreen(
	layout: StreamLayout,
	ready: Heights,
	seen: Heights,
	isImage: (id: string) => boolean,
): OnScreen {
	const { start, end } = roundsBetween(layout, ready.top, ready.bottom);
	const blocks = layout.blocks.slice(start, end);
	const cells = blocks
		.filter(({ round }) => !round.collapsed)
		.flatMap((block) => cellsOf(layout, block))
		.filter((cell) => isWithin(cell, ready));
	const images = [
		...cells.filter((cell) => isWithin(cell, seen)),
		...cells.filter((cell) => !isWithin(cell, seen)),
	].flatMap(({ ids }) => ids.filter(isImage));
	return {
		rounds: blocks
			.toSorted((a, b) => Number(isWithin(b, seen)) - Number(isWithin(a, seen)))
			.map(({ round }) => round.id),
		images,
	};
}

/** Whether something of it lies between two heights. */
export function isWithin(
	{ y, height }: Pick<Cell, 'y' | 'height'>,
	{ top, bottom }: Heights,
): boolean {
	return y < bottom && y + height > top;
}
