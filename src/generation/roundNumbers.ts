import type { ImageRequest } from '../jobs/request.js';
import { now } from '../jobs/jobFolder.js';
import { imagesHere } from './madeImages.js';
import type { GeneratorNeeds } from './round.js';
import { nextNumber, roundsOf } from './rounds.js';

/** Gives the batches of this workspace their numbers, and their requests their places. */
export class RoundNumbers {
	/** The highest that this window has given. */
	#last = 0;

	constructor(private readonly needs: Pick<GeneratorNeeds, 'history' | 'jobs' | 'log'>) {}

	/**
	 * Returns the same requests as a batch; those that have a place, because they are sent again, keep
	 * it. The number counts what is known now: {@link roundsOf} sets it right when it is shown.
	 */
	async place(requests: readonly ImageRequest[]): Promise<ImageRequest[]> {
		if (requests.every(({ round }) => round !== undefined)) {
			return [...requests];
		}
		const batch = {
			id: crypto.randomUUID(),
			number: await this.#next(),
			count: requests.length,
			askedAt: now(),
		};
		return requests.map((request, place) => ({
			...request,
			round: request.round ?? { ...batch, place },
		}));
	}

	async #next(): Promise<number> {
		const { history, jobs, log } = this.needs;
		// An image whose number cannot be known is made all the same.
		const images = await imagesHere(history).catch((error: unknown) => {
			log.error('The images could not be counted', error);
			return [];
		});
		this.#last = Math.max(nextNumber(roundsOf(images, jobs.requests)), this.#last + 1);
		return this.#last;
	}
}
