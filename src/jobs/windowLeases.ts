import { setTimeout as delay } from 'node:timers/promises';
import { isFolderGone } from '../files/exists.js';
import { isNotFound } from '../files/fsErrors.js';
import { retryTransient } from '../files/retryTransient.js';
import { becomePresent, hostOf, type LeaseOwner, type Presence } from './processIdentity.js';
import { workerLease } from './jobFolder.js';
import {
	leaseStatus,
	readLease,
	renewLease,
	writeNextLease,
	type Lease,
	type LeaseStatus,
} from './leaseFiles.js';
import { connectLocally, removeSocket } from './localSocket.js';
import { isResponsive, type WindowProof } from './unresponsiveWindow.js';

/** A lease that this window holds. */
export interface HeldLease {
	readonly folder: string;
	readonly name: string;
	readonly number: number;
}

/**
 * Why a lease was not acquired: this window holds it already (`own`); another process does, or this
 * window is closing (`held`); or that cannot be found out now (`unknown`).
 */
export type NotAcquired = 'own' | 'held' | 'unknown';

/** Called with the error of what could not be done, before it is tried again. */
type OnRefusal = (error: unknown) => void;

/** A lease whose owner cannot be reached from this machine; times as of `performance.now`. */
interface UnclearLease extends Pick<HeldLease, 'folder' | 'name'> {
	readonly owner: LeaseOwner;
	/** When it was found so first, and last. */
	readonly since: number;
	readonly seenAt: number;
}

/**
 * The leases of one window, which proves its life to the others as long as it holds any. Where another
 * window wants them that could go on with the work, and this one does not respond, that gets them all.
 */
export class Leases {
	readonly #held = new Map<string, HeldLease>();
	/** Those whose making was refused, and that may have been made all the same. */
	readonly #uncertain = new Map<string, HeldLease>();
	/** What is under way. Operations on one lease run one after another; the last one counts. */
	readonly #operations = new Map<string, Promise<unknown>>();
	readonly #unclear = new Map<string, UnclearLease>();
	readonly #closing = new AbortController();
	readonly #leaving = new AbortController();
	/** Aborted when all is left to another window; from then on this one acquires no more. */
	readonly left: AbortSignal = this.#leaving.signal;
	#presence: Promise<Presence> | undefined;
	#renewing: NodeJS.Timeout | undefined;
	#isProving = false;

	/** @param proof that the window responds; without it, it always does */
	constructor(private readonly proof?: WindowProof) {}

