import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import { assertNotNewer, NewerFormatError, serializeVersioned } from '../files/fileFormat.js';
import { retryTransient } from '../files/retryTransient.js';
import { exists } from '../files/exists.js';
import { isNotFound } from '../files/fsErrors.js';
import { flushNames, privateFolder, writeRevocable, writeWhole } from '../files/writeWhole.js';
import {
	DamagedFileError,
	imageFile,
	now,
	receivedIn,
	readEntry,
	requestFile,
	stateFile,
	windowLease,
	writeState,
	type JobEntry,
} from './jobFolder.js';
import { leaseStatus, readLease } from './leaseFiles.js';
import type { GenerationRequest } from './request.js';
import type { JobState } from './state.js';

/** An entry whose request is not valid any more. It is never sent again. */
export interface DamagedEntry {
	readonly folder: string;
	readonly reason: string;
	/** Absolute path of the image that lies in it, whole, if there is one. */
	readonly image: string | undefined;
}

/** Entries of the journal. */
export interface Listing {
	/** Oldest first. */
	readonly entries: JobEntry[];
	/** Folders of jobs that a newer Easel has made or gone on with. */
	readonly newer: string[];
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
	 * @throws the system's error; there is no request then, so that no window sends it
	 */
	async create(request: GenerationRequest): Promise<JobEntry> {
		const folder = this.folder(request.id);
		await retryTransient(() => mkdir(folder, { recursive: true, mode: privateFolder }));
		const state: JobState = { state: 'queued', attempts: [], changedAt: now() };
		await writeState(folder, state);
		// The first job of all is the first in our storage; the caller that made that has flushed nothing.
		const storage = path.dirname(this.root);
		for (const above of [path.dirname(storage), storage, this.root]) {
			await flushNames(above);
		}
		// The request comes last: with it the entry is whole, without it nothing was sent. Its name is
		// flushed with the next state, which is written before anything is sent.
		await writeRevocable(path.join(folder, requestFile), serializeVersioned(request, '\t'));
		return { folder, request, state };
	}

	/**
	 * Every job that can be read. A damaged entry is listed once, one that cannot be read now each time.
	 *
	 * @throws the system's error where the journal itself cannot be looked into
	 */
	async list(): Promise<Listing> {
		const listing: Listing = { entries: [], newer: [], damaged: [], unreadable: [] };
		const folders = await this.#folders();
		const queue = new PQueue({ concurrency: readAtOnce });
		await queue.addAll(folders.map((folder) => () => listOne(folder, listing)));
		const createdAt = ({ request }: JobEntry) => Date.parse(request.createdAt);
		listing.entries.sort((a, b) => createdAt(a) - createdAt(b));
		return listing;
	}

	/** Returns the jobs of a batch, as far as they can be read now. @throws as {@link list} */
	async ofBatch(id: string): Promise<JobEntry[]> {
		return (await this.readable()).filter(({ request }) => request.round.id === id);
	}

	/** Returns all jobs that can be read now, and marks none. @throws as {@link list} */
	async readable(): Promise<JobEntry[]> {
		const queue = new PQueue({ concurrency: readAtOnce });
		const entries = await queue.addAll(
			(await this.#folders()).map((folder) => () => readEntry(folder).catch(() => undefined)),
		);
		return entries.filter((entry) => entry !== undefined);
	}

	async #folders(): Promise<string[]> {
		try {
			const found = await retryTransient(() => readdir(this.root, { withFileTypes: true }));
			return found.filter((entry) => entry.isDirectory()).map(({ name }) => this.folder(name));
		} catch (error) {
			if (isNotFound(error)) {
				return [];
			}
			throw error;
		}
	}
}

async function listOne(folder: string, listing: Listing): Promise<void> {
	try {
		listing.entries.push(await readEntry(folder));
	} catch (error) {
		const refusal = isNotFound(error)
			? await removeIfLeft(folder, error).catch((one: unknown) => one)
			: error;
		if (refusal instanceof NewerFormatError) {
			listing.newer.push(folder);
		} else if (refusal instanceof DamagedFileError) {
			listing.damaged.push(...(await markDamaged(folder, refusal.message)));
		} else if (refusal !== undefined && !isNotFound(refusal)) {
			// Else another window was quicker to remove it.
			listing.unreadable.push({ folder, error: refusal });
		}
	}
}

const readAtOnce = 16;
/** A folder younger than this may just be being made; its lease follows within milliseconds. */
const maxMakingMs = 60_000;
/** A file of this name says that a damaged entry was listed before. */
const damagedFile = 'damaged';

/**
 * Removes a job that was never completely made, unless a living window may be making it just now; or
 * the rest of one whose removal was interrupted.
 *
 * @throws {DamagedFileError} where an image lies in it all the same
 * @throws {NewerFormatError} where it belongs to a newer Easel
 * @throws where it has a request all the same; the system's error
 */
async function removeIfLeft(folder: string, cause: unknown): Promise<void> {
	if ((await readdir(folder)).includes(requestFile)) {
		throw new Error('one of its files could not be read', { cause });
	}
	await assertNotNewer(path.join(folder, stateFile));
	if ((await receivedIn([folder])).length > 0) {
		throw new DamagedFileError(`${requestFile} is not there`, { cause });
	}
	const { mtimeMs } = await stat(folder);
	if (
		Date.now() - mtimeMs > maxMakingMs &&
		(await leaseStatus(await readLease(folder, windowLease))) === 'free'
	) {
		// Without a request nothing was sent.
		await rm(folder, { recursive: true });
	}
}

/**
 * Notes that an entry is damaged. Nothing is moved or deleted: an image may lie in there.
 *
 * @returns none where that was noted before
 */
async function markDamaged(folder: string, reason: string): Promise<DamagedEntry[]> {
	const mark = path.join(folder, damagedFile);
	if (await exists(mark)) {
		return [];
	}
	// Where this fails, it is only listed once more.
	await writeWhole(mark, reason).catch(() => undefined);
	const image = path.join(folder, imageFile);
	return [{ folder, reason, image: (await exists(image)) ? image : undefined }];
}
