/** Returns a list with one of it at another place; `to` counts without the one that moves. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
	const others = list.toSpliced(from, 1);
	return others.toSpliced(to, 0, ...list.slice(from, from + 1));
}

/**
 * Returns the gap between rows that is nearest to a height: 0 above the first row, `middles.length`
 * below the last one.
 *
 * @param middles the heights of the rows' middles, from above
 */
export function gapAt(middles: readonly number[], y: number): number {
	const gap = middles.findIndex((middle) => y < middle);
	return gap < 0 ? middles.length : gap;
}

/** The place that a row takes in a gap, counted without it. */
export function placeInGap(from: number, gap: number): number {
	return gap > from ? gap - 1 : gap;
}

/** Where the arrow keys move a row; `undefined` for other keys and at the ends. */
export function placeForKey(key: string, from: number, count: number): number | undefined {
	const to = { ArrowUp: from - 1, ArrowLeft: from - 1, ArrowDown: from + 1, ArrowRight: from + 1 }[
		key
	];
	return to === undefined || to < 0 || to >= count ? undefined : to;
}
