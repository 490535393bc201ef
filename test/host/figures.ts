import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './cache';

/** What a randomized test has counted. */
export interface Figures {
	readonly seed: number;
	/** Images that were asked for, each with something that happened to it. */
	readonly schedules: number;
	/** Made and charged, as the service counts. */
	readonly made: number;
	/** Where the test follows an image to: in the workspace, or whole in the storage. */
	readonly delivered: number;
	/** Made but not delivered, and told as such: cancelled, killed, cut, damaged. */
	readonly toldInstead: number;
	readonly lost: number;
	readonly deliveredTwice: number;
	/** Processes that still ran when everything was over. */
	readonly orphans: number;
}

/** The randomized tests, and what `delivered` means in each. */
export const randomizedTests = {
	workers: 'random workers (delivered: whole in storage)',
	windows: 'random windows (delivered: in the workspace)',
} as const;

export type RandomizedTest = keyof typeof randomizedTests;

const folder = join(repository, 'test-results', 'figures');

/** Keeps the figures of the latest run, for the end of `npm test`. */
export async function recordFigures(test: RandomizedTest, figures: Figures): Promise<void> {
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, `${test}.json`), JSON.stringify(figures, undefined, '\t'));
}

/** @throws where the test has recorded none */
export async function readFigures(test: RandomizedTest): Promise<Figures> {
	return JSON.parse(await readFile(join(folder, `${test}.json`), 'utf8')) as Figures;
}
