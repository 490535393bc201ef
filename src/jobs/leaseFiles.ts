import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { serializeVersioned, NewerFormatError, parseVersioned } from '../files/fileFormat.js';
import { retryTransient } from '../files/retryTransient.js';
import { linkTo, moveTo } from '../files/freeName.js';
import { isNotFound } from '../files/fsErrors.js';
import { privateFile } from '../files/writeWhole.js';
import { leaseOwnerSchema } from './leaseOwner.js';
import { ownerStatus, type LeaseOwner } from './processIdentity.js';

/**
 * Says which process has something: a job, the right to request its image, a slot. A lease is a file
 * `<name>.<number>` in a folder, and the highest number counts. To take a lease over, release it or
 * hand it on, a process makes the file of the next number, which the file system lets only one
 * process do. Only its owner replaces the file itself, to renew it. A lease is taken over only after
 * its process is certainly gone.
 */
export interface Lease {
	/** From 1. */
	readonly number: number;
	/**
	 * `undefined` where it was released, or its process died while it made the file; `unreadable`
	 * where that cannot be read now, or a newer Easel has it.
	 */
	readonly owner: LeaseOwner | 'unreadable' | undefined;
}

/** `free`: no living process has it; `unknown`: it may be either. */
export type LeaseStatus = 'free' | 'held' | 'unknown';

/** Reads the last lease, if there is one. @throws the system's error where the folder cannot be read */
export async function readLease(folder: string, name: string): Promise<Lease | undefined> {
	for (let tries = 1; ; tries += 1) {
		const number = Math.max(...(await numbersOf(folder, name)));
		if (number < 1) {
			return undefined;
		}
		try {
			return { number, owner: await readOwner(leaseFile(folder, name, number)) };
		} catch (error) {
			// A file that does not exist was followed by others and removed meanwhile.
			if (!isNotFound(error) || tries === maxTries) {
				return { number, owner: 'unreadable' };
			}
		}
	}
}

/** Returns whether a living process has a lease, as of {@link readLease}. */
export async function leaseStatus(lease: Lease | undefined): Promise<LeaseStatus> {
	const owner = lease?.owner;
	if (typeof owner !== 'object') {
		return owner === undefined ? 'free' : 'unknown';
	}
	return ({ alive: 'held', gone: 'free', unknown: 'unknown' } as const)[await ownerStatus(owner)];
}

/** Returns the process that has a lease, if that is known. */
export function ownerOf(lease: Lease | undefined): LeaseOwner | undefined {
	return typeof lease?.owner === 'object' ? lease.owner : undefined;
}

/**
 * Makes the lease that follows on `previous` (0 before the first).
 *
 * @param owner `undefined` releases it
 * @returns `false` where another process was quicker
 * @throws the system's error; in rare cases the lease was made all the same
 */
export async function writeNextLease(
	folder: string,
	name: string,
	previous: number,
	owner: LeaseOwner | undefined,
): Promise<boolean> {
	const number = previous + 1;
	const file = leaseFile(folder, name, number);
	if (!(await createWhole(file, serializeVersioned(owner ?? {})))) {
		return false;
	}
	const listed = retryTransient(() => numbersOf(folder, name));
	const numbers = await listed.catch(async (error: unknown) => {
		await rm(file).catch(() => undefined);
		throw error;
	});
	// A process that looked long ago may make a number that was used and removed since.
	if (Math.max(...numbers) > number) {
		await rm(file, { force: true });
		return false;
	}
	const old = numbers.filter((each) => each <= number - retainedNumbers);
	// Another process may be removing them too, and the next lease tries again.
	await Promise.allSettled(old.map((each) => rm(leaseFile(folder, name, each))));
	return true;
}

/** Returns the path of a lease. */
export function leaseFile(folder: string, name: string, number: number): string {
	return path.join(folder, `${name}.${String(number)}`);
}

const maxTries = 20;

/**
 * Number of the newest leases that stay. A listing of a folder that changes meanwhile may miss a
 * file just made as well as one just removed; with several, one is always seen.
 */
const retainedNumbers = 8;

/** A file still without content after this time was left by a process that died while making it. */
const maxWritingMs = 10_000;

/**
 * A lease of a newer Easel, of whose process nothing is known, counts as held so long after its file
 * was written: windows write it anew every 10 minutes, and no worker lives for a day.
 */
const maxUnrenewedMs = 24 * 60 * 60 * 1000;

async function numbersOf(folder: string, name: string): Promise<number[]> {
	return (await readdir(folder)).flatMap((file) => {
		const number = file.startsWith(`${name}.`) ? file.slice(name.length + 1) : '';
		return /^[1-9]\d*$/.test(number) ? [Number(number)] : [];
	});
}

/** The content of a lease that was released, in whatever version. */
const releasedSchema = z.strictObject({ format: z.number().optional() });

/** @throws the system's error */
async function readOwner(file: string): Promise<Lease['owner']> {
	const text = await readFile(file, 'utf8');
	let maxAgeMs = maxWritingMs;
	try {
		if (releasedSchema.safeParse(JSON.parse(text)).success) {
			return undefined;
		}
		const { data } = leaseOwnerSchema.safeParse(parseVersioned(text));
		if (data !== undefined) {
			return data;
		}
	} catch (error) {
		// Other text may be on its way: without hard links a file is made first and written then.
		maxAgeMs = error instanceof NewerFormatError ? maxUnrenewedMs : maxAgeMs;
	}
	const { mtimeMs } = await stat(file);
	return Date.now() - mtimeMs > maxAgeMs ? undefined : 'unreadable';
}

/**
 * Makes a file with its content, in one step where the file system has hard links.
 *
 * @returns `false` where the name is taken
 * @throws the system's error
 */
async function createWhole(file: string, content: string): Promise<boolean> {
	const part = `${file}.${crypto.randomUUID()}.part`;
	try {
		await writeFile(part, content, { mode: privateFile });
		const outcome = await linkTo(part, file);
		return outcome === 'unsupported' ? await moveTo(part, file) : outcome === 'linked';
	} finally {
		await rm(part, { force: true }).catch(() => undefined);
	}
}
