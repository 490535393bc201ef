import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFolderGone } from '../files/exists.js';
import { serializeVersioned } from '../files/fileFormat.js';
import { isNotFound } from '../files/fsErrors.js';
import { retryTransient } from '../files/retryTransient.js';
import { Serial } from '../files/serial.js';
import { writeWhole } from '../files/writeWhole.js';
import { becomePresent, hostOf, type LeaseOwner, type Presence } from './processIdentity.js';
import { workerLease } from './jobFolder.js';
import {
	leaseFile,
	leaseStatus,
	ownerOf,
	readLease,
	writeNextLease,
	type Lease,
	type LeaseStatus,
} from './leaseFiles.js';
import { removeSocket } from './localSocket.js';

/** A lease that this window holds. */
export interface HeldLease {
	readonly folder: string;
	readonly name: string;
	readonly number: number;
}

/** A lease whose owner cannot be reached from here; first and last seen as of `performance.now`. */
interface UnclearLease extends Pick<HeldLease, 'folder' | 'name'> {
	readonly owner: LeaseOwner;
	readonly since: number;
	readonly seenAt: number;
}

/**
 * The leases of one window, which proves its life to the others as long as it holds any. Where another
 * window has taken one over, it leaves them all.
 */
export class Leases {
	readonly #held = new Map<string, HeldLease>();
	/** Those whose making failed, and that may have been made all the same. */
	readonly #uncertain = new Map<string, HeldLease>();
	/** Operations on one lease run one after another; the last one counts. */
	readonly #operations = new Serial();
	readonly #unclear = new Map<string, UnclearLease>();
	readonly #closing = new AbortController();
	readonly #leaving = new AbortController();
	/** Aborted when all is left to another window; from then on this one acquires no more. */
	readonly left: AbortSignal = this.#leaving.signal;
	#presence: Promise<Presence> | undefined;
	#renewing: NodeJS.Timeout | undefined;

