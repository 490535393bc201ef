import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type * as z from 'zod';
import {
	assertNotNewer,
	serializeVersioned,
	NewerFormatError,
	parseVersioned,
} from '../files/fileFormat.js';
import { readWhole, writeWhole } from '../files/writeWhole.js';
import { answerName } from '../service/answerFile.js';
import { isNotFound } from '../files/fsErrors.js';
import { generationRequestSchema, type GenerationRequest } from './request.js';
import { jobStateSchema, type JobState } from './state.js';

/** A job as the journal has it. */
export interface JobEntry {
	/** Absolute. */
	readonly folder: string;
	readonly request: GenerationRequest;
	readonly state: JobState;
}

/** Name of the lease of the window that brings a job to its end. */
export const windowLease = 'window';
/** Name of the lease of the process that may ask for a job's image. */
export const workerLease = 'worker';
/** Name of the lease of the window that sends again what has failed, until its new request is noted. */
export const againLease = 'again';

/** The image in a job's folder; under this name it is whole and flushed. */
export const imageFile = 'image';
/** Its copy that says how it was made, whole and flushed as well; this one is saved then. */
export const imageWithRecipeFile = 'image-with-recipe';
/** The same for a place that the user has chosen: what was used lies elsewhere from there. */
export const savedAsFile = 'image-saved-as';
/** All that may hold the image, as it has come first. */
export const imageFiles: readonly string[] = [imageFile, imageWithRecipeFile, savedAsFile];
/** Recipe beside an image that must not be changed. */
export const recipeFile = 'recipe.json';
/** The copies of a job's reference images lie in this folder. */
export const referencesFolder = 'references';
/** Standard error of the worker: usually nothing, else why it ended early. */
export const workerOutputFile = 'worker.log';
/** The request of a job, written last: without it the job was not made, and nothing was sent. */
export const requestFile = 'request.json';
/** State of a job. */
export const stateFile = 'state.json';

/**
 * Reads one job.
 *
 * @throws {DamagedFileError} where its request is not what the schema says
 * @throws {NewerFormatError} where one of its files belongs to a newer Easel; the system's error
 */
export async function readEntry(folder: string): Promise<JobEntry> {
	const request = await readJson(path.join(folder, requestFile), generationRequestSchema);
	return { folder, request, state: await readState(folder) };
}

/**
 * Reads the state of a job. A damaged one counts as the worst that it may have been: the request
 * has left, and whether an image was made is not known.
 *
 * @throws {NewerFormatError} where it belongs to a newer Easel; the system's error
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
 * Replaces the state of a job; resolves as {@link writeWhole} does.
 *
 * @param maxMs how long a refusal that may pass is waited out, in milliseconds; 2,000 by default
 * @throws {NewerFormatError} where it belongs to a newer Easel by now
 * @throws the system's error; the old state stands then
 */
export async function writeState(folder: string, state: JobState, maxMs?: number): Promise<void> {
	const file = path.join(folder, stateFile);
	await assertNotNewer(file);
	await writeWhole(file, serializeVersioned(state, '\t'), { maxMs });
}

/** The parts of a job that {@link foldersFor} reads; without its state, no folder that the user has chosen. */
type JobPlace = Pick<JobEntry, 'folder' | 'request'> & Partial<Pick<JobEntry, 'state'>>;

/**
 * Returns the folders that a received answer may lie in, absolute: the job's own, and one that the user
 * has chosen where that refuses.
 */
export function foldersFor({ folder, request, state }: JobPlace): [string, ...string[]] {
	return [folder, ...chosenFolders(state, request.id)];
}

/** Returns the folder for a job's answer within one that is not ours. */
export function folderIn(folder: string, id: string): string {
	return path.join(folder, `.easel-${id}`);
}

/** Returns folders that the user has chosen, beside the job's own. */
function chosenFolders(state: JobState | undefined, id: string): string[] {
	const failed = state?.state === 'failed' ? state.failure : undefined;
	const result = state && 'result' in state ? state.result : undefined;
	const folder = path.dirname(result?.file ?? failed?.answerFile ?? '');
	return folder === folderIn(path.dirname(folder), id) ? [folder] : [];
}

/**
 * Returns the raw answers that lie in a job's folders, absolute.
 *
 * @throws the system's error where that cannot be found out
 */
export async function answersIn(entry: JobPlace): Promise<string[]> {
	return (await receivedIn(foldersFor(entry))).filter((file) => isAnswer(path.basename(file)));
}

/**
 * Returns what of the service lies in folders of a job, absolute: images, as {@link imageFiles} has
 * them, and raw answers. It goes only where it was delivered, or the user does not want it.
 *
 * @throws the system's error where that cannot be found out
 */
export async function receivedIn(folders: readonly string[]): Promise<string[]> {
	const received: string[] = [];
	for (const folder of folders) {
		const names = await readdir(folder).catch((error: unknown): string[] => {
			if (isNotFound(error)) {
				return [];
			}
			throw error;
		});
		const images = imageFiles.filter((name) => names.includes(name));
		const ofService = [...images, ...names.filter(isAnswer)];
		received.push(...ofService.map((name) => path.join(folder, name)));
	}
	return received;
}

function isAnswer(name: string): boolean {
	return name === answerName || name.startsWith(`${answerName}-`);
}

/** The wall-clock time, ISO 8601. */
export function now(): string {
	return new Date().toISOString();
}

/** A file is no JSON, or does not fit its schema. Reading it again would not help. */
export class DamagedFileError extends Error {
	override readonly name = 'DamagedFileError';
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T> {
	const text = await readWhole(file);
	const name = path.basename(file);
	let content: unknown;
	try {
		content = parseVersioned(text);
	} catch (error) {
		if (error instanceof NewerFormatError) {
			throw error;
		}
		throw new DamagedFileError(`${name} is no JSON`, { cause: error });
	}
	const { data, error } = schema.safeParse(content);
	if (error === undefined) {
		return data;
	}
	const [issue] = error.issues;
	const where = issue?.path.map(String).join('.') ?? '';
	throw new DamagedFileError(`${name}: ${where}: ${issue?.message ?? ''}`, { cause: error });
}
