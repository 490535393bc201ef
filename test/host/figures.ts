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

const columns: readonly [title: string, value: (figures: Figures) => number][] = [
	['schedules', ({ schedules }) => schedules],
	['images made', ({ made }) => made],
	['delivered', ({ delivered }) => delivered],
	['told instead', ({ toldInstead }) => toldInstead],
	['lost', ({ lost }) => lost],
	['delivered twice', ({ deliveredTwice }) => deliveredTwice],
	['orphan processes', ({ orphans }) => orphans],
	['seed', ({ seed }) => seed],
];

/** The figures as a table for a person, one line for each test. */
export function figuresTable(figures: Readonly<Record<RandomizedTest, Figures>>): string {
	const titles = columns.map(([title]) => title);
	const rows = Object.entries(randomizedTests).map(([test, name]) => [
		name,
		...columns.map(([, value]) => String(value(figures[test as RandomizedTest]))),
	]);
	const width = Math.max(...rows.map(([name]) => name!.length));
	return [['', ...titles], ...rows]
		.map(([name, ...cells]) =>
			[name!.padEnd(width), ...cells.map((cell, at) => cell.padStart(titles[at]!.length))].join(
				'  ',
			),
		)
		.join('\n');
}

/** Whether every image and every process is accounted for. */
export function isSound({ lost, deliveredTwice, orphans }: Figures): boolean {
	return lost === 0 && deliveredTwice === 0 && orphans === 0;
}
