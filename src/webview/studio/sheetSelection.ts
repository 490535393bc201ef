/** Which files of a sheet are selected, in the order in which that was done. */
export interface SheetSelection {
	readonly ids: ReadonlySet<string>;
	/** Where a range begins. */
	readonly from: string | undefined;
}

export const nothingSelected: SheetSelection = { ids: new Set(), from: undefined };

/** Only this one. */
export function selectOnly(id: string): SheetSelection {
	return { ids: new Set([id]), from: id };
}

/** This one as well, or no longer. */
export function toggle({ ids }: SheetSelection, id: string): SheetSelection {
	const now = new Set(ids);
	if (!now.delete(id)) {
		now.add(id);
	}
	return { ids: now, from: id };
}

/**
 * All from where the last selection was made to this one, and nothing else.
 *
 * @param all in the order in which they are shown
 * @param otherwise where a range begins if nothing was selected before
 */
export function selectTo(
	{ from }: SheetSelection,
	id: string,
	all: readonly string[],
	otherwise = id,
): SheetSelection {
	const first = all.indexOf(from ?? otherwise);
	const last = all.indexOf(id);
	if (first < 0 || last < 0) {
		return selectOnly(id);
	}
	const range = all.slice(Math.min(first, last), Math.max(first, last) + 1);
	return { ids: new Set(first <= last ? range : range.reverse()), from: from ?? otherwise };
}

/** What is left of it where files have gone; the same object where all are there. */
export function selectionAmong(
	selection: SheetSelection,
	all: ReadonlySet<string>,
): SheetSelection {
	const { ids, from } = selection;
	const left = [...ids].filter((id) => all.has(id));
	const isFromHere = from === undefined || all.has(from);
	return left.length === ids.size && isFromHere
		? selection
		: { ids: new Set(left), from: isFromHere ? from : undefined };
}
