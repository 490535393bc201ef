import type { Point, Rectangle } from '../geometry.js';

/** Returns a list with one of it at another place; `to` counts without the one that moves. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
	const others = list.toSpliced(from, 1);
	return others.toSpliced(to, 0, ...list.slice(from, from + 1));
}

/**
 * Returns the gap that a point lies in, among boxes that stand in lines like words: 0 before the
 * first box, `boxes.length` behind the last one.
 *
 * @param boxes in their order, from the left and from above
 */
export function gapAt(boxes: readonly Rectangle[], { x, y }: Point): number {
	const gap = boxes.findIndex(
		(box) => y < box.y || (y < box.y + box.height && x < box.x + box.width / 2),
	);
	return gap < 0 ? boxes.length : gap;
}

/** The place that one takes in a gap, counted without it. */
export function placeInGap(from: number, gap: number): number {
	return gap > from ? gap - 1 : gap;
}

/**
 * Returns the place to which an arrow key moves one; `undefined` for other keys and at the ends.
 */
export function placeForKey(key: string, from: number, count: number): number | undefined {
	const to = { ArrowUp: from - 1, ArrowLeft: from - 1, ArrowDown: from + 1, ArrowRight: from + 1 }[
		key
	];
	return to === undefined || to < 0 || to >= count ? undefined : to;
}
