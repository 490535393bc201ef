import type { Query, Round, StudioEvent } from '../../protocol/studio.js';
import type { RoundShape } from './streamLayout.js';
import { successor } from './successor.js';

/** Which rounds there are, newest first, as the last message about it said. */
export type Rounds = Omit<Extract<StudioEvent, { type: 'rounds' }>, 'type'>;
/** One of them: its places, and nothing of what they show. */
export type RoundPlaces = Rounds['rounds'][number];

/** Whether the rounds are not yet those that were looked for. */
export function isSearching(rounds: Rounds | undefined, query: Query): boolean {
	return rounds !== undefined && !isSame(rounds.query, query);
}

export function isSame(one: Query, other: Query): boolean {
	return one.text === other.text && one.among === other.among && one.size === other.size;
}

/** Returns what the layout has to know. @param causes of the jobs that have failed, by id */
export function shapesOf(
	rounds: readonly RoundPlaces[],
	known: ReadonlyMap<string, Round>,
	causes: ReadonlyMap<string, string>,
): RoundShape[] {
	return rounds.map(({ id, slots, collapsed = false }) => ({
		id,
		collapsed: known.get(id)?.collapsed ?? collapsed,
		slots:
			causes.size === 0
				? slots
				: slots.map((slot) => ({
						...slot,
						group: slot.kind === 'job' ? causes.get(slot.id) : undefined,
					})),
	}));
}

/** Whether two layouts of the same rounds would be different. */
export function differ(before: readonly RoundShape[], now: readonly RoundShape[]): boolean {
	return (
		before.length !== now.length ||
		before.some((round, index) => {
			const other = now[index]!;
			return (
				round.id !== other.id ||
				round.collapsed !== other.collapsed ||
				round.slots.length !== other.slots.length ||
				round.slots.some((slot, place) => {
					const { id, ratio, group } = other.slots[place]!;
					return slot.id !== id || slot.ratio !== ratio || slot.group !== group;
				})
			);
		})
	);
}

/** All images that are there, as they stand in the stream. */
export function imagesIn(rounds: readonly RoundPlaces[]): string[] {
	return rounds.flatMap(({ slots }) =>
		slots.flatMap(({ id, kind }) => (kind === 'image' ? [id] : [])),
	);
}

/**
 * Returns images in the order in which they were made: an older round first, within one as it is.
 * Those that are in none stay behind the others.
 */
export function byAge(ids: readonly string[], rounds: readonly RoundPlaces[]): string[] {
	const known = rounds
		.toReversed()
		.flatMap(({ slots }) => slots.flatMap(({ id }) => (ids.includes(id) ? [id] : [])));
	return [...known, ...ids.filter((id) => !known.includes(id))];
}

/** Returns who gets the tab stop where its tile may have gone: the next one, or the one before. */
export function activeAfter(
	active: string | undefined,
	before: readonly RoundShape[],
	now: readonly RoundShape[],
): string | undefined {
	const slotsOf = (rounds: readonly RoundShape[]) =>
		rounds.flatMap(({ slots }) => slots.map(({ id }) => id));
	if (active === undefined || now.some(({ id }) => id === active)) {
		return active;
	}
	return successor(active, slotsOf(before), slotsOf(now));
}
