import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { now, writeRequest, type JobEntry } from '../jobs/jobFolder.js';
import { nextNumber, roundsOf } from './rounds.js';
import type { ImageRequest } from '../jobs/request.js';
import { imagesHere } from './madeImages.js';
import type { GeneratorNeeds } from './round.js';

/** An image that is here waits so long at most for the number of its round, in milliseconds. */
const longestMs = 10_000;

/** Gives the rounds of this workspace their numbers, and their images their places. */
export class RoundNumbers {
	/** The highest that this window has given. */
	#last = 0;
	/** The numbers of rounds when all images of the workspace are known, by their identifiers. */
	readonly #settled = new Map<string, Promise<number>>();
	/** Rounds get another number in the order in which they were asked for. */
	readonly #settling = new PQueue({ concurrency: 1 });

	constructor(private readonly needs: Pick<GeneratorNeeds, 'history' | 'jobs' | 'log'>) {}

	/**
	 * Returns the same requests as a round; those that have a place, because they are sent again, keep it. Nobody
	 * waits until all images are known: {@link settle} sets right what was given before.
	 */
	async place(requests: readonly ImageRequest[]): Promise<ImageRequest[]> {
		if (requests.every(({ round }) => round !== undefined)) {
			return [...requests];
		}
		const id = crypto.randomUUID();
		const number = await this.#next();
		const askedAt = now();
		this.#settled.set(
			id,
			this.#settling.add(() => this.#whenKnown({ id, number, askedAt })),
		);
		return requests.map((request, place) => ({
			...request,
			round: request.round ?? { id, number, place },
		}));
	}

	/** Returns the same requests, each as a round of its own; they are reported together. */
	async placeApart(requests: readonly ImageRequest[]): Promise<ImageRequest[]> {
		const together = requests.length > 1 ? crypto.randomUUID() : undefined;
		const placed: ImageRequest[] = [];
		for (const request of requests) {
			placed.push(...(await this.place([request])).map((one) => ({ ...one, together })));
		}
		return placed;
	}

	/**
	 * Gives a job of a round that was placed here the number that it gets when all images of the
	 * workspace are known, in the journal as well; resolves when it has it, or that takes too long.
	 */
	async settle(entry: JobEntry): Promise<void> {
		const settling = this.#settle(entry).catch((error: unknown) => {
			this.needs.log.error('The number of a round could not be written down', error);
		});
		await Promise.race([settling, delay(longestMs, undefined, { ref: false })]);
	}

	async #settle({ folder, request }: JobEntry): Promise<void> {
		const { round } = request;
		const number = round && (await this.#settled.get(round.id));
		if (round !== undefined && number !== undefined && number !== round.number) {
			// All who have the request see it.
			round.number = number;
			await writeRequest(folder, request);
			this.needs.jobs.tellRenumbered();
		}
	}

	/** Another number where images that were there before have the one that was given, or a higher one. */
	async #whenKnown({
		id,
		number: given,
		askedAt,
	}: {
		readonly id: string;
		readonly number: number;
		readonly askedAt: string;
	}): Promise<number> {
		try {
			await this.needs.history.untilKnown();
			const images = await imagesHere(this.needs.history);
			const before = images.filter(({ round, savedAt }) => round?.id !== id && savedAt < askedAt);
			return nextNumber(roundsOf(before, [])) <= given ? given : await this.#next();
		} catch (error) {
			this.needs.log.error('The rounds could not be counted', error);
			return given;
		}
	}

	async #next(): Promise<number> {
		const { history, jobs, log } = this.needs;
		// Who cannot be told the right number gets the image all the same.
		const images = await imagesHere(history).catch((error: unknown) => {
			log.error('The images could not be counted', error);
			return [];
		});
		this.#last = Math.max(nextNumber(roundsOf(images, jobs.requests)), this.#last + 1);
		return this.#last;
	}
}
