import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { CancelledError } from '../service/errors.js';
import { holderOf, nobody, type Claims } from './claim.js';
import { isAnswered } from './endpoint.js';
import { readState, type Journal } from './journal.js';
import { jobOf, workerName } from './start.js';

/** How often a window looks for a free place while it needs one; nothing to 100 s for an image. */
const lookEveryMs = 250;

export interface StartOptions {
	/** How many images may be asked for at the same time; read anew each time it is looked at. */
	readonly limit: () => number;
	/** Gives the turn up; it has no effect any more once `start` is called. */
	readonly signal: AbortSignal;
	/** Starts the job's worker. */
	readonly start: () => Promise<void>;
}

/**
 * The places for images that are asked for at the same time, shared by all windows. A window has
 * a place while it starts a worker and then hands it to that worker, so it is free the moment the
 * worker is gone, whatever became of the window.
 */
export class Places {
	/** The images of this window get their places one after another, in the order of asking. */
	readonly #line = new PQueue({ concurrency: 1 });

	constructor(
		private readonly root: string,
		private readonly claims: Claims,
		private readonly journal: Journal,
	) {}

	/**
	 * Starts a job's worker as soon as there is a free place for it.
	 *
	 * @throws {CancelledError} where the signal was aborted before; nothing was sent then
	 */
	async start(id: string, { limit, signal, start }: StartOptions): Promise<void> {
		// The queue rejects as soon as its signal is aborted, so it gets one that ends with the wait:
		// what cancelling a running image means for the money only the image itself can tell.
		const waiting = new AbortController();
		const giveUp = () => {
			waiting.abort(new CancelledError('notSent'));
		};
		if (signal.aborted) {
			giveUp();
		}
		signal.addEventListener('abort', giveUp, { once: true });
		await this.#line.add(
			async () => {
				const place = await this.#waitForPlace(limit, waiting.signal);
				signal.removeEventListener('abort', giveUp);
				try {
					await start();
				} catch (error) {
					await this.claims.pass(place, nobody);
					throw error;
				}
				await this.claims.pass(place, workerName(id));
			},
			{ signal: waiting.signal },
		);
	}

	async #waitForPlace(limit: () => number, signal: AbortSignal): Promise<string> {
		for (;;) {
			const place = (await this.#isServiceBusy()) ? undefined : await this.#take(limit());
			if (place !== undefined && !signal.aborted) {
				return place;
			}
			if (place !== undefined) {
				await this.claims.pass(place, nobody);
			}
			await delay(lookEveryMs, undefined, { signal });
		}
	}

	async #take(limit: number): Promise<string | undefined> {
		for (let index = 0; index < limit; index += 1) {
			const place = path.join(this.root, String(index));
			await mkdir(place, { recursive: true });
			if (await this.claims.takeFree(place)) {
				return place;
			}
		}
		return undefined;
	}

	/**
	 * After a 429 the others wait too, in every window, instead of running into it one after
	 * another: until the image that was turned away is asked for again, or given up.
	 */
	async #isServiceBusy(): Promise<boolean> {
		await mkdir(this.root, { recursive: true });
		for (const place of await readdir(this.root)) {
			const holder = await holderOf(path.join(this.root, place));
			const id = holder === undefined ? undefined : jobOf(holder);
			if (id !== undefined && (await this.#isTurnedAway(id)) && (await isAnswered(holder!))) {
				return true;
			}
		}
		return false;
	}

	async #isTurnedAway(id: string): Promise<boolean> {
		try {
			const state = await readState(this.journal.folder(id));
			return state.state === 'pausing' && state.attempts.at(-1)?.failure?.status === 429;
		} catch {
			// Its entry is gone, or was set aside.
			return false;
		}
	}
}
