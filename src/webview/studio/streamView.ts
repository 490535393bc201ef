import type { SavedState } from '../../protocol/studio.js';
import { successor } from './successor.js';
import { messages } from '../messages.js';

/** What the user looks at; the page keeps it. */
export type StreamView = Pick<SavedState, 'shown' | 'compared' | 'query'>;

/**
 * Returns what is looked at instead, where what was looked at has gone; `undefined` where it is
 * still there.
 *
 * @param before the images while it was there; missing where nothing was known then
 */
export function viewWithout(
	{ shown, compared }: StreamView,
	before: readonly string[] | undefined,
	now: readonly string[],
): Pick<StreamView, 'shown' | 'compared'> | undefined {
	if (compared !== undefined) {
		const left = compared.filter((id) => now.includes(id));
		if (left.length === compared.length) {
			return undefined;
		}
		return { shown: undefined, compared: left.length < 2 ? undefined : left };
	}
	if (shown === undefined || now.includes(shown)) {
		return undefined;
	}
	// As somebody expects who sorts images out: the next one is shown.
	return {
		shown: before === undefined ? undefined : successor(shown, before, now),
		compared: undefined,
	};
}

/** Selects an image, or no longer. `undefined` where so many are selected that one would have to go. */
export function toggled(
	selected: readonly string[],
	id: string,
	max: number,
): string[] | undefined {
	if (selected.includes(id)) {
		return selected.filter((other) => other !== id);
	}
	return selected.length < max ? [...selected, id] : undefined;
}

/** What is said of a selection. */
export function selectionWords(count: number): string {
	return messages.selected(count);
}

/** An image and its neighbors, which are probably looked at next. */
export function around(shown: string, ids: readonly string[]): readonly string[] {
	const index = ids.indexOf(shown);
	return index < 0 ? [shown] : ids.slice(Math.max(index - 1, 0), index + 2);
}