	/**
	 * Acquires a lease unless a process that may live has it.
	 *
	 * @returns why not: this window holds it already (`own`); another process does, or this window is
	 * closing (`held`); or that cannot be found out now (`unknown`)
	 * @throws the system's error; a lease that was made all the same is acquired by the next call
	 */
	acquire(folder: string, name: string): Promise<HeldLease | 'own' | 'held' | 'unknown'> {
		const key = path.join(folder, name);
		return this.#operations.run(async () => {
			if (this.#closing.signal.aborted) {
				return 'held';
			}
			const { owner } = await this.#present();
			const found = await this.look(folder, name);
			const last = ownerOf(found);
			const isOwn = last?.id === owner.id;
			if (isOwn && this.#held.has(key)) {
				return 'own';
			}
			const acquired = { folder, name, number: isOwn ? found.number : found.number + 1 };
			if (!isOwn) {
				if (found.status !== 'free') {
					return found.status;
				}
				this.#uncertain.set(key, acquired);
				const isMade = await writeNextLease(folder, name, found.number, renewed(owner));
				this.#uncertain.delete(key);
				if (!isMade) {
					return 'held';
				}
				await removeSocket(last?.address ?? '');
			}
			this.#held.set(key, acquired);
			// Where this window has begun to close meanwhile, that releases it.
			return this.#closing.signal.aborted ? 'held' : acquired;
		}, key);
	}

	/**
	 * Releases a lease, unless it was taken over, or its folder was removed.
	 *
	 * @param number as acquired; where this window has acquired it again since, it stays
	 * @throws the system's error; `acquire` returns the lease again then
	 */
	release(folder: string, name: string, number?: number): Promise<void> {
		const key = path.join(folder, name);
		return this.#operations.run(async () => {
			const held = this.#held.get(key);
			if (held === undefined || (number !== undefined && number !== held.number)) {
				return;
			}
			this.#held.delete(key);
			try {
				const lease = await retryTransient(() => readLease(folder, name));
				if (lease?.number === held.number) {
					await writeNextLease(folder, name, held.number, undefined);
				}
			} catch (error) {
				if (!isNotFound(error)) {
					throw error;
				}
			}
		}, key);
	}

	/** Runs a task that needs the leases of this window, unless it is closing; none is released before. */
	async during<T>(task: () => Promise<T>): Promise<T | undefined> {
		const isClosing = this.#closing.signal.aborted;
		return isClosing ? undefined : this.#operations.run(task, Symbol());
	}

	/**
	 * Acquires a lease as soon as the process that has it is gone: a moment after a crash or a reload,
	 * whose old extension host lives on a while.
	 *
	 * @param onRefusal called with the error of what is tried again
	 * @returns `false` where this window holds it already or closes first, or the folder is gone
	 */
	acquireWhenFree(folder: string, name: string, onRefusal?: OnRefusal): Promise<boolean> {
		return this.#poll(folder, onRefusal, async () => {
			const acquired = await this.acquire(folder, name);
			return acquired === 'own' ? false : typeof acquired === 'object' || undefined;
		});
	}

	/** As {@link acquireWhenFree}, but leaves the lease to others: waits until it is free. */
	waitUntilFree(folder: string, name: string, onRefusal?: OnRefusal): Promise<boolean> {
		return this.#poll(folder, onRefusal, async () => {
			const { status } = await this.look(folder, name);
			return status === 'free' || undefined;
		});
	}

	/** Tries until an attempt has an answer. */
	async #poll(
		folder: string,
		onRefusal: OnRefusal | undefined,
		attempt: () => Promise<boolean | undefined>,
	): Promise<boolean> {
		const { signal } = this.#closing;
		for (let waitMs = minWaitMs; !signal.aborted; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
			try {
				const answer = await attempt();
				if (answer !== undefined) {
					return answer;
				}
			} catch (error) {
				if (await isFolderGone(error, folder)) {
					return false;
				}
				onRefusal?.(error);
			}
			await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
		}
		return false;
	}

	/**
	 * Returns the hosts whose processes have had leases for `forMs` milliseconds that are waited for,
	 * while it was unclear whether they live; with the number of folders of these leases.
	 */
	unreachableHosts(forMs = 30_000): ReadonlyMap<string, number> {
		const now = performance.now();
		const folders = new Map<string, Set<string>>();
		for (const { folder, owner, since, seenAt } of this.#unclear.values()) {
			if (seenAt - since >= forMs && now - seenAt <= maxUnseenMs) {
				const host = hostOf(owner);
				folders.set(host, (folders.get(host) ?? new Set()).add(folder));
			}
		}
		return new Map([...folders].map(([host, { size }]) => [host, size]));
	}

	/**
	 * Releases the leases of a host that is off, as the user knows: those of windows, workers and slots.
	 *
	 * @throws the system's error
	 */
	async takeOverFrom(host: string): Promise<void> {
		const isOfHost = (owner?: LeaseOwner) => owner !== undefined && hostOf(owner) === host;
		const ofHost = [...this.#unclear.values()].filter(({ owner }) => isOfHost(owner));
		for (const { folder, name } of ofHost) {
			for (const each of [name, workerLease]) {
				const lease = await readLease(folder, each);
				if (lease && isOfHost(ownerOf(lease)) && (await leaseStatus(lease)) === 'unknown') {
					await writeNextLease(folder, each, lease.number, undefined);
				}
			}
		}
	}

	/** Reads a lease, and remembers it where its status is unknown. @throws the system's error */
	async look(folder: string, name: string): Promise<Lease & { readonly status: LeaseStatus }> {
		const lease = (await readLease(folder, name)) ?? { number: 0, owner: undefined };
		const status = await leaseStatus(lease);
		const key = path.join(folder, name);
		const before = this.#unclear.get(key);
		this.#unclear.delete(key);
		const owner = ownerOf(lease);
		if (status === 'unknown' && owner !== undefined) {
			const now = performance.now();
			const isSame = before?.owner.id === owner.id && now - before.seenAt <= maxUnseenMs;
			const since = isSame ? before.since : now;
			this.#unclear.set(key, { folder, name, owner, since, seenAt: now });
		}
		return { ...lease, status };
	}

	/** Releases all leases after the tasks of {@link during}; from then on this window has none. */
	async dispose(): Promise<void> {
		this.#closing.abort();
		await this.#operations.settled();
		const held = [...this.#held.values()];
		await Promise.allSettled(held.map(({ folder, name }) => this.release(folder, name)));
		const presence = await this.#presence?.catch(() => undefined);
		for (const { folder, name, number } of this.#uncertain.values()) {
			// It would name this window as long as its process lives.
			const owner = ownerOf(await readLease(folder, name).catch(() => undefined));
			if (owner !== undefined && owner.id === presence?.owner.id) {
				await writeNextLease(folder, name, number, undefined).catch(() => false);
			}
		}
		clearInterval(this.#renewing);
		await presence?.socket.close();
	}

	#present(): Promise<Presence> {
		this.#presence ??= this.#becomePresent().catch((error: unknown) => {
			// The next call tries again.
			this.#presence = undefined;
			throw error;
		});
		return this.#presence;
	}

	async #becomePresent(): Promise<Presence> {
		const presence = await becomePresent((socket) => {
			socket.unref().on('error', () => socket.destroy());
		}, renewed({}));
		presence.socket.server.unref();
		this.#renewing = setInterval(() => void this.#renew(presence.owner), renewEveryMs).unref();
		return presence;
	}

	/**
	 * Notes in all leases that this window lives on. Leaves all of them where another window has one by
	 * now, because this one stood still or counted as gone.
	 */
	async #renew(self: LeaseOwner): Promise<void> {
		for (const [key, held] of [...this.#held]) {
			const { folder, name, number } = held;
			try {
				const lease = await readLease(folder, name);
				const owner = ownerOf(lease);
				if (lease?.number === number) {
					await writeWhole(leaseFile(folder, name, number), serializeVersioned(renewed(self)));
				} else if (owner && owner.job === undefined && this.#held.get(key) === held) {
					// No worker was given it.
					this.#leaving.abort();
					await this.dispose();
					return;
				}
			} catch {
				// It is tried again long before the lease counts as left.
			}
		}
	}
}

type OnRefusal = (error: unknown) => void;

/** Interval in which a window renews its leases, in milliseconds. */
const renewEveryMs = 10 * 60 * 1000;

/**
 * Returns the record of a window that is expected to have ended in 20 minutes unless it renews it. An
 * hour later it counts as gone where it cannot be reached, though it may be a laptop that sleeps. That
 * is safe for the money: what has been sent is guarded by the worker's lease, and by the job's state.
 * At worst an image is saved under two names.
 */
function renewed<Owner extends object>(owner: Owner): Owner & Pick<LeaseOwner, 'endsBy'> {
	return { ...owner, endsBy: new Date(Date.now() + 2 * renewEveryMs).toISOString() };
}

/** A lease that was not looked at for so long is not waited for any more, in milliseconds. */
const maxUnseenMs = 3 * 5_000;

const minWaitMs = 100;
const maxWaitMs = 5_000;
