import * as z from 'zod/mini';
import { hasOnly, isListOf, isObject, isUuid } from './byHand.js';

/** More have no room on a screen; the largest series of missing images stays below. */
export const maxInRound = 10_000;
const maxRounds = 100_000;

/** A place of a round: an image that is there, or one that is being made, has failed, is not saved. */
export interface Slot {
	/** That of the job, which the image has as well. */
	readonly id: string;
	readonly kind: 'image' | 'job';
	/** Width to height: of the image; of one that is to come what was asked for, 1 where the service chooses. */
	readonly ratio: number;
}

/** A round, as far as it has to be known before it is on the screen. */
export interface SentRound {
	/** That of the round, or of its only image. */
	readonly id: string;
	/** Never empty. */
	readonly slots: readonly Slot[];
	/** Whether a person has folded it up; then it takes one line, before it is described. */
	readonly collapsed?: boolean;
}

/**
 * All rounds, thousands of them. They are checked by hand: a page must not compile the checks of a
 * schema, and without that 5,000 rounds hold its first pictures up for 100 ms (`npm run bench --
 * studio`).
 */
export const sentRoundsSchema = z.custom<readonly SentRound[]>(
	(value) => isListOf(value, 0, maxRounds, isRound),
	'These are no rounds.',
);

/** Width to height: a picture that is flatter or longer has edges. */
export const maxRatio = 20;
export const minRatio = 0.05;

function isRound(value: unknown): value is SentRound {
	return (
		isObject(value) &&
		hasOnly(value, roundFields) &&
		isUuid(value['id']) &&
		isListOf(value['slots'], 1, maxInRound, isSlot) &&
		(value['collapsed'] === undefined || typeof value['collapsed'] === 'boolean')
	);
}

function isSlot(value: unknown): value is Slot {
	return (
		isObject(value) &&
		hasOnly(value, slotFields) &&
		isUuid(value['id']) &&
		(value['kind'] === 'image' || value['kind'] === 'job') &&
		isRatio(value['ratio'])
	);
}

const roundFields: ReadonlySet<string> = new Set(['id', 'slots', 'collapsed']);
const slotFields: ReadonlySet<string> = new Set(['id', 'kind', 'ratio']);

function isRatio(value: unknown): boolean {
	return typeof value === 'number' && value >= minRatio && value <= maxRatio;
}
