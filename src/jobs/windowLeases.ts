import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { saysGone } from '../files/isThere.js';
import { patiently } from '../files/patiently.js';
import { becomePresent, type Holder, type Presence } from './holder.js';
import { isFree, readLease, succeed, type Lease } from './leaseFiles.js';
import { connectLocally, removeSocket } from './localSocket.js';

/** The leases of one window, which proves its life to the others as long as it has any. */
export class Leases {
	readonly #others = new Set<Socket>();
	readonly #mine = new Map<string, { folder: string; name: string; number: number }>();
	/** What was refused in the middle of taking it, and may be there all the same. */
	readonly #unsure = new Map<string, { folder: string; name: string }>();
	readonly #ending = new AbortController();
	readonly #busy = new Set<Promise<unknown>>();
	#presence: Promise<Presence> | undefined;

	/**
	 * Returns the number of the lease where this window has it now: it had it, or nobody who lives
	 * has. `undefined` where somebody has it, or that is not known.
	 *
	 * @throws the system's error where it cannot be told
	 */
	async take(folder: string, name: string): Promise<number | undefined> {
		if (this.#ending.signal.aborted) {
			return undefined;
		}
		const { holder } = await this.#present();
		const lease = await readLease(folder, name);
		if (isHeldBy(lease, holder)) {
			this.#mine.set(keyOf(folder, name), { folder, name, number: lease.number });
			return lease.number;
		}
		return this.#takeFrom(lease, folder, name, holder);
	}

	/** As {@link take}, but `undefined` where this window knows that it has it already. */
	async takeFree(folder: string, name: string): Promise<number | undefined> {
		const { holder } = await this.#present();
		const lease = await readLease(folder, name);
		return isHeldBy(lease, holder) && this.#mine.has(keyOf(folder, name))
			? undefined
			: this.take(folder, name);
	}

	async #takeFrom(
		lease: Lease | undefined,
		folder: string,
		name: string,
		self: Holder,
	): Promise<number | undefined> {
		if (!(await isFree(lease))) {
			return undefined;
		}
		const previous = lease?.number ?? 0;
		const key = keyOf(folder, name);
		this.#unsure.set(key, { folder, name });
		const isTaken = await succeed(folder, name, previous, self);
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
	 * Runs what only one process may do, and gives nothing back before it is done. The process of a
	 * window lives on for a while after the window is closed or reloaded: then the task is not run,
	 * and `undefined` returned.
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
	 * Gives back what this window has; where another process has taken it over, nothing happens.
	 *
	 * @param number the one that was taken: what this window has taken again since then stays
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
			const lease = await patiently(() => readLease(folder, name));
			if (isHeldBy(lease, holder) && (mine === undefined || lease.number === mine.number)) {
				await succeed(folder, name, lease.number, undefined);
			}
		} finally {
			// Not before: somebody else in this window would take it for theirs meanwhile.
			this.#unsure.delete(key);
			if (this.#mine.get(key) === mine) {
				this.#mine.delete(key);
			}
		}
	}

	/**
	 * The window has nothing to do with it any more: a worker has taken it over, or it is removed.
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
	 * Takes the lease as soon as whoever has it is gone: at once after a crash, a moment after a
	 * reload, whose old extension host lives on for a while. What cannot be told is asked again.
	 *
	 * @returns `false` where this window ends first, or the folder is gone
	 * @param onRefusal called with what could not be done, before it is tried again
	 */
	async takeWhenFree(
		folder: string,
		name: string,
		onRefusal: (error: unknown) => void = () => undefined,
	): Promise<boolean> {
		const { signal } = this.#ending;
		for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
			try {
				if ((await this.take(folder, name)) !== undefined) {
					return true;
				}
				if (await this.#awaitEnd(await readLease(folder, name))) {
					waitMs = firstWaitMs;
				}
			} catch (error) {
				if (await saysGone(error, folder)) {
					return false;
				}
				onRefusal(error);
			}
			await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
		}
		return false;
	}

	/** Waits until the process that has a lease ends; `false` where nobody can tell when. */
	async #awaitEnd(lease: Lease | undefined): Promise<boolean> {
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
		}
		await new Promise((resolve) => socket.once('close', resolve));
		return true;
	}

	/** Gives everything back; others learn of it at once. */
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
		await presence?.socket.close();
	}

	#present(): Promise<Presence> {
		this.#presence ??= becomePresent(
			(socket) => {
				this.#keep(socket);
			},
			{ endsBy: new Date(Date.now() + longestWindowMs).toISOString() },
		).then(
			(presence) => {
				presence.socket.server.unref();
				return presence;
			},
			(error: unknown) => {
				// The next one who asks tries again.
				this.#presence = undefined;
				throw error;
			},
		);
		return this.#presence;
	}

	/** Connections stay open, so that each side hears of the other's end. */
	#keep(socket: Socket): void {
		this.#others.add(socket);
		socket.unref();
		socket.resume();
		socket.on('error', () => socket.destroy());
		socket.on('close', () => this.#others.delete(socket));
	}
}

/** A window of another machine that is not heard of for so long has ended, in milliseconds. */
const longestWindowMs = 24 * 60 * 60 * 1000;

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
