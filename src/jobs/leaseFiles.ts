import { link, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { serializeVersioned, NewerFormatError, parseVersioned } from '../files/fileFormat.js';
import { retryTransient } from '../files/retryTransient.js';
import { codeOf, isNotFound } from '../files/fsErrors.js';
import { privateFile, writeWhole } from '../files/writeWhole.js';
import { holderSchema, hostOf, livenessOf, type Holder } from './holder.js';

/**
 * Decides which of several processes has something: a job, the right to ask for its image, a slot
 * among the images that are asked for at the same time. A lease is a file `<name>.<number>` in a
 * folder, and the highest number counts. To take a lease over, give it back or hand it on, a process
 * makes the file of the next number, which the file system lets only one process do. The file itself
 * is replaced by its holder alone, to extend it. A lease is taken over only after the process that
 * has it is certainly gone.
 */
export interface Lease {
	/** From 1. */
	readonly number: number;
	/**
	 * `undefined` where it was given back, or its process died while it made the file; `unreadable`
	 * where that cannot be told just now, or a newer Easel has it.
	 */
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
			return { number, holder: await readHolder(leaseFile(folder, name, number)) };
		} catch (error) {
			// A file that is not there was overtaken and removed meanwhile: then look again.
			if (!isNotFound(error) || tries === mostTries) {
				return { number, holder: 'unreadable' };
			}
		}
	}
}

/**
 * Makes the lease that follows on `previous` (0 before the first). Of several processes that try,
 * one succeeds.
 *
 * @param holder `undefined` gives it back
 * @returns `false` where another process was quicker
 * @throws the system's error; in rare cases the lease was made all the same
 */
export async function succeed(
	folder: string,
	name: string,
	previous: number,
	holder: Holder | undefined,
): Promise<boolean> {
	const number = previous + 1;
	const file = leaseFile(folder, name, number);
	if (!(await createWhole(file, serializeVersioned(holder ?? {})))) {
		return false;
	}
	try {
		// A process that looked long ago may make a number that was used and removed since.
		const newest = await retryTransient(() => highest(folder, name));
		if ((newest ?? 0) > number) {
			await rm(file, { force: true });
			return false;
		}
	} catch (error) {
		await rm(file).catch(() => undefined);
		throw error;
	}
	await tidy(folder, name, number);
	return true;
}

/**
 * Replaces the record of a lease by one that ends later. Where it was taken over meanwhile, nothing
 * changes, for another number counts.
 *
 * @throws the system's error; the old record stands then
 */
export async function extendLease(
	folder: string,
	name: string,
	number: number,
	holder: Holder,
): Promise<void> {
	await writeWhole(leaseFile(folder, name, number), serializeVersioned(holder));
}

/**
 * Gives a lease back for a process that the user knows to be gone. Nothing happens where it belongs
 * to another host, or it can be told whether the process lives.
 *
 * @throws the system's error
 */
export async function giveUpLease(folder: string, name: string, host: string): Promise<void> {
	const lease = await readLease(folder, name);
	if (typeof lease?.holder === 'object' && hostOf(lease.holder) === host) {
		if ((await isHeld(lease)) === undefined) {
			await succeed(folder, name, lease.number, undefined);
		}
	}
}

const mostTries = 20;

/**
 * So many of the newest leases stay, the valid one included. A listing of a folder that changes
 * meanwhile may miss a file just made as well as one just removed; with several, one is always
 * seen.
 */
const keptNumbers = 8;

/** A file still without content after this time was left by a process that died while making it. */
const longestWritingMs = 10_000;

/**
 * Nothing is known of the process that has a lease of a newer Easel. It is taken for alive so long
 * after the file was written: windows write it anew every 10 minutes, and no worker lives for a day.
 */
const longestUnrenewedMs = 24 * 60 * 60 * 1000;

/**
 * Whether no living process has it. Where that cannot be told, it is not free.
 *
 * @param lease as of {@link readLease}
 */
export async function isFree(lease: Lease | undefined): Promise<boolean> {
	return (await isHeld(lease)) === false;
}

/**
 * Whether a living process has it; `undefined` where that cannot be told.
 *
 * @param lease as of {@link readLease}
 */
export async function isHeld(lease: Lease | undefined): Promise<boolean | undefined> {
	const holder = lease?.holder;
	if (holder === undefined) {
		return false;
	}
	const liveness = holder === 'unreadable' ? 'unknown' : await livenessOf(holder);
	return liveness === 'unknown' ? undefined : liveness === 'alive';
}

/** The file of a lease. */
export function leaseFile(folder: string, name: string, number: number): string {
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

/** What stands in a lease that was given back, in whatever version. */
const nobodySchema = z.strictObject({ format: z.number().optional() });

/** @throws the system's error */
async function readHolder(file: string): Promise<Lease['holder']> {
	const text = await readFile(file, 'utf8');
	let longestMs = longestWritingMs;
	try {
		if (nobodySchema.safeParse(JSON.parse(text)).success) {
			return undefined;
		}
		const { data } = holderSchema.safeParse(parseVersioned(text));
		if (data !== undefined) {
			return data;
		}
	} catch (error) {
		// What is no JSON may be on its way: without hard links a file is made first and written then.
		longestMs = error instanceof NewerFormatError ? longestUnrenewedMs : longestMs;
	}
	const { mtimeMs } = await stat(file);
	return Date.now() - mtimeMs > longestMs ? undefined : 'unreadable';
}

/**
 * Makes a file with its content, in one step where the file system has hard links.
 *
 * @returns `false` where there is one of that name already
 * @throws the system's error
 */
async function createWhole(file: string, content: string): Promise<boolean> {
	const part = `${file}.${crypto.randomUUID()}.part`;
	try {
		await writeFile(part, content, { mode: privateFile });
		await link(part, file);
		return true;
	} catch {
		// It is taken, or the file system has no hard links: the name decides all the same.
	} finally {
		await rm(part).catch(() => undefined);
	}
	try {
		await writeFile(file, content, { flag: 'wx', mode: privateFile });
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
				await rm(leaseFile(folder, name, old));
			}
		}
	} catch {
		// Another process may be removing them too, and the next lease tries again.
	}
}
