import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { patiently } from '../files/patiently.js';
import { isThere } from '../files/isThere.js';
import { isNotThere } from '../files/refusal.js';
import { flushNames, privateFolder, writeWhole } from '../files/writeWhole.js';
import {
	DamagedFileError,
	imageFile,
	now,
	readRequest,
	readState,
	requestFile,
	windowLease,
	writeRequest,
	writeState,
	type JobEntry,
} from './jobFolder.js';
import { isFree, readLease } from './leaseFiles.js';
import type { GenerationRequest } from './request.js';
import {
	noteSettledJobs,
	readSettledJobs,
	tidySettledJobs,
	type SettledJobs,
} from './settledJobs.js';
import { isSettled, type JobState } from './state.js';

/** An entry whose request is not valid any more. It is never sent again. */
export interface DamagedEntry {
	readonly folder: string;
	readonly reason: string;
	/** Absolute path of the image that lies in it, whole, if there is one. */
	readonly image: string | undefined;
}

/** What was found in the journal. */
export interface Listing {
	/** Oldest first; without those that are noted as settled. */
	readonly entries: JobEntry[];
	/** Those that are noted as settled, which were not read. */
	readonly settled: SettledJobs;
	/** Those that were found damaged for the first time. */
	readonly damaged: DamagedEntry[];
	/** Entries that could not be read just now; the next listing may have them. */
	readonly unreadable: { readonly folder: string; readonly error: unknown }[];
}

/**
 * The journal: one folder for each job below `root`. It is the memory of what was paid for, so an
 * entry that cannot be read just now does not affect the others, and none is moved or removed
 * because of it.
 */
export class Journal {
	/** @param root absolute; made when it is needed */
	constructor(readonly root: string) {}

	/** Absolute path of the folder of a job, whether it exists or not. */
	folder(id: string): string {
		return path.join(this.root, id);
	}

	/**
	 * Writes a new job; nothing of it may be sent before this resolves.
	 *
	 * @throws the system's error
	 */
	async create(request: GenerationRequest): Promise<JobEntry> {
		const folder = this.folder(request.id);
		await patiently(() => mkdir(folder, { recursive: true, mode: privateFolder }));
		const state: JobState = { state: 'queued', attempts: [], changedAt: now() };
		await writeState(folder, state);
		// The first job of all is the first in our storage; whoever made that has flushed nothing.
		const storage = path.dirname(this.root);
		for (const above of [path.dirname(storage), storage, this.root]) {
			await flushNames(above);
		}
		// The request comes last: with it the entry is whole, without it nothing was sent.
		await writeRequest(folder, request);
		return { folder, request, state };
	}

