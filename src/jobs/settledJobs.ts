// Which jobs no window needs to look at any more. It is loaded at the start of every window.
import { appendFile, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isNotThere } from '../files/refusal.js';
import { privateFile, writeWhole } from '../files/writeWhole.js';
import type { JobState } from './state.js';

/** How long {@link keepsImage} holds, in milliseconds. */
const keptImageMs = 24 * 60 * 60 * 1000;

/**
 * Whether the folder of a saved job keeps its image for now. A virtual file system says nothing of
 * when the bytes are on a disk: for a day they may be lost there.
 *
 * @param time wall-clock time, in milliseconds since 1970
 */
export function keepsImage(state: JobState, time = Date.now()): boolean {
	return (
		state.state === 'saved' &&
		!state.target.startsWith('file:') &&
		Math.abs(time - Date.parse(state.changedAt)) < keptImageMs
	);
}

/** When each job was settled, in milliseconds since 1970. */
export type SettledJobs = ReadonlyMap<string, number>;

/**
 * The jobs below `root` that are noted as settled, by their ids. A note is a hint: a job that has
 * none is looked at, and has one afterwards, so one that is lost costs a moment and nothing else.
 * Never throws: where the notes cannot be read, there are none.
 */
export async function readSettledJobs(root: string): Promise<SettledJobs> {
	const settled = new Map<string, number>();
	const text = await readFile(path.join(root, settledFile), 'utf8').catch(() => '');
	for (const [, id = '', time = ''] of text.matchAll(line)) {
		settled.set(id, Date.parse(time));
	}
	return settled;
}

/**
 * Notes jobs as settled. Windows do so at the same time, so it appends. Never throws.
 *
 * @param jobs their ids, and when they were settled, ISO 8601
 */
export async function noteSettledJobs(
	root: string,
	jobs: ReadonlyMap<string, string>,
): Promise<void> {
	if (jobs.size > 0) {
		// The line before may have been cut off.
		const text = `\n${linesOf(jobs)}`;
		const options = { mode: privateFile };
		await appendFile(path.join(root, settledFile), text, options).catch(() => undefined);
	}
}

/** Forgets the notes of jobs that are not there any more, once they are many. Never throws. */
export async function tidySettledJobs(
	root: string,
	settled: SettledJobs,
	isThere: (id: string) => boolean,
): Promise<void> {
	const left = [...settled].filter(([id]) => isThere(id));
	if (settled.size - left.length < mostStale) {
		return;
	}
	const jobs = left.map(([id, time]) => [id, new Date(time).toISOString()] as const);
	await writeWhole(path.join(root, settledFile), linesOf(new Map(jobs))).catch(() => undefined);
}

/** Whether a window has to look at one of the jobs below `root`. Never throws. */
export async function isAnyJobLeft(root: string): Promise<boolean> {
	try {
		const entries = await readdir(root, { withFileTypes: true });
		const folders = entries.filter((entry) => entry.isDirectory());
		const settled = folders.length > 0 ? await readSettledJobs(root) : undefined;
		return folders.some(({ name }) => !settled?.has(name));
	} catch (error) {
		// Whoever has never made an image has no such folder; all else is for those who read it.
		return !isNotThere(error);
	}
}

/** In the journal's folder, beside the folders of the jobs. */
const settledFile = 'settled';
const line = /^([0-9a-f-]{36}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/gm;
const mostStale = 100;

function linesOf(jobs: ReadonlyMap<string, string>): string {
	return [...jobs].map(([id, time]) => `${id} ${time}\n`).join('');
}
