/** Selected images, in the order in which they were selected. */
export interface Selection {
	readonly ids: ReadonlySet<string>;
	/** Start of a range. */
	readonly from: string | undefined;
}

export const nothingSelected: Selection = { ids: new Set(), from: undefined };

/** Selects only this one. */
export function selectOnly(id: string): Selection {
	return { ids: new Set([id]), from: id };
}

/** Adds one to the selection, or removes it. */
export function toggle({ ids }: Selection, id: string): Selection {
	const now = new Set(ids);
	if (!now.delete(id)) {
		now.add(id);
	}
	return { ids: now, from: id };
}

/**
 * Selects all from where the last selection was made to this one, and nothing else.
 *
 * @param all in the order in which they are shown
 * @param otherwise where a range begins if nothing was selected before
 */
export function selectTo(
	{ from }: Selection,
	id: string,
	all: readonly string[],
	otherwise = id,
): Selection {
	const first = all.indexOf(from ?? otherwise);
	const last = all.indexOf(id);
	if (first < 0 || last < 0) {
		return selectOnly(id);
	}
	const range = all.slice(Math.min(first, last), Math.max(first, last) + 1);
	return { ids: new Set(first <= last ? range : range.reverse()), from: from ?? otherwise };
}

/** Returns what is left where some have gone; the same object where none has. */
export function selectionAmong(selection: Selection, exists: (id: string) => boolean): Selection {
	const { ids, from } = selection;
	const left = [...ids].filter(exists);
	const hasStart = from === undefined || exists(from);
	return left.length === ids.size && hasStart
		? selection
		: { ids: new Set(left), from: hasStart ? from : undefined };
}
