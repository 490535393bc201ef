import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { patiently } from '../files/patiently.js';
import { isThere } from '../files/isThere.js';
import { isNotThere } from '../files/refusal.js';
import { privateFolder, writeWhole } from '../files/writeWhole.js';
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
import { isSettled, type JobState } from './state.js';

/** An entry whose request cannot be understood any more. It is never sent again. */
export interface DamagedEntry {
	readonly folder: string;
	readonly reason: string;
	/** Absolute path of the image that lies in it, whole, if there is one. */
	readonly image: string | undefined;
}

/** What was found in the journal. */
export interface Listing {
	/** Oldest first. */
	readonly entries: JobEntry[];
	/** Those that were found damaged for the first time. */
	readonly damaged: DamagedEntry[];
	/** Folders that could not be read just now; the next look may find them. */
	readonly unreadable: { readonly folder: string; readonly error: unknown }[];
}

/**
 * The journal: one folder for each job below `root`. It is the memory of what was paid for, so an
 * entry that cannot be read just now costs no other one anything, and none is moved or removed
 * because of it.
 */
export class Journal {
	constructor(readonly root: string) {}

	folder(id: string): string {
		return path.join(this.root, id);
	}

	/** Writes a new job; resolves when it is on disk, before anything may be sent. */
	async create(request: GenerationRequest): Promise<JobEntry> {
		const folder = this.folder(request.id);
		await patiently(() => mkdir(folder, { recursive: true, mode: privateFolder }));
		const state: JobState = { state: 'queued', attempts: [], changedAt: now() };
		// The request comes last: with it the entry is whole, without it nothing was asked for.
		await writeState(folder, state);
		await writeRequest(folder, request);
		return { folder, request, state };
	}

	/**
	 * Every job that can be read. What is damaged is told once, what cannot be read now each time.
	 *
	 * @throws the system's error where the journal itself cannot be looked into
	 */
	async list(): Promise<Listing> {
		const listing: Listing = { entries: [], damaged: [], unreadable: [] };
		const names = await this.#folders();
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
	 * Forgets what is over and older than 90 days or beyond the last 1,000 jobs, and nothing else:
	 * an image that was not delivered stays for ever. A clock that was wrong errs on the safe side.
	 *
	 * @returns what could not be removed; it is tried again another time
	 */
	async cleanUp(entries: readonly JobEntry[], time = Date.now()): Promise<unknown[]> {
		const refusals: unknown[] = [];
		for (const [index, { folder, state }] of entries.entries()) {
			const old = time - Date.parse(state.changedAt) > longestKeptMs;
			if (isSettled(state) && (old || entries.length - index > mostKept)) {
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
			// Another window was quicker, and removed what was over.
			if (!isNotThere(error) || (await isThere(folder))) {
				throw error;
			}
		}
	}
}

const longestKeptMs = 90 * 24 * 60 * 60 * 1000;
const mostKept = 1000;
const readAtOnce = 16;
/** Between a job's folder and its lease lie a few milliseconds. */
const longestMakingMs = 60_000;
/** Says that a damaged entry was told of. */
const damagedFile = 'damaged';

/**
 * Removes a job whose making was cut short; a window that lives may just be making it.
 *
 * @throws what was refused, where its request is there all the same
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
			// Nothing was asked for yet.
			await rm(folder, { recursive: true });
		}
	} catch (error) {
		// Another window was quicker.
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
	// That it cannot be noted only means that it is told once more.
	await writeWhole(mark, reason).catch(() => undefined);
	const image = path.join(folder, imageFile);
	return { folder, reason, image: (await isThere(image)) ? image : undefined };
}

function createdAt({ request }: JobEntry): number {
	return Date.parse(request.createdAt);
}