	/**
	 * Acquires a lease unless a process that may live has it.
	 *
	 * @throws the system's error; a lease that was made all the same is acquired by the next call
	 */
	async acquire(folder: string, name: string): Promise<HeldLease | NotAcquired> {
		const key = keyOf(folder, name);
		return this.#inOrder(key, async () => {
			if (this.#closing.signal.aborted) {
				return 'held';
			}
			const { owner } = await this.#present();
			const { lease, status } = await this.look(folder, name);
			const last = typeof lease?.owner === 'object' ? lease.owner : undefined;
			let number = lease?.number ?? 0;
			if (last?.id !== owner.id) {
				if (status !== 'free') {
					return status;
				}
				number += 1;
				this.#uncertain.set(key, { folder, name, number });
				const self = { ...owner, endsBy: soon() };
				const isMade = await writeNextLease(folder, name, number - 1, self);
				this.#uncertain.delete(key);
				if (!isMade) {
					return 'held';
				}
				await removeSocket(last?.address ?? '');
			} else if (this.#held.has(key)) {
				return 'own';
			}
			const acquired = { folder, name, number };
			this.#held.set(key, acquired);
			if (this.#closing.signal.aborted) {
				await this.#release(key);
				return 'held';
			}
			return acquired;
		});
	}

	/**
	 * Releases a lease. Nothing happens where this window does not hold it any more, because another
	 * process or the user has taken it over, or its folder was removed.
	 *
	 * @param number as acquired; where this window has acquired it again since, it stays
	 * @throws the system's error; `acquire` returns the lease again then
	 */
	async release(folder: string, name: string, number?: number): Promise<void> {
		const key = keyOf(folder, name);
		await this.#inOrder(key, () => this.#release(key, number));
	}

	async #release(key: string, number?: number): Promise<void> {
		const held = this.#held.get(key);
		if (held === undefined || (number !== undefined && number !== held.number)) {
			return;
		}
		this.#held.delete(key);
		const { folder, name } = held;
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
	}

	/**
	 * Runs a task that needs the leases of this window: none is released before it is done.
	 *
	 * @returns what the task returns; `undefined` where it was not run, because this window is closing
	 */
	async during<T>(task: () => Promise<T>): Promise<T | undefined> {
		const isClosing = this.#closing.signal.aborted;
		return isClosing ? undefined : this.#inOrder(crypto.randomUUID(), task);
	}

	/**
	 * Acquires a lease as soon as the process that has it is gone: a moment after a crash or a reload,
	 * whose old extension host lives on a while. A window that does not respond is asked to leave it.
	 *
	 * @returns `false` where this window holds it already or closes first, or the folder is gone
	 */
	acquireWhenFree(folder: string, name: string, onRefusal?: OnRefusal): Promise<boolean> {
		return this.#poll(folder, onRefusal, async () => {
			const acquired = await this.acquire(folder, name);
			if (acquired === 'held') {
				await this.#askToLeave(folder, name);
			}
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

	/** Tries again and again until an attempt has an answer. */
	async #poll(
		folder: string,
		onRefusal: OnRefusal = () => undefined,
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
				onRefusal(error);
			}
			await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
		}
		return false;
	}

	async #askToLeave(folder: string, name: string): Promise<void> {
		const owner = (await readLease(folder, name))?.owner;
		const socket = typeof owner === 'object' && (await connectLocally(owner.address));
		if (typeof socket === 'object') {
			socket.unref().write(wanted, () => socket.destroy());
		}
	}

	/**
	 * Returns the hosts whose processes have leases that are waited for, and of which it has been
	 * unclear for so long whether they live; with the number of folders that these lie in.
	 *
	 * @param forMs in milliseconds
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
	 * Releases the leases of {@link unreachableHosts} for a host that is off, as the user knows: those of
	 * windows, of workers and slots. The windows that wait for them acquire them.
	 *
	 * @throws the system's error
	 */
	async takeOverFrom(host: string): Promise<void> {
		const ofHost = [...this.#unclear.values()].filter(({ owner }) => hostOf(owner) === host);
		for (const { folder, name } of ofHost) {
			for (const each of [name, workerLease]) {
				const lease = await readLease(folder, each);
				const isOfHost = typeof lease?.owner === 'object' && hostOf(lease.owner) === host;
				if (isOfHost && (await leaseStatus(lease)) === 'unknown') {
					await writeNextLease(folder, each, lease.number, undefined);
				}
			}
		}
	}

	/**
	 * Reads a lease and its status, and remembers for {@link unreachableHosts} where that is unknown.
	 *
	 * @throws the system's error
	 */
	async look(
		folder: string,
		name: string,
	): Promise<{ lease: Lease | undefined; status: LeaseStatus }> {
		const lease = await readLease(folder, name);
		const status = await leaseStatus(lease);
		const key = keyOf(folder, name);
		const before = this.#unclear.get(key);
		this.#unclear.delete(key);
		if (status === 'unknown' && typeof lease?.owner === 'object') {
			const { owner } = lease;
			const now = performance.now();
			const isSame = before?.owner.id === owner.id && now - before.seenAt <= maxUnseenMs;
			const since = isSame ? before.since : now;
			this.#unclear.set(key, { folder, name, owner, since, seenAt: now });
		}
		return { lease, status };
	}

	/** Releases all leases after the tasks of {@link during}; from then on this window has none. */
	async dispose(): Promise<void> {
		this.#closing.abort();
		await Promise.allSettled(this.#operations.values());
		const held = [...this.#held.values()];
		await Promise.allSettled(held.map(({ folder, name }) => this.release(folder, name)));
		const presence = await this.#presence?.catch(() => undefined);
		for (const { folder, name, number } of this.#uncertain.values()) {
			// It would name this window as long as its process lives.
			const lease = await readLease(folder, name).catch(() => undefined);
			if (typeof lease?.owner === 'object' && lease.owner.id === presence?.owner.id) {
				await writeNextLease(folder, name, number, undefined).catch(() => false);
			}
		}
		clearInterval(this.#renewing);
		await presence?.socket.close();
	}

	#present(): Promise<Presence> {
		this.#presence ??= becomePresent(
			(socket) => {
				socket.unref().on('error', () => socket.destroy());
				// A process that only looks whether this one lives sends nothing.
				socket.once('data', () => void this.#leaveUnlessResponsive());
				socket.resume();
			},
			{ endsBy: soon() },
		).then(
			(presence) => {
				presence.socket.server.unref();
				const renew = () => void this.#renew(presence.owner);
				this.#renewing = setInterval(renew, renewEveryMs).unref();
				return presence;
			},
			(error: unknown) => {
				// The next call tries again.
				this.#presence = undefined;
				throw error;
			},
		);
		return this.#presence;
	}

	/**
	 * Notes in all leases that this window lives on. Where another window has one by now, because this
	 * one stood still or counted as gone, all is left to that.
	 */
	async #renew(self: LeaseOwner): Promise<void> {
		for (const held of [...this.#held.values()]) {
			const { folder, name, number } = held;
			try {
				const lease = await readLease(folder, name);
				if (lease?.number === number) {
					await renewLease(folder, name, number, { ...self, endsBy: soon() });
				} else if (
					// A worker was given its lease.
					typeof lease?.owner === 'object' &&
					lease.owner.job === undefined &&
					this.#held.get(keyOf(folder, name)) === held
				) {
					await this.#leave();
					return;
				}
			} catch {
				// It is tried again long before the lease counts as left.
			}
		}
	}

	/** Called when another window wants a lease of this one. */
	async #leaveUnlessResponsive(): Promise<void> {
		if (this.proof !== undefined && !this.#isProving) {
			this.#isProving = true;
			if (!(await isResponsive(this.proof, this.#closing.signal))) {
				await this.#leave();
			}
			this.#isProving = false;
		}
	}

	async #leave(): Promise<void> {
		this.#leaving.abort();
		await this.dispose();
	}

	async #inOrder<T>(key: string, operation: () => Promise<T>): Promise<T> {
		const before = this.#operations.get(key)?.catch(() => undefined);
		const running = before === undefined ? operation() : before.then(operation);
		this.#operations.set(key, running);
		try {
			return await running;
		} finally {
			if (this.#operations.get(key) === running) {
				this.#operations.delete(key);
			}
		}
	}
}

/** How often a window notes in its leases that it lives on, in milliseconds. */
const renewEveryMs = 10 * 60 * 1000;

/**
 * When a window is expected to have ended that does not renew its lease, ISO 8601. It matters only
 * where the window cannot be reached, for example from another machine; then it counts as gone an
 * hour later. It may be a laptop that sleeps. That is safe for the money: what has been sent is
 * guarded by the worker's lease, which ends with the longest time that a worker may take, and by the
 * job's state, not by the window's lease. At worst an image is saved under two names.
 */
function soon(): string {
	return new Date(Date.now() + 2 * renewEveryMs).toISOString();
}

/** A lease that was not looked at for so long is not waited for any more, in milliseconds. */
const maxUnseenMs = 3 * 5_000;

/** What a window sends to the one whose lease it waits for. */
const wanted = 'wanted\n';

const minWaitMs = 100;
const maxWaitMs = 5_000;

function keyOf(folder: string, name: string): string {
	return `${folder}\0${name}`;
}
