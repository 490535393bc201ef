import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type * as z from 'zod';
import { holderOf } from './claim.js';
import { isAnswered } from './endpoint.js';
import { generationRequestSchema, type GenerationRequest } from './request.js';
import { isOver, jobStateSchema, type JobState } from './state.js';

/** A job as the journal has it. */
export interface JobEntry {
	readonly folder: string;
	readonly request: GenerationRequest;
	readonly state: JobState;
}

/** An entry that cannot be read; it was set aside and is never sent again. */
export interface DamagedEntry {
	readonly folder: string;
	readonly reason: string;
}

/** The journal: one folder for each job below `root`. It is the memory of what was paid for. */
export class Journal {
	constructor(readonly root: string) {}

	folder(id: string): string {
		return path.join(this.root, id);
	}

	/** Writes a new job; resolves when it is on disk, before anything may be sent. */
	async create(request: GenerationRequest): Promise<JobEntry> {
		const folder = this.folder(request.id);
		await mkdir(folder, { recursive: true });
		const state: JobState = { state: 'queued', attempts: [], changedAt: now() };
		// The request comes last: with it the entry is whole, without it nothing was asked for.
		await writeState(folder, state);
		await writeAtomically(path.join(folder, requestFile), request);
		return { folder, request, state };
	}

	/** Every job, oldest first; what is damaged is set aside and told, never a crash. */
	async list(): Promise<{ entries: JobEntry[]; damaged: DamagedEntry[] }> {
		const entries: JobEntry[] = [];
		const damaged: DamagedEntry[] = [];
		for (const name of await this.#folders()) {
			const folder = path.join(this.root, name);
			try {
				entries.push(await readEntry(folder));
			} catch (error) {
				if (isWithoutRequest(error)) {
					await removeIfLeft(folder);
					continue;
				}
				const reason = error instanceof Error ? error.message : String(error);
				damaged.push({ folder: await this.#setAside(folder), reason });
			}
		}
		entries.sort((a, b) => a.request.createdAt.localeCompare(b.request.createdAt));
		return { entries, damaged };
	}

	/**
	 * Forgets what is over and older than 90 days or beyond the last 1,000 jobs, and nothing else:
	 * an image that was not delivered stays for ever. A clock that was wrong errs on the safe side.
	 */
	async cleanUp(entries: readonly JobEntry[], time = Date.now()): Promise<void> {
		for (const [index, { folder, state }] of entries.entries()) {
			const old = time - Date.parse(state.changedAt) > longestKeptMs;
			if (isOver(state) && (old || entries.length - index > mostKept)) {
				await rm(folder, { recursive: true, force: true });
			}
		}
	}

	async #folders(): Promise<string[]> {
		try {
			const found = await readdir(this.root, { withFileTypes: true });
			return found
				.filter((entry) => entry.isDirectory() && !entry.name.endsWith(damagedSuffix))
				.map((entry) => entry.name);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
				return [];
			}
			throw error;
		}
	}

	/** Nothing is deleted: an image may lie in there. */
	async #setAside(folder: string): Promise<string> {
		const aside = `${folder}${damagedSuffix}`;
		try {
			await rename(folder, aside);
			return aside;
		} catch {
			return folder;
		}
	}
}

/** @throws where a file is missing or is not what the schema says */
export async function readEntry(folder: string): Promise<JobEntry> {
	return {
		folder,
		request: await readJson(path.join(folder, requestFile), generationRequestSchema),
		state: await readState(folder),
	};
}

export function readState(folder: string): Promise<JobState> {
	return readJson(path.join(folder, stateFile), jobStateSchema);
}

/** Replaces the state of a job; resolves when the new one is on disk. */
export function writeState(folder: string, state: JobState): Promise<void> {
	return writeAtomically(path.join(folder, stateFile), state);
}

export function now(): string {
	return new Date().toISOString();
}

const longestKeptMs = 90 * 24 * 60 * 60 * 1000;
const mostKept = 1000;
/** Between a job's folder and its claim lie a few milliseconds. */
const longestMakingMs = 60_000;
/** The image in a job's folder; under this name it is whole and flushed. */
export const imageFile = 'image';
const requestFile = 'request.json';
const stateFile = 'state.json';
const damagedSuffix = '.damaged';

/** Removes a job whose making was cut short; a window that lives may just be making it. */
async function removeIfLeft(folder: string): Promise<void> {
	const holder = await holderOf(folder);
	const { mtimeMs } = await stat(folder);
	if (
		Date.now() - mtimeMs > longestMakingMs &&
		!(holder !== undefined && (await isAnswered(holder)))
	) {
		// Nothing was asked for yet.
		await rm(folder, { recursive: true, force: true });
	}
}

/** Decided by the one attempt to read it: a second look could find what was written meanwhile. */
function isWithoutRequest(error: unknown): boolean {
	const { code, path: file = '' } = error as NodeJS.ErrnoException;
	return code === 'ENOENT' && path.basename(file) === requestFile;
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T> {
	return schema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** Write, flush, rename: whoever reads finds the old content or the new one, never a half. */
async function writeAtomically(file: string, content: unknown): Promise<void> {
	const part = `${file}.${crypto.randomUUID()}.part`;
	const handle = await open(part, 'w');
	try {
		await handle.writeFile(JSON.stringify(content, undefined, '\t'));
		await handle.sync();
	} finally {
		await handle.close();
	}
	await rename(part, file);
}
