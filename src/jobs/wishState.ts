import type { WishChange } from './wishes.js';

/** State of one job of a wish, by its journal and by what the user has seen of it. */
export type WishJobState =
	/** It may still bring its image by itself. */
	| 'open'
	/** Its image has arrived and could not be saved. */
	| 'unsaved'
	| 'failed'
	/** Saved, cancelled or discarded. */
	| 'over';

/** All that the state of a wish follows from. */
export interface WishFacts {
	/** Number of images that are wished for. */
	readonly count: number;
	/** The last noted change; `undefined` until the budget or the user has decided. */
	readonly progress: WishChange | undefined;
	/** True as long as a window has its lease: until all of it is in the journal or nothing comes of it. */
	readonly isAtWork: boolean;
	/** States of its jobs that are in the journal. */
	readonly jobs: readonly WishJobState[];
	/** Number of its images in the gallery. */
	readonly saved: number;
}

/** State of a wish, with the reason where one state has several. */
export type WishState =
	| { readonly state: 'confirming' }
	| { readonly state: 'running' }
	| { readonly state: 'cancelled' | 'declined' }
	/** `deleted`: all were made, and the user has put them aside since. */
	| { readonly state: 'done'; readonly reason: 'whole' | 'partly' | 'deleted' }
	| {
			readonly state: 'failed';
			/**
			 * - `noImage`: its requests have failed;
			 * - `unsaved`: an image has arrived, and waits to be saved;
			 * - `interrupted`: the window was closed before all of it was in the journal;
			 * - `notBegun`: an error came before anything was sent, so that its key is free;
			 * - `notSent`: the window was closed before the user or the budget had decided.
			 */
			readonly reason: 'noImage' | 'unsaved' | 'interrupted' | 'notBegun' | 'notSent';
	  };

/**
 * Decides the state of a wish. Jobs and images count more than the noted progress: a window that goes
 * on with the jobs of another one notes nothing.
 */
export function stateOfWish({ count, progress, isAtWork, jobs, saved }: WishFacts): WishState {
	// An image that is saved may not have its link yet.
	if (jobs.includes('open') || (isAtWork && progress?.state === 'accepted')) {
		return { state: 'running' };
	}
	if (saved > 0) {
		return { state: 'done', reason: saved >= count ? 'whole' : 'partly' };
	}
	if (jobs.includes('unsaved')) {
		return { state: 'failed', reason: 'unsaved' };
	}
	if (jobs.includes('failed')) {
		return { state: 'failed', reason: 'noImage' };
	}
	switch (progress?.state) {
		case 'declined':
		case 'cancelled':
			return { state: progress.state };
		case 'ended':
			if ((progress.cancelled ?? 0) > 0) {
				return { state: 'cancelled' };
			}
			// Without a failure it has arrived, and a user who has put it aside does not want it again.
			return (progress.failures ?? []).length === 0
				? { state: 'done', reason: 'deleted' }
				: { state: 'failed', reason: 'noImage' };
		case 'accepted':
			return { state: 'failed', reason: 'interrupted' };
		case 'failed':
			return { state: 'failed', reason: 'notBegun' };
		case undefined:
			return isAtWork ? { state: 'confirming' } : { state: 'failed', reason: 'notSent' };
	}
}
