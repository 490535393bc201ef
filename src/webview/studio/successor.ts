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
