import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './cache';

/** Results of a tier for the table at the end of `npm test`. */
export interface TierResult {
	readonly passed: number;
	readonly failed: number;
	/** Titles of what failed, with the first line of the reason where there is one. */
	readonly failures: readonly string[];
	/** Reasons of what did not run. */
	readonly skipped: readonly string[];
}

/** Counts of a randomized campaign. */
export interface Figures {
	readonly seed: number;
	/** Cases, schedules or runs. */
	readonly runs: number;
	/** Images that were made, lost and not reported, where the campaign makes images. */
	readonly lost?: number;
	/** Images bought or delivered twice. */
	readonly twice?: number;
	/** Processes that still ran when everything was over. */
	readonly orphans?: number;
	/** Other remarks, in a few words. */
	readonly note?: string;
}

const folder = join(repository, 'test-results/tiers');

/** Forgets what earlier runs have left. */
export async function clearResults(): Promise<void> {
	await rm(folder, { recursive: true, force: true });
}

export const recordTier = (name: string, result: TierResult) => record('tier', name, result);
export const readTiers = () => readAll<TierResult>('tier');
/** @param name of the campaign, such as `random workers` */
export const recordFigures = (name: string, figures: Figures) => record('campaign', name, figures);
export const readFigures = () => readAll<Figures>('campaign');

async function record(kind: string, name: string, value: unknown): Promise<void> {
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, `${kind}-${name}.json`), JSON.stringify(value));
}

/** By name, in the order of the names. */
async function readAll<Value>(kind: string): Promise<Map<string, Value>> {
	const files = (await readdir(folder).catch(() => [])).filter((file) =>
		file.startsWith(`${kind}-`),
	);
	const found = new Map<string, Value>();
	for (const file of files.sort()) {
		const name = file.slice(kind.length + 1, -'.json'.length);
		found.set(name, JSON.parse(await readFile(join(folder, file), 'utf8')) as Value);
	}
	return found;
}
