import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileOfMonth } from '../../src/jobs/jsonLines.js';
import { inspectImage } from '../../src/images/inspect.js';
import { readEntry, type JobEntry } from '../../src/jobs/jobFolder.js';
import { until } from '../host/until';
import type { Workbench } from './workbench';

/** A job that has come to its end. */
export interface EndedJob {
	readonly request: string;
	readonly outcome: 'made' | 'rejected' | 'unknown' | 'charged';
}

/** The journal of an editor, read from outside. Nothing is changed, whatever is found. */
export class Jobs {
	readonly root: string;

	constructor({ editor }: Workbench) {
		this.root = path.join(editor.globalStorage, 'easel.easel/jobs');
	}

	/** Every job that is on disk whole, oldest first. */
	async entries(): Promise<JobEntry[]> {
		const names = await readdir(this.root).catch(() => []);
		const found = await Promise.all(
			// One that is just being made, or replaced, is not there yet.
			names.map((name) => readEntry(path.join(this.root, name)).catch(() => undefined)),
		);
		return found
			.filter((entry) => entry !== undefined)
			.sort((a, b) => a.request.createdAt.localeCompare(b.request.createdAt));
	}

	/** Entries of the ledger for the jobs that are gone, in the order of their ends. */
	async ended(): Promise<readonly EndedJob[]> {
		const file = fileOfMonth(path.join(this.root, '../ledger.jsonl'), new Date());
		const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
		const left = new Set(await readdir(this.root).catch(() => []));
		// A failure that is still listed has a line already, and another one if its image comes late.
		const ended = new Map(
			lines
				.map((line) => JSON.parse(line) as EndedJob)
				.map((job): [string, EndedJob] => [job.request, job]),
		);
		return [...ended.values()].filter(({ request }) => !left.has(request));
	}

	/** Waits until no job is left, and returns how many have ended so far. */
	async waitForAllEnded(): Promise<number> {
		await this.waitFor((all) => all.length === 0, 'every job to come to its end');
		return (await this.ended()).length;
	}

	/** Waits until the condition holds for the jobs, and returns them. */
	async waitFor(
		condition: (entries: readonly JobEntry[]) => boolean,
		what: string,
	): Promise<JobEntry[]> {
		let entries: JobEntry[] = [];
		await until(async () => condition((entries = await this.entries())), what);
		return entries;
	}
}

/** The names of the images in the workspace's images folder; each one is a whole PNG. */
export async function savedImages({ folder }: Workbench): Promise<string[]> {
	const images = path.join(folder, 'images');
	const names = await readdir(images).catch(() => []);
	for (const name of names) {
		const { format } = await inspectImage(path.join(images, name));
		if (format !== 'png') {
			throw new Error(`${name} is ${format}.`);
		}
	}
	return names;
}
