import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type * as z from 'zod';
import { patiently } from '../files/patiently.js';
import { isThere } from '../files/isThere.js';
import { isNotThere } from '../files/refusal.js';
import { privateFolder, readWhole, writeWhole } from '../files/writeWhole.js';
import { isFree, readLease } from './leaseFiles.js';
import { generationRequestSchema, type GenerationRequest } from './request.js';
import { isSettled, jobStateSchema, type JobState } from './state.js';

/** A job as the journal has it. */
export interface JobEntry {
	readonly folder: string;
	readonly request: GenerationRequest;
	readonly state: JobState;
}

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

/** The lease of the window that brings a job to its end. */
export const windowLease = 'window';
/** The lease of the process that may ask for a job's image. */
export const workerLease = 'worker';

/** The image in a job's folder; under this name it is whole and flushed. */
export const imageFile = 'image';
/** The copies of a job's reference images lie in this folder. */
export const referencesFolder = 'references';
/** What the worker said besides its state: nothing, unless it ended otherwise than it should. */
export const workerOutputFile = 'worker.log';

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
		await writeWhole(path.join(folder, requestFile), json(request));
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
			request = await readJson(path.join(folder, requestFile), generationRequestSchema);
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

/**
 * Reads one job.
 *
 * @throws {DamagedFileError} where its request is not what the schema says; the system's error
 */
export async function readEntry(folder: string): Promise<JobEntry> {
	return {
		folder,
		request: await readJson(path.join(folder, requestFile), generationRequestSchema),
		state: await readState(folder),
	};
}

/**
 * Reads the state of a job. One that is damaged counts as the worst that it may have been: the
 * request has left, and whether an image was made is not known.
 *
 * @throws the system's error
 */
export async function readState(folder: string): Promise<JobState> {
	const file = path.join(folder, stateFile);
	try {
		return await readJson(file, jobStateSchema);
	} catch (error) {
		if (!(error instanceof DamagedFileError)) {
			throw error;
		}
		const { mtime } = await stat(file);
		return { state: 'sending', attempts: [], changedAt: mtime.toISOString() };
	}
}

/**
 * Replaces the state of a job; resolves when the new one is on disk. What the file system refuses
 * is tried again for a while.
 *
 * @throws the system's error; the old state stands then
 */
export function writeState(folder: string, state: JobState, longestMs?: number): Promise<void> {
	return writeWhole(path.join(folder, stateFile), json(state), { longestMs });
}

/** The wall-clock time, ISO 8601. */
export function now(): string {
	return new Date().toISOString();
}

/** A file was read whole, and is not what it has to be. Reading it again would not help. */
export class DamagedFileError extends Error {
	override readonly name = 'DamagedFileError';
}

const longestKeptMs = 90 * 24 * 60 * 60 * 1000;
const mostKept = 1000;
const readAtOnce = 16;
/** Between a job's folder and its lease lie a few milliseconds. */
const longestMakingMs = 60_000;
const requestFile = 'request.json';
const stateFile = 'state.json';
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

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T> {
	const text = await readWhole(file);
	let content: unknown;
	try {
		content = JSON.parse(text);
	} catch (error) {
		throw new DamagedFileError(`${path.basename(file)} is no JSON`, { cause: error });
	}
	const parsed = schema.safeParse(content);
	if (parsed.success) {
		return parsed.data;
	}
	const issue = parsed.error.issues[0];
	throw new DamagedFileError(
		`${path.basename(file)}: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'not allowed'}`,
		{ cause: parsed.error },
	);
}

function json(content: unknown): string {
	return JSON.stringify(content, undefined, '\t');
}

function createdAt({ request }: JobEntry): number {
	return Date.parse(request.createdAt);
}
