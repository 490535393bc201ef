import { setTimeout as delay } from 'node:timers/promises';
import { runDetached } from '../editor/messages.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { Round } from './round.js';

/**
 * How long others of a round are waited for before it is told, in milliseconds: they are taken up
 * one by one, as it becomes certain that no other window has them.
 */
const gatheringMs = 1000;

/**
 * Rounds whose window has gone. What becomes of their images from now on is told in one message, as
 * it would have been.
 */
export class LeftRounds {
	readonly #open = new Map<string, { readonly round: Round; left: number }>();

	/** @param begin makes a round for what is taken up */
	constructor(private readonly begin: () => Round) {}

	/** Does what there is to do about a job, in its round; that is told when all of it is over. */
	async with<T>({ request }: JobEntry, task: (round: Round) => T | Promise<T>): Promise<T> {
		const id = request.together ?? request.round?.id ?? request.id;
		const open = this.#open.get(id) ?? { round: this.begin(), left: 0 };
		this.#open.set(id, open);
		open.left += 1;
		try {
			return await task(open.round);
		} finally {
			open.left -= 1;
			runDetached(this.#tellWhenOver(id));
		}
	}

	async #tellWhenOver(id: string): Promise<void> {
		await delay(gatheringMs, undefined, { ref: false });
		const open = this.#open.get(id);
		if (open?.left === 0) {
			this.#open.delete(id);
			open.round.tell();
		}
	}
}
