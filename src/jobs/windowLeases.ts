import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isFolderGone } from '../files/exists.js';
import { retryTransient } from '../files/retryTransient.js';
import { becomePresent, hostOf, type Holder, type Presence } from './holder.js';
import { workerLease } from './jobFolder.js';
import { extendLease, giveUpLease, isHeld, readLease, succeed, type Lease } from './leaseFiles.js';
import { connectLocally, removeSocket } from './localSocket.js';
import { untilUnseen, type WindowProof } from './unseenWindow.js';

/** Called with the error of what could not be done, before it is tried again. */
type OnRefusal = (error: unknown) => void;

/** A lease of which nobody can tell here whether its process lives; times as of `performance.now`. */
interface UnclearLease {
	readonly folder: string;
	readonly name: string;
	readonly holder: Holder;
	/** When it was found so first, and last. */
	readonly since: number;
	readonly seenAt: number;
}

/**
 * The leases of one window, which proves its life to the others as long as it has any. Where another
 * one wants them that could go on with the work, and nobody can see this one, it gets them all.
 */
export class Leases {
	readonly #others = new Set<Socket>();
	readonly #mine = new Map<string, { folder: string; name: string; number: number }>();
	/** Leases whose taking failed with an error, and whose files may be there all the same. */
	readonly #unsure = new Map<string, { folder: string; name: string }>();
	readonly #ending = new AbortController();
	readonly #busy = new Set<Promise<unknown>>();
	readonly #unclear = new Map<string, UnclearLease>();
	readonly #leaving = new AbortController();
	/** Aborted when all is left to another window; from then on this one gets no more. */
	readonly left: AbortSignal = this.#leaving.signal;
	#presence: Promise<Presence> | undefined;
	#extending: NodeJS.Timeout | undefined;

	/** @param proof of the window being seen; without it, it always is */
	constructor(private readonly proof?: WindowProof) {}

	/**
	 * Takes a lease unless another living process has it.
	 *
	 * @returns its number where this window has it now, or had it before; else `undefined`, also
	 * where that is not known or this window is ending
	 * @throws the system's error where it cannot be told
	 */
	async take(folder: string, name: string): Promise<number | undefined> {
		return this.#take(folder, name);
	}

	/**
	 * As {@link take}, but also `undefined` where this window has it already.
	 *
	 * @param onUnclear called where it cannot be told whether the process that has it lives
	 */
	async takeFree(
		folder: string,
		name: string,
		onUnclear?: () => void,
	): Promise<number | undefined> {
		return (await this.#has(folder, name)) ? undefined : this.#take(folder, name, onUnclear);
	}

	/** Whether this window has it, and knows that. */
	async #has(folder: string, name: string): Promise<boolean> {
		const { holder } = await this.#present();
		const lease = await readLease(folder, name);
		return isHeldBy(lease, holder) && this.#mine.has(keyOf(folder, name));
	}

