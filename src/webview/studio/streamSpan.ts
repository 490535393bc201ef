import type { Shelf, Span, StreamLayout } from './streamLayout.js';

/** Returns the rounds of all shelves of which something lies between two heights. */
export function roundsBetween({ shelves }: StreamLayout, top: number, bottom: number): Span {
	const index = firstEndingBelow(shelves, top);
	const start = shelves[index]?.start ?? shelves.at(-1)?.end ?? 0;
	let end = start;
	for (let at = index; (shelves[at]?.y ?? Infinity) < bottom; at++) {
		end = shelves[at]!.end;
	}
	return { start, end };
}

/**
 * Returns the indexes of a span and one more, in order: what is moved in the tree loses the focus.
 *
 * @param more missing where there is none
 */
export function indexesIn({ start, end }: Span, more: number | undefined): number[] {
	const indexes = Array.from({ length: end - start }, (_, index) => start + index);
	if (more === undefined || (more >= start && more < end)) {
		return indexes;
	}
	return more < start ? [more, ...indexes] : [...indexes, more];
}

/** Index of the first shelf that does not end above a height. */
function firstEndingBelow(shelves: readonly Shelf[], height: number): number {
	let [low, high] = [0, shelves.length];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		const { y, height: own } = shelves[middle]!;
		if (y + own <= height) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}
