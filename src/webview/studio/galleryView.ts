import type { Image, SavedState } from '../../protocol/studio.js';
import { successor } from './gridLayout.js';

/** Which images there are, newest first, as the last message about it said. */
export interface Gallery {
	/** What was searched for. */
	readonly search: string;
	readonly ids: readonly string[];
	/** How many there are without searching. */
	readonly total: number;
}

/** What the user looks at; the page keeps it. */
export type GalleryView = Pick<SavedState, 'shown' | 'compared' | 'search'>;

/** Whether the images are not yet those that were searched for. */
export function isSearching(gallery: Gallery | undefined, search: string): boolean {
	return gallery !== undefined && gallery.search !== search;
}

/**
 * Returns what is looked at instead, where what was looked at has gone; `undefined` where it is
 * still there.
 *
 * @param before the images while it was there; missing where nothing was known then
 */
export function viewWithout(
	{ shown, compared }: GalleryView,
	before: readonly string[] | undefined,
	now: readonly string[],
): Pick<GalleryView, 'shown' | 'compared'> | undefined {
	const isGone = (id: string) => !now.includes(id);
	if (compared !== undefined) {
		return isGone(compared) || shown === undefined || isGone(shown)
			? { shown: undefined, compared: undefined }
			: undefined;
	}
	if (shown === undefined || !isGone(shown)) {
		return undefined;
	}
	// As somebody expects who sorts images out: the next one is shown.
	return { shown: before === undefined ? undefined : successor(shown, before, now) };
}

/** Selects an image to be compared, or no longer. Of three the first is let go. */
export function toggled(selected: readonly string[], id: string): string[] {
	return selected.includes(id)
		? selected.filter((other) => other !== id)
		: [...selected.slice(-1), id];
}

/** An image and its neighbors, which are probably looked at next. */
export function around(shown: string, ids: readonly string[]): readonly string[] {
	const index = ids.indexOf(shown);
	return index < 0 ? [shown] : ids.slice(Math.max(index - 1, 0), index + 2);
}

/**
 * Returns two images with the older one first.
 *
 * @param ids newest first
 */
export function byAge(
	first: string,
	second: string,
	images: ReadonlyMap<string, Image>,
	ids: readonly string[],
): readonly [string, string] {
	const [a, b] = [images.get(first)?.madeAt, images.get(second)?.madeAt];
	const isFirstOlder =
		a !== undefined && b !== undefined && a !== b
			? a < b
			: ids.indexOf(first) > ids.indexOf(second);
	return isFirstOlder ? [first, second] : [second, first];
}
