import { nextNumber, roundsOf } from '../jobs/rounds.js';
import type { Order } from './order.js';
import { imagesHere } from './madeImages.js';
import type { GeneratorNeeds } from './round.js';

/** Gives the rounds of this workspace their numbers, and their images their places. */
export class RoundNumbers {
	/** The highest that this window has given. */
	#last = 0;

	constructor(private readonly needs: Pick<GeneratorNeeds, 'history' | 'jobs' | 'log'>) {}

	/** The same orders as a round; those that have a place, because they are sent again, keep it. */
	async place(orders: readonly Order[]): Promise<Order[]> {
		if (orders.every(({ round }) => round !== undefined)) {
			return [...orders];
		}
		const id = crypto.randomUUID();
		const number = await this.#next();
		return orders.map((order, place) => ({ round: { id, number, place }, ...order }));
	}

	/** The same orders, each as a round of its own; they are told together. */
	async placeApart(orders: readonly Order[]): Promise<Order[]> {
		const together = orders.length > 1 ? crypto.randomUUID() : undefined;
		const placed: Order[] = [];
		for (const order of orders) {
			placed.push(...(await this.place([order])).map((one) => ({ ...one, together })));
		}
		return placed;
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
