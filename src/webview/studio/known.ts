import type { Description, Image, Round } from '../../protocol/studio.js';

/** What has been described of what is on the screen, and was before. */
export interface Known {
	readonly rounds: ReadonlyMap<string, Round>;
	readonly images: ReadonlyMap<string, Image>;
}

export const nothingKnown: Known = { rounds: new Map(), images: new Map() };

/** More than anybody looks at; what is needed again is asked for again. */
const maxKnown = 2000;

/** Returns what is known, with what has just been learned. */
export function withDescribed(known: Known, { rounds, images }: Description): Known {
	return {
		rounds: rounds.length === 0 ? known.rounds : withAll(known.rounds, rounds),
		images:
			images.length === 0
				? known.images
				: withAll(
						known.images,
						images.map((image) => withThumbnail(image, known.images.get(image.id))),
					),
	};
}

function withAll<Thing extends { readonly id: string }>(
	known: ReadonlyMap<string, Thing>,
	things: readonly Thing[],
): ReadonlyMap<string, Thing> {
	const now = new Map(known);
	for (const thing of things) {
		const before = now.get(thing.id);
		// To the end: the first ones are forgotten first.
		now.delete(thing.id);
		// What is the same stays the same: then nothing has to be drawn anew.
		now.set(thing.id, before !== undefined && isSame(before, thing) ? before : thing);
	}
	for (const id of [...now.keys()].slice(0, Math.max(now.size - maxKnown, 0))) {
		now.delete(id);
	}
	return now;
}

function isSame(one: object, other: object): boolean {
	const values = Object.entries(one);
	return (
		values.length === Object.keys(other).length &&
		values.every(([key, value]) => {
			const its: unknown = (other as Record<string, unknown>)[key];
			return (
				value === its ||
				(typeof value === 'object' && JSON.stringify(value) === JSON.stringify(its))
			);
		})
	);
}

/** A thumbnail comes later than what the image is. Until then that of the same file stays. */
function withThumbnail(image: Image, before: Image | undefined): Image {
	const { thumbnail = before?.thumbnail, source } = image;
	return thumbnail === undefined || source === undefined || source !== before?.source
		? image
		: { ...image, thumbnail };
}
