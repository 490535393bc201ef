import type { StudioEvent } from '../../protocol/studio.js';
import {
	maxCompared,
	type Image,
	type Job,
	type Query,
	type StudioSlot,
} from '../../protocol/studioModel.js';

/** Which rounds there are, newest first, as the last message about it said. */
export type Rounds = Omit<Extract<StudioEvent, { type: 'rounds' }>, 'type'>;
/** One of them: its places, and nothing of what they show. */
export type RoundPlaces = Rounds['rounds'][number];

export function isSameQuery(one: Query, other: Query): boolean {
	return one.text === other.text && one.among === other.among && one.size === other.size;
}

/** Returns all images that exist, as they stand in the stream. */
export function imageIdsIn(rounds: readonly RoundPlaces[]): string[] {
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

/**
 * Returns what gets the focus, or is shown, where something may have gone: itself, the next one of
 * those that remain, else the one before; `undefined` if none remains.
 *
 * @param before all of them while it existed
 */
export function nextFocus(
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

/** An image on the way to another one, or that itself. */
export interface Link {
	readonly label: string;
	/** Missing where it is none of the studio's, or not one alone. */
	readonly id?: string;
}

/** Number of rounds that are named; of a longer chain the beginning and the end. */
const maxLinks = 8;

/**
 * Returns how an image came to be, `1c → 2b → 3a`: the first image first, the image itself at the
 * end. Empty for what was made of a prompt alone. What is left out of a long chain is `…`.
 */
export function chainOf({ id, label, chain }: Pick<Image, 'id' | 'label' | 'chain'>): Link[] {
	if (chain.length === 0) {
		return [];
	}
	const all = [...chain, { id, label }];
	return all.length <= maxLinks ? all : [...all.slice(0, 2), { label: '…' }, ...all.slice(-5)];
}

/** A round may be a series of thousands. */
const maxInStrip = 60;

/** Returns the places of a round that stand beside one of them, as many before as after it. */
export function stripAround(slots: readonly StudioSlot[], id: string): readonly StudioSlot[] {
	if (slots.length < 2) {
		return [];
	}
	const at = slots.findIndex((slot) => slot.id === id);
	const first = Math.max(0, Math.min(at - maxInStrip / 2, slots.length - maxInStrip));
	return slots.slice(first, first + maxInStrip);
}

/** Returns the next image of a round in a direction, past what is not an image; `undefined` at the ends. */
export function besideIn(slots: readonly StudioSlot[], id: string, by: -1 | 1): string | undefined {
	const at = slots.findIndex((slot) => slot.id === id);
	const others = by < 0 ? slots.slice(0, Math.max(at, 0)).toReversed() : slots.slice(at + 1);
	return others.find(({ kind }) => kind === 'image')?.id;
}

/** Images of a round that have failed for the same reason. */
export interface RoundFailure {
	/** In the order of their places. */
	readonly ids: readonly string[];
	/** The first of them, which says it for all. */
	readonly job: Job;
}

/** Returns the jobs of a round that have failed for the same reason as one of them. */
export function failureOf(
	job: Job,
	slots: readonly StudioSlot[],
	jobs: ReadonlyMap<string, Job>,
): RoundFailure {
	if (job.state !== 'failed' || job.cause === undefined) {
		return { ids: [job.id], job };
	}
	const equal = slots.flatMap(({ id, kind }) => {
		const other = jobs.get(id);
		return kind === 'job' && other?.state === 'failed' && other.cause === job.cause ? [other] : [];
	});
	return { ids: equal.map(({ id }) => id), job: equal[0] ?? job };
}

/** Returns the number of images that were asked for; what was made of an answer is none of them. */
export function countAsked({ slots }: Pick<RoundPlaces, 'slots'>): number {
	return draftsIn(slots).size;
}

/**
 * Returns the drafts of a round that can be compared, each with the rest of its original where there is
 * such an image; none where these are more than can be at once.
 */
export function comparableIn(
	{ slots }: Pick<RoundPlaces, 'slots'>,
	images: ReadonlyMap<string, { readonly exists: boolean }>,
): readonly string[] {
	const there = slots.filter(
		({ id, kind }) => kind === 'image' && images.get(id)?.exists !== false,
	);
	const drafts = [...draftsIn(there).values()].map((both) => both.at(-1)!.id);
	return drafts.length <= maxCompared ? drafts : [];
}

/** Groups the places of an answer and of what was made of it, in their order. */
function draftsIn(slots: readonly StudioSlot[]): ReadonlyMap<string, readonly StudioSlot[]> {
	return Map.groupBy(slots, ({ id, restores = id }) => restores);
}
