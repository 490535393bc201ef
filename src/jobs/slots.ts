import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { retryTransient } from '../files/retryTransient.js';
import { privateFolder } from '../files/writeWhole.js';
import { CancelledError } from '../service/errors.js';
import { readAsked, slotLease } from './busyService.js';
import type { Journal } from './journal.js';
import type { Leases } from './windowLeases.js';

/** How often a window looks for a free slot: a short time beside the 100 s of an image. */
const lookEveryMs = 250;

/**
 * So many looks in a row are unclear before a person is told of it: for a moment a process that is
 * just ending is neither there nor gone.
 */
const unclearLooks = 8;

/** Why an image waits then, in a few words. */
const unclearWords =
	'it is queued behind other images, and this machine cannot tell whether they have ended';

/** A slot that this window has, until a worker takes it over. */
export interface Slot {
	readonly folder: string;
	readonly name: string;
	/** Number of the lease. */
	readonly number: number;
}

export interface AcquireOptions {
	/** How many images may be asked for at the same time; read anew each time it is looked at. */
	readonly limit: () => number;
	/** Gives up waiting. */
	readonly signal: AbortSignal;
	/**
	 * Called with the error where the slots could not be looked at, before that is tried again; and
	 * once where it cannot be told of any of them whether it is free.
	 */
	readonly onRefusal?: ((error: unknown) => void) | undefined;
}

/**
 * The slots for images that are asked for at the same time, shared by all windows. A window has a
 * slot while it starts a worker, which then takes it over: so it is free the moment the worker is
 * gone, whatever became of the window.
 */
export class Slots {
	/** The images of this window get their slots one after another, in the order of asking. */
	readonly #line = new PQueue({ concurrency: 1 });

	constructor(
		private readonly root: string,
		private readonly leases: Leases,
		private readonly journal: Journal,
		/** Milliseconds between two looks. */
		private readonly waitMs = lookEveryMs,
	) {}

	/**
	 * Waits for a free slot and takes it.
	 *
	 * @throws {CancelledError} where the signal was aborted before; nothing was sent then
	 */
	async acquire({ limit, signal, onRefusal }: AcquireOptions): Promise<Slot> {
		// The queue is not given the signal: it would go on with the next one while this one is still
		// taking a slot, and both would take the same one for their own.
		const turn = this.#line.add(async () =>
			signal.aborted ? undefined : this.#wait(limit, signal, onRefusal),
		);
		const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<undefined>();
		const onAbort = () => {
			giveUp(undefined);
		};
		signal.addEventListener('abort', onAbort);
		if (signal.aborted) {
			onAbort();
		}
		try {
			const slot = await Promise.race([turn, givenUp]);
			if (slot !== undefined) {
				return slot;
			}
		} finally {
			signal.removeEventListener('abort', onAbort);
		}
		// It may just have got its slot, which nobody wants any more.
		turn.then((slot) => slot && this.release(slot)).catch(() => undefined);
		throw new CancelledError('notSent');
	}

	/**
	 * Gives back a slot that no worker has taken over.
	 *
	 * @throws the system's error
	 */
	async release({ folder, name, number }: Slot): Promise<void> {
		await this.leases.giveBack(folder, name, number);
	}

	/** A worker has it now. */
	handedOver({ folder, name, number }: Slot): void {
		this.leases.forget(folder, name, number);
	}

	async #wait(
		limit: () => number,
		signal: AbortSignal,
		onRefusal: (error: unknown) => void = () => undefined,
	): Promise<Slot> {
		let unclear = 0;
		for (;;) {
			try {
				const found = (await this.#isServiceBusy()) ? undefined : await this.#take(limit());
				if (typeof found === 'object') {
					if (!signal.aborted) {
						return found;
					}
					await this.release(found);
				}
				unclear = found === 'unclear' ? unclear + 1 : 0;
				if (unclear === unclearLooks) {
					onRefusal(new Error(unclearWords));
				}
			} catch (error) {
				// How many images are asked for now is not known, so no other one may be.
				onRefusal(error);
			}
			await delay(this.waitMs, undefined, { signal });
		}
	}

	/** Returns `unclear` where it cannot be told of any slot whether it is free. */
	async #take(limit: number): Promise<Slot | 'unclear' | undefined> {
		let unclear = 0;
		for (let index = 0; index < limit; index += 1) {
			const folder = path.join(this.root, String(index));
			await retryTransient(() => mkdir(folder, { recursive: true, mode: privateFolder }));
			const number = await this.leases.takeFree(folder, slotLease, () => {
				unclear += 1;
			});
			if (number !== undefined) {
				return { folder, name: slotLease, number };
			}
		}
		return unclear === limit ? 'unclear' : undefined;
	}

	/**
	 * After a 429 the others wait too, in every window, instead of running into it one after
	 * another: until the image that was turned away is asked for again, or given up.
	 */
	async #isServiceBusy(): Promise<boolean> {
		await retryTransient(() => mkdir(this.root, { recursive: true, mode: privateFolder }));
		const asked = await retryTransient(() => readAsked(this.root, (id) => this.journal.folder(id)));
		return asked.some(({ stage }) => stage === 'turnedAway');
	}
}
