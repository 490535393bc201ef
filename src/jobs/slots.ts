import { addAbortListener } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { retryTransient } from '../files/retryTransient.js';
import { privateFolder } from '../files/writeWhole.js';
import { CancelledError } from '../service/errors.js';
import { readActiveRequests, slotLease } from './rateLimit.js';
import type { Journal } from './journal.js';
import type { HeldLease, Leases } from './windowLeases.js';

/** A slot that this window has, until a worker takes it over. */
export type Slot = HeldLease;

export interface AcquireOptions {
	/** How many images may be asked for at the same time; read anew each time it is looked at. */
	readonly limit: () => number;
	/** Gives up waiting. */
	readonly signal: AbortSignal;
	/**
	 * Called with the error where the slots could not be looked at, before that is tried again; and
	 * once where it is unknown of all of them whether they are free.
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
		/** Milliseconds between two looks: a short time beside the 100 s of an image. */
		private readonly waitMs = 250,
	) {}

	/**
	 * Waits for a free slot and acquires it.
	 *
	 * @throws {CancelledError} where the signal was aborted before; nothing was sent then
	 */
	async acquire({ limit, signal, onRefusal }: AcquireOptions): Promise<Slot> {
		const turn = this.#line.add(() => this.#wait(limit, signal, onRefusal));
		const { promise: aborted, reject } = Promise.withResolvers<never>();
		const listening = addAbortListener(signal, reject);
		try {
			return await Promise.race([turn, aborted]);
		} catch {
			// It may just have got its slot, which is not needed any more.
			turn.then((slot) => this.release(slot)).catch(() => undefined);
			throw new CancelledError('notSent');
		} finally {
			listening[Symbol.dispose]();
		}
	}

	/**
	 * Releases a slot; one that a worker has taken over stays with it.
	 *
	 * @throws the system's error
	 */
	async release({ folder, name, number }: Slot): Promise<void> {
		await this.leases.release(folder, name, number);
	}

	/** @throws the signal's reason, and nothing else */
	async #wait(
		limit: () => number,
		signal: AbortSignal,
		onRefusal: (error: unknown) => void = () => undefined,
	): Promise<Slot> {
		for (let unknownLooks = 0; ;) {
			signal.throwIfAborted();
			try {
				const found = (await this.#isServiceBusy()) ? undefined : await this.#take(limit());
				if (typeof found === 'object') {
					return found;
				}
				unknownLooks = found === 'unknown' ? unknownLooks + 1 : 0;
				if (unknownLooks === maxUnknownLooks) {
					onRefusal(new Error(unknownReason));
				}
			} catch (error) {
				// How many images are asked for now is not known, so no other one may be.
				onRefusal(error);
			}
			await delay(this.waitMs, undefined, { signal });
		}
	}

	/** Returns `unknown` where it is unknown of all slots whether they are free. */
	async #take(limit: number): Promise<Slot | 'unknown' | undefined> {
		let unknown = 0;
		for (let index = 0; index < limit; index += 1) {
			const folder = path.join(this.root, String(index));
			await retryTransient(() => mkdir(folder, { recursive: true, mode: privateFolder }));
			const acquired = await this.leases.acquire(folder, slotLease);
			if (typeof acquired === 'object') {
				return acquired;
			}
			unknown += acquired === 'unknown' ? 1 : 0;
		}
		return unknown === limit ? 'unknown' : undefined;
	}

	/**
	 * After a 429 the others wait too, in every window, instead of running into it one after
	 * another: until the image that was turned away is asked for again, or given up.
	 */
	async #isServiceBusy(): Promise<boolean> {
		await retryTransient(() => mkdir(this.root, { recursive: true, mode: privateFolder }));
		const asked = await retryTransient(() =>
			readActiveRequests(this.root, (id) => this.journal.folder(id)),
		);
		return asked.some(({ stage }) => stage === 'rateLimited');
	}
}

/**
 * So many looks in a row are without an answer before the user is told: for a moment a process that
 * is just ending is neither there nor gone.
 */
const maxUnknownLooks = 8;

/** Why an image waits then, in a few words. */
const unknownReason =
	'it is queued behind other images, and this machine cannot tell whether they have ended';
