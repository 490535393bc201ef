import { link, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { saysGone } from '../files/isThere.js';
import { patiently } from '../files/patiently.js';
import { codeOf, isNotThere } from '../files/refusal.js';
import { privateFile } from '../files/writeWhole.js';
import { becomePresent, holderSchema, livenessOf, type Holder, type Presence } from './holder.js';
import { connectLocally, removeSocket } from './localSocket.js';

/**
 * Decides which of several processes has something: a job, the right to ask for its image, a slot
 * among the images that are asked for at the same time. A lease is a file `<name>.<number>` in a
 * folder. It is never changed: who takes it over makes the file of the next number, which the file
 * system lets only one process do, and only after the process of the last one is gone for certain.
 * The highest number counts.
 */
export interface Lease {
	/** From 1. */
	readonly number: number;
	/** `undefined` where it was given back; `unreadable` where that cannot be told just now. */
	readonly holder: Holder | 'unreadable' | undefined;
}

/**
 * What the last lease says; `undefined` before the first.
 *
 * @throws the system's error where the folder cannot be read
 */
export async function readLease(folder: string, name: string): Promise<Lease | undefined> {
	for (let tries = 1; ; tries += 1) {
		const number = await highest(folder, name);
		if (number === undefined) {
			return undefined;
		}
		try {
			return { number, holder: await readHolder(fileOf(folder, name, number)) };
		} catch (error) {
			// It was overtaken and tidied away meanwhile.
			if (!isNotThere(error) || tries === mostTries) {
				return { number, holder: 'unreadable' };
			}
		}
	}
}

/**
 * Makes the lease that follows on `previous` (0 before the first). Returns whether that worked: of
 * several who try, one succeeds.
 *
 * @param holder `undefined` gives it back
 * @throws the system's error where it cannot be made
 */
export async function succeed(
	folder: string,
	name: string,
	previous: number,
	holder: Holder | undefined,
): Promise<boolean> {
	const number = previous + 1;
	const file = fileOf(folder, name, number);
	if (!(await createWhole(file, JSON.stringify(holder ?? {})))) {
		return false;
	}
	try {
		// Whoever looked long ago makes a number that was used and tidied away since.
		const newest = await patiently(() => highest(folder, name));
		if (newest !== undefined && newest > number) {
			await rm(file, { force: true });
			return false;
		}
	} catch (error) {
		await rm(file, { force: true }).catch(() => undefined);
		throw error;
	}
	await tidy(folder, name, number);
	return true;
}

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
			this.#mine.set(fileOf(folder, name, 0), { folder, name, number: lease.number });
			return lease.number;
		}
		return this.#takeFrom(lease, folder, name, holder);
	}

	/** As {@link take}, but `undefined` where this window knows that it has it already. */
	async takeFree(folder: string, name: string): Promise<number | undefined> {
		const { holder } = await this.#present();
		const lease = await readLease(folder, name);
		return isHeldBy(lease, holder) && this.#mine.has(fileOf(folder, name, 0))
			? undefined
			: this.take(folder, name);
	}

	async #takeFrom(
		lease: Lease | undefined,
		folder: string,
		name: string,
		self: Holder,
	): Promise<number | undefined> {
		if (lease !== undefined && !(await isFree(lease))) {
			return undefined;
		}
		const previous = lease?.number ?? 0;
		const key = fileOf(folder, name, 0);
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
		const key = fileOf(folder, name, 0);
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
		const key = fileOf(folder, name, 0);
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
const mostTries = 20;

/**
 * So many overtaken leases stay. A folder that is read while it changes may leave out a file that
 * is made and show none that is removed meanwhile; so that one of the newest is always seen.
 */
const keptNumbers = 8;

/** A lease that was made but not written is that of a process which died in that moment. */
const longestWritingMs = 10_000;

function isHeldBy(
	lease: Lease | undefined,
	{ id }: Holder,
): lease is Lease & { readonly holder: Holder } {
	return typeof lease?.holder === 'object' && lease.holder.id === id;
}

async function isFree({ holder }: Lease): Promise<boolean> {
	if (holder === 'unreadable') {
		return false;
	}
	return holder === undefined || (await livenessOf(holder)) === 'gone';
}

function fileOf(folder: string, name: string, number: number): string {
	return path.join(folder, `${name}.${String(number)}`);
}

async function highest(folder: string, name: string): Promise<number | undefined> {
	const numbers = await numbersOf(folder, name);
	return numbers.length === 0 ? undefined : Math.max(...numbers);
}

async function numbersOf(folder: string, name: string): Promise<number[]> {
	return (await readdir(folder)).flatMap((file) => {
		const number = file.startsWith(`${name}.`) ? file.slice(name.length + 1) : '';
		return /^[1-9]\d*$/.test(number) ? [Number(number)] : [];
	});
}

/** What stands in a lease that was given back. */
const nobodySchema = z.strictObject({});

/** @throws the system's error */
async function readHolder(file: string): Promise<Lease['holder']> {
	const text = await readFile(file, 'utf8');
	let content: unknown;
	try {
		content = JSON.parse(text);
	} catch {
		content = undefined;
	}
	const parsed = holderSchema.safeParse(content);
	if (parsed.success) {
		return parsed.data;
	}
	if (nobodySchema.safeParse(content).success) {
		return undefined;
	}
	// Without hard links it is written after it was made.
	const { mtimeMs } = await stat(file);
	return Date.now() - mtimeMs > longestWritingMs ? undefined : 'unreadable';
}

/** Makes a file with its content in one step; `false` where there is one of that name already. */
async function createWhole(file: string, content: string): Promise<boolean> {
	const part = `${file}.${crypto.randomUUID()}.part`;
	try {
		await writeFile(part, content, { flag: 'wx', mode: privateFile });
		await link(part, file);
		return true;
	} catch (error) {
		if (codeOf(error) === 'EEXIST') {
			return false;
		}
		if (isNotThere(error)) {
			throw error;
		}
	} finally {
		await rm(part, { force: true }).catch(() => undefined);
	}
	// A file system without hard links: the name decides all the same.
	try {
		const handle = await open(file, 'wx', privateFile);
		try {
			await handle.writeFile(content);
		} finally {
			await handle.close();
		}
		return true;
	} catch (error) {
		if (codeOf(error) === 'EEXIST') {
			return false;
		}
		throw error;
	}
}

async function tidy(folder: string, name: string, number: number): Promise<void> {
	try {
		for (const old of await numbersOf(folder, name)) {
			if (old <= number - keptNumbers) {
				await rm(fileOf(folder, name, old), { force: true });
			}
		}
	} catch {
		// Another one tidies as well.
	}
}
