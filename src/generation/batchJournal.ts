import { belongsHere } from '../library/galleryLookup.js';
import { nextNumber, roundsOf } from '../library/rounds.js';
import { now, type JobEntry } from '../jobs/jobFolder.js';
import type { ImageRequest, PlacedRequest } from '../jobs/request.js';
import { log } from '../log.js';
import type { GeneratorServices } from './generatorServices.js';
import { journalRequest } from './journalRequest.js';
import type { Outcome } from './outcome.js';
import { reportNotJournaled } from './report.js';
import { nameInOrder } from './target.js';

/** A request that is in the journal, or why it is not. */
export type Journaled = JobEntry | Outcome;

export function isJournaled(one: Journaled): one is JobEntry {
	return 'folder' in one;
}

/** Writes requests into the journal as batches, each with its place and number. */
export class BatchJournal {
	/** The highest number of a batch that this window has given. */
	#lastNumber = 0;

	constructor(
		private readonly services: Pick<
			GeneratorServices,
			| 'changeRequests'
			| 'gallery'
			| 'jobs'
			| 'journal'
			| 'leases'
			| 'pixelWorker'
			| 'smallerReferences'
		>,
	) {}

	/**
	 * Writes requests as one batch; in their order. The user is shown those that cannot be written.
	 *
	 * @param batch its id, and whether they are drafts of one prompt (the default), not images with
	 *   names of their own
	 */
	async write(
		requests: readonly ImageRequest[],
		batch: { readonly id?: string | undefined; readonly areDrafts?: boolean } = {},
	): Promise<Journaled[]> {
		const placed = await this.#place(requests, batch.areDrafts ?? true, batch.id);
		const journaled = await Promise.all(
			placed.map(async (request): Promise<Journaled> => {
				try {
					return await journalRequest(request, this.services);
				} catch (error) {
					return { type: 'notJournaled', request, error };
				}
			}),
		);
		const refused = journaled.filter((one) => 'type' in one && one.type === 'notJournaled');
		reportNotJournaled(refused, this.services);
		return journaled;
	}

	/**
	 * Returns the same requests as a batch; those that have a place, because they are sent again, keep
	 * it. The number counts what is known now: {@link roundsOf} sets it right when it is shown.
	 *
	 * @param areDrafts whether they are drafts of one prompt, and not images with names of their own
	 * @param id that of the batch
	 */
	async #place(
		requests: readonly ImageRequest[],
		areDrafts: boolean,
		id: string = crypto.randomUUID(),
	): Promise<PlacedRequest[]> {
		const placed = requests.flatMap(({ round, ...request }) =>
			round ? [{ ...request, round }] : [],
		);
		if (placed.length === requests.length) {
			return placed;
		}
		const { gallery, jobs } = this.services;
		// An image whose number cannot be known is made all the same.
		const images = await gallery.list().catch((error: unknown) => {
			log.error('The images could not be counted', error);
			return [];
		});
		const known = nextNumber(roundsOf(images.filter(belongsHere), jobs.requests));
		this.#lastNumber = Math.max(known, this.#lastNumber + 1);
		const batch = {
			id,
			number: this.#lastNumber,
			count: requests.length,
			askedAt: now(),
		};
		const named = areDrafts ? await nameInOrder(requests, jobs.requests) : requests;
		return named.map((request, place) => ({
			...request,
			round: request.round ?? { ...batch, place },
		}));
	}
}
