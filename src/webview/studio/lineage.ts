import type { Image, Slot } from '../../protocol/studio.js';

/** One of the images that led to another one, or that itself. */
export interface Link {
	readonly label: string;
	/** Missing where it is none of the studio's, or not one alone. */
	readonly id?: string;
}

/** So many are named; of a longer chain the beginning and the end. */
const maxLinks = 8;
const links = { first: 2, last: 5 };

/**
 * Returns how an image came to be, `1c → 2b → 3a`: the first image first, the image itself at the
 * end. Empty for what was made of a prompt alone. What is left out of a long chain is `…`.
 */
export function chainOf({ id, label, chain }: Pick<Image, 'id' | 'label' | 'chain'>): Link[] {
	if (chain.length === 0) {
		return [];
	}
	const all = [...chain, { id, label }];
	return all.length <= maxLinks
		? all
		: [...all.slice(0, links.first), { label: '…' }, ...all.slice(-links.last)];
}

/** A round may be a series of thousands. */
const maxInStrip = 60;

/** Returns the images of a round that stand beside one of them, as many before as after it. */
export function stripAround(slots: readonly Slot[], id: string): readonly Slot[] {
	if (slots.length < 2) {
		return [];
	}
	const at = slots.findIndex((slot) => slot.id === id);
	const first = Math.max(0, Math.min(at - maxInStrip / 2, slots.length - maxInStrip));
	return slots.slice(first, first + maxInStrip);
}

/**
 * Returns the image of a round that is so many steps from another one; what is not there yet is
 * passed over. `undefined` at the ends.
 */
export function besideIn(slots: readonly Slot[], id: string, by: -1 | 1): string | undefined {
	const at = slots.findIndex((slot) => slot.id === id);
	const others = by < 0 ? slots.slice(0, Math.max(at, 0)).toReversed() : slots.slice(at + 1);
	return others.find(({ kind }) => kind === 'image')?.id;
}
