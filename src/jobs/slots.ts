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
	/** Limit of images that are requested at the same time; read anew at each look. */
	readonly limit: () => number;
	/** Gives up waiting. */
	readonly signal: AbortSignal;
	/** Called with why it is not known now whether a slot is free, before that is tried again. */
	readonly onRefusal?: (error: unknown) => void;
}

/**
 * The slots for concurrent requests, shared by all windows. A window has one while it starts a worker,
 * which takes it over: so it is free the moment the worker is gone, whatever became of the window.
 */
export class Slots {
	/** The requests of this window get their slots one after another, in order. */
	readonly #line = new PQueue({ concurrency: 1 });

	constructor(
		private readonly root: string,
		private readonly leases: Leases,
		private readonly journal: Journal,
		/** Milliseconds between two looks: a short time beside the 100 s of an image. */
		private readonly waitMs = 250,
	) {}

	/** Waits for a free slot and acquires it. @throws {CancelledError} where the signal was aborted */
	async acquire(options: AcquireOptions): Promise<Slot> {
		let turn: Promise<Slot> | undefined;
		try {
			return await this.#line.add(() => (turn = this.#wait(options)), { signal: options.signal });
		} catch {
			// It may just have got its slot, which is not needed any more.
			turn?.then((slot) => this.release(slot)).catch(() => undefined);
			throw new CancelledError('notSent');
		}
	}

	/** Releases a slot, unless a worker has taken it over. @throws the system's error */
	async release({ folder, name, number }: Slot): Promise<void> {
		await this.leases.release(folder, name, number);
	}

	/** @throws the signal's reason, and nothing else */
	async #wait({ limit, signal, onRefusal }: AcquireOptions): Promise<Slot> {
		for (let unknownLooks = 0; ;) {
			signal.throwIfAborted();
			try {
				const isBusy = await this.#isServiceBusy();
				// What was given up meanwhile takes no slot from the others, not for a moment either.
				const found = isBusy || signal.aborted ? undefined : await this.#take(limit());
				if (typeof found === 'object') {
					return found;
				}
				unknownLooks = found === 'unknown' ? unknownLooks + 1 : 0;
				if (unknownLooks === maxUnknownLooks) {
					onRefusal?.(new Error(unknownReason));
				}
			} catch (error) {
				// How many requests there are now is not known, so there may be no other one.
				onRefusal?.(error);
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

	/** After a 429 the others wait too, in every window, until that request is sent again or given up. */
	async #isServiceBusy(): Promise<boolean> {
		await retryTransient(() => mkdir(this.root, { recursive: true, mode: privateFolder }));
		const active = await retryTransient(() => readActiveRequests(this.root, this.journal.root));
		return active.some(({ stage }) => stage === 'rateLimited');
	}
}

/**
 * Number of looks in a row without an answer before that is shown: a process may just be ending.
 */
const maxUnknownLooks = 8;

/** Why an image waits then, in a few words. */
const unknownReason =
	'it is queued behind other images, and this machine cannot tell whether they have ended';