	async #take(
		folder: string,
		name: string,
		onUnclear: () => void = () => undefined,
	): Promise<number | undefined> {
		if (this.#ending.signal.aborted) {
			return undefined;
		}
		const { holder } = await this.#present();
		const lease = await readLease(folder, name);
		if (isHeldBy(lease, holder)) {
			this.#mine.set(keyOf(folder, name), { folder, name, number: lease.number });
			return lease.number;
		}
		const isOthers = await this.#isHeld(lease, folder, name);
		if (isOthers === undefined) {
			onUnclear();
		}
		return isOthers === false ? this.#takeFrom(lease, folder, name, holder) : undefined;
	}

	/** @param lease that nobody has */
	async #takeFrom(
		lease: Lease | undefined,
		folder: string,
		name: string,
		self: Holder,
	): Promise<number | undefined> {
		const previous = lease?.number ?? 0;
		const key = keyOf(folder, name);
		this.#unsure.set(key, { folder, name });
		const isTaken = await succeed(folder, name, previous, { ...self, endsBy: soon() });
		this.#unsure.delete(key);
		if (!isTaken) {
			return undefined;
		}
		this.#mine.set(key, { folder, name, number: previous + 1 });
		if (this.#ending.signal.aborted) {
			await this.giveBack(folder, name);
			return undefined;
		}
		if (lease?.holder !== undefined && lease.holder !== 'unreadable') {
			await removeSocket(lease.holder.address);
		}
		return previous + 1;
	}

	/**
	 * Runs a task that needs the leases of this window: none is given back before it is done.
	 *
	 * @returns what the task returns; `undefined` where it was not run, because this window is ending
	 */
	async during<T>(task: () => Promise<T>): Promise<T | undefined> {
		if (this.#ending.signal.aborted) {
			return undefined;
		}
		const running = task();
		this.#busy.add(running);
		try {
			return await running;
		} finally {
			this.#busy.delete(running);
		}
	}

	/**
	 * Gives a lease back. Nothing happens where this window does not have it any more.
	 *
	 * @param number the number that was taken: where this window has taken it again since, it stays
	 * @throws the system's error
	 */
	async giveBack(folder: string, name: string, number?: number): Promise<void> {
		const key = keyOf(folder, name);
		const mine = this.#mine.get(key);
		if (number !== undefined && mine?.number !== number) {
			return;
		}
		if (mine === undefined && !this.#unsure.has(key)) {
			return;
		}
		try {
			const { holder } = await this.#present();
			const lease = await retryTransient(() => readLease(folder, name));
			if (isHeldBy(lease, holder) && (mine === undefined || lease.number === mine.number)) {
				await succeed(folder, name, lease.number, undefined);
			}
		} finally {
			// Not earlier: `takeFree` would give it to another part of this window meanwhile.
			this.#unsure.delete(key);
			if (this.#mine.get(key) === mine) {
				this.#mine.delete(key);
			}
		}
	}

	/**
	 * Forgets a lease without giving it back: a worker has taken it over, or its folder is removed.
	 *
	 * @param number as of {@link giveBack}
	 */
	forget(folder: string, name: string, number?: number): void {
		const key = keyOf(folder, name);
		if (number === undefined || this.#mine.get(key)?.number === number) {
			this.#mine.delete(key);
			this.#unsure.delete(key);
		}
	}

	/**
	 * Takes the lease as soon as the process that has it is gone: at once after a crash, a moment
	 * after a reload, whose old extension host lives on a while. One that nobody can see is asked to
	 * leave it. Unclear cases are looked at again.
	 *
	 * @returns `false` where this window has it already or ends first, or the folder is gone
	 */
	takeWhenFree(folder: string, name: string, onRefusal?: OnRefusal): Promise<boolean> {
		const take = async () => {
			// What has it may be at work.
			if (await this.#has(folder, name)) {
				return false;
			}
			return (await this.#take(folder, name)) === undefined ? undefined : true;
		};
		return this.#whenFree({ attempt: take, isWanted: true }, folder, name, onRefusal);
	}

	/** As {@link takeWhenFree}, but leaves it to others: waits until nobody has the lease. */
	whenFree(folder: string, name: string, onRefusal?: OnRefusal): Promise<boolean> {
		const isNobodys = async () =>
			(await this.#isHeld(await readLease(folder, name), folder, name)) === false
				? true
				: undefined;
		return this.#whenFree({ attempt: isNobodys, isWanted: false }, folder, name, onRefusal);
	}

	/** Tries until an attempt has an answer: until then it is `undefined`. */
	async #whenFree(
		{ attempt, isWanted }: { attempt: () => Promise<boolean | undefined>; isWanted: boolean },
		folder: string,
		name: string,
		onRefusal: OnRefusal = () => undefined,
	): Promise<boolean> {
		const { signal } = this.#ending;
		for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
			try {
				const answer = await attempt();
				if (answer !== undefined) {
					return answer;
				}
				if (await this.#awaitEnd(await readLease(folder, name), isWanted)) {
					waitMs = firstWaitMs;
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

	/** Waits until the process that has a lease ends; `false` where it cannot be reached. */
	async #awaitEnd(lease: Lease | undefined, isWanted: boolean): Promise<boolean> {
		if (lease?.holder === undefined || lease.holder === 'unreadable') {
			return false;
		}
		const socket = await connectLocally(lease.holder.address);
		if (typeof socket === 'string') {
			return false;
		}
		this.#keep(socket);
		if (this.#ending.signal.aborted) {
			socket.destroy();
		} else if (isWanted) {
			socket.write(wanted);
		}
		await new Promise((resolve) => socket.once('close', resolve));
		return true;
	}

	/**
	 * Looks whether the process that has a lease lives, for {@link unclearHosts}. Every attempt to take
	 * it does so, too. Never throws.
	 */
	async look(folder: string, name: string): Promise<void> {
		try {
			await this.#isHeld(await readLease(folder, name), folder, name);
		} catch {
			// Nothing is known of it.
		}
	}

	/**
	 * Returns the hosts whose processes have leases that are waited for, and of which it has been
	 * unclear for so long whether they live; with the number of folders that these lie in.
	 *
	 * @param forMs in milliseconds
	 */
	unclearHosts(forMs = 30_000): ReadonlyMap<string, number> {
		const now = performance.now();
		const folders = new Map<string, Set<string>>();
		for (const { folder, holder, since, seenAt } of this.#unclear.values()) {
			if (seenAt - since >= forMs && now - seenAt <= lookedForMs) {
				const host = hostOf(holder);
				folders.set(host, (folders.get(host) ?? new Set()).add(folder));
			}
		}
		return new Map([...folders].map(([host, { size }]) => [host, size]));
	}

	/**
	 * Gives up the leases of {@link unclearHosts} for a host that is off, as the user knows: those of
	 * windows, of workers and slots. Whoever waits for them gets them.
	 *
	 * @throws the system's error
	 */
	async giveUpFor(host: string): Promise<void> {
		for (const { folder, name, holder } of [...this.#unclear.values()]) {
			if (hostOf(holder) === host) {
				await giveUpLease(folder, name, host);
				await giveUpLease(folder, workerLease, host);
			}
		}
	}

	/** As `isHeld`, and remembers where that is unclear. */
	async #isHeld(
		lease: Lease | undefined,
		folder: string,
		name: string,
	): Promise<boolean | undefined> {
		const held = await isHeld(lease);
		const key = keyOf(folder, name);
		const holder = lease?.holder;
		if (held !== undefined || typeof holder !== 'object') {
			this.#unclear.delete(key);
			return held;
		}
		const now = performance.now();
		const before = this.#unclear.get(key);
		const isSame = before?.holder.id === holder.id && now - before.seenAt <= lookedForMs;
		const since = isSame ? before.since : now;
		this.#unclear.set(key, { folder, name, holder, since, seenAt: now });
		return undefined;
	}

	/** Gives all leases back after the tasks of {@link during}; other windows notice at once. */
	async dispose(): Promise<void> {
		this.#ending.abort();
		await Promise.allSettled(this.#busy);
		await Promise.allSettled(
			[...this.#mine.values(), ...this.#unsure.values()].map(({ folder, name }) =>
				this.giveBack(folder, name),
			),
		);
		for (const socket of this.#others) {
			socket.destroy();
		}
		const presence = await this.#presence?.catch(() => undefined);
		clearInterval(this.#extending);
		await presence?.socket.close();
	}

	#present(): Promise<Presence> {
		this.#presence ??= becomePresent(
			(socket) => {
				this.#keep(socket);
				// Whoever only looks whether this window lives says nothing.
				socket.once('data', () => void this.#leaveWhenUnseen(socket));
			},
			{ endsBy: soon() },
		).then(
			(presence) => {
				presence.socket.server.unref();
				const extend = () => void this.#extend(presence.holder);
				this.#extending = setInterval(extend, extendEveryMs).unref();
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
	 * Says in all leases that this window lives on. Where another window has one by now, because this
	 * one stood still or counted as gone, all is left to that.
	 */
	async #extend(self: Holder): Promise<void> {
		for (const { folder, name, number } of [...this.#mine.values()]) {
			try {
				const lease = await readLease(folder, name);
				if (isHeldBy(lease, self)) {
					await extendLease(folder, name, lease.number, { ...self, endsBy: soon() });
				} else if (
					// What a worker has was handed on to it.
					typeof lease?.holder === 'object' &&
					lease.holder.job === undefined &&
					this.#mine.get(keyOf(folder, name))?.number === number
				) {
					this.#leaving.abort();
					await this.dispose();
					return;
				}
			} catch {
				// It is tried again long before the lease counts as left.
			}
		}
	}

	/** Another window waits for a lease of this one. */
	async #leaveWhenUnseen(waiting: Socket): Promise<void> {
		if (this.proof === undefined) {
			return;
		}
		const gone = new AbortController();
		waiting.once('close', () => {
			gone.abort();
		});
		if (await untilUnseen(this.proof, AbortSignal.any([gone.signal, this.#ending.signal]))) {
			this.#leaving.abort();
			await this.dispose();
		}
	}

	/** Keeps a connection open, so that each side notices the other's end. */
	#keep(socket: Socket): void {
		this.#others.add(socket);
		socket.unref();
		socket.resume();
		socket.on('error', () => socket.destroy());
		socket.on('close', () => this.#others.delete(socket));
	}
}

/** How often a window says in its leases that it lives on, in milliseconds. */
const extendEveryMs = 10 * 60 * 1000;

/**
 * When a window is expected to have ended that does not extend its lease, ISO 8601. It matters only
 * where the window cannot be reached, for example from another machine; then it counts as gone an
 * hour later. It may be a laptop that sleeps. That is safe for the money: what has been sent is
 * guarded by the worker's lease, which ends with the longest time that a worker may take, and by the
 * job's state, not by the window's lease. At worst an image is saved under two names.
 */
function soon(): string {
	return new Date(Date.now() + 2 * extendEveryMs).toISOString();
}

/** What was not looked at for so long is not waited for any more, in milliseconds. */
const lookedForMs = 3 * 5_000;

/** What a window sends to the one whose lease it waits for. */
const wanted = 'wanted\n';

const firstWaitMs = 100;
const longestWaitMs = 5_000;

function isHeldBy(
	lease: Lease | undefined,
	{ id }: Holder,
): lease is Lease & { readonly holder: Holder } {
	return typeof lease?.holder === 'object' && lease.holder.id === id;
}

function keyOf(folder: string, name: string): string {
	return `${folder}\0${name}`;
}