	/**
	 * Every job that can be read and is not noted as settled. A damaged entry is listed once, one that
	 * cannot be read now each time.
	 *
	 * @throws the system's error where the journal itself cannot be looked into
	 */
	async list(): Promise<Listing> {
		const folders = new Set(await this.#folders());
		const noted = await readSettledJobs(this.root);
		await tidySettledJobs(this.root, noted, (id) => folders.has(id));
		const settled = new Map([...noted].filter(([id]) => folders.has(id)));
		const listing: Listing = { entries: [], settled, damaged: [], unreadable: [] };
		const names = [...folders].filter((name) => !settled.has(name));
		for (let at = 0; at < names.length; at += readAtOnce) {
			await Promise.all(
				names.slice(at, at + readAtOnce).map(async (name) => {
					const folder = path.join(this.root, name);
					try {
						await this.#listOne(folder, listing);
					} catch (error) {
						listing.unreadable.push({ folder, error });
					}
				}),
			);
		}
		listing.entries.sort((a, b) => createdAt(a) - createdAt(b));
		return listing;
	}

	/**
	 * Notes jobs that no window has to look at any more: {@link list} does not read them again.
	 * Never throws; what is not noted is only read once more.
	 */
	async noteSettled(entries: readonly JobEntry[]): Promise<void> {
		const jobs = entries.map(
			({ folder, state }) => [path.basename(folder), state.changedAt] as const,
		);
		await noteSettledJobs(this.root, new Map(jobs));
	}

	/**
	 * Removes the jobs that are over and told, and older than 90 days or beyond the last 1,000. An
	 * image that was not delivered stays for ever.
	 *
	 * @param time wall-clock time, in milliseconds since 1970
	 * @returns the errors of what could not be removed; it is tried again another time
	 */
	async cleanUp(
		{ entries, settled }: Pick<Listing, 'entries' | 'settled'>,
		time = Date.now(),
	): Promise<unknown[]> {
		const all = [
			...entries.map(({ folder, state }) => {
				return { folder, changedAt: Date.parse(state.changedAt), isSettled: isSettled(state) };
			}),
			...[...settled].map(([id, changedAt]) => {
				return { folder: this.folder(id), changedAt, isSettled: true };
			}),
		].sort((a, b) => a.changedAt - b.changedAt);
		const refusals: unknown[] = [];
		for (const [index, { folder, changedAt, isSettled }] of all.entries()) {
			if (isSettled && (time - changedAt > longestKeptMs || all.length - index > mostKept)) {
				try {
					await rm(folder, { recursive: true, force: true });
				} catch (error) {
					refusals.push(error);
				}
			}
		}
		return refusals;
	}

	async #folders(): Promise<string[]> {
		try {
			const found = await patiently(() => readdir(this.root, { withFileTypes: true }));
			return found.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
		} catch (error) {
			if (isNotThere(error)) {
				return [];
			}
			throw error;
		}
	}

	async #listOne(folder: string, listing: Listing): Promise<void> {
		let request: GenerationRequest;
		try {
			request = await readRequest(folder);
		} catch (error) {
			if (isNotThere(error)) {
				await removeIfLeft(folder, error);
				return;
			}
			if (!(error instanceof DamagedFileError)) {
				throw error;
			}
			const found = await markDamaged(folder, error.message);
			listing.damaged.push(...(found === undefined ? [] : [found]));
			return;
		}
		try {
			listing.entries.push({ folder, request, state: await readState(folder) });
		} catch (error) {
			// Another window has just removed a job that was over.
			if (!isNotThere(error) || (await isThere(folder))) {
				throw error;
			}
		}
	}
}

const longestKeptMs = 90 * 24 * 60 * 60 * 1000;
const mostKept = 1000;
const readAtOnce = 16;
/** A folder younger than this may just be being made; its lease follows within milliseconds. */
const longestMakingMs = 60_000;
/** A file of this name says that a damaged entry was listed before. */
const damagedFile = 'damaged';

/**
 * Removes a job that was never completely made, unless a living window may be making it just now.
 *
 * @throws where it has a request all the same; the system's error
 */
async function removeIfLeft(folder: string, refusal: unknown): Promise<void> {
	try {
		if ((await readdir(folder)).includes(requestFile)) {
			throw new Error('its request could not be read', { cause: refusal });
		}
		const { mtimeMs } = await stat(folder);
		if (Date.now() - mtimeMs <= longestMakingMs) {
			return;
		}
		if (await isFree(await readLease(folder, windowLease))) {
			// Without a request nothing was sent.
			await rm(folder, { recursive: true });
		}
	} catch (error) {
		// Not there: another window was quicker.
		if (!isNotThere(error)) {
			throw error;
		}
	}
}

/**
 * Notes that an entry is damaged. Nothing is moved or deleted: an image may lie in there.
 *
 * @returns `undefined` where it was told before
 */
async function markDamaged(folder: string, reason: string): Promise<DamagedEntry | undefined> {
	const mark = path.join(folder, damagedFile);
	if (await isThere(mark)) {
		return undefined;
	}
	// Where this fails, it is only listed once more.
	await writeWhole(mark, reason).catch(() => undefined);
	const image = path.join(folder, imageFile);
	return { folder, reason, image: (await isThere(image)) ? image : undefined };
}

function createdAt({ request }: JobEntry): number {
	return Date.parse(request.createdAt);
}
