import { texts } from './texts.js';

/** Durations of images of one size, newest last, in milliseconds. */
export type Durations = readonly number[];

/** Number of durations that are remembered: older ones were taken under another load. */
export const maxDurations = 10;

/** Returns how long one image usually takes: `usually 2 to 3 minutes`, `about 1 minute`. */
export function expectation(durations: Durations): string {
	const time = timeTogether([durations], 1);
	return isUnknown(durations) ? texts.usually(time) : time;
}

/**
 * Returns how long images usually take together: `8 to 12 minutes`, `about 2 minutes`.
 * Typical is "about 100 to 200 seconds" (specification, "Limits") until we know better.
 *
 * @param images of each what is known of its size, in the order in which they are asked for
 * @param atOnce how many are made at a time, at least 1
 */
export function timeTogether(images: readonly Durations[], atOnce: number): string {
	const together = (unknownMs: number) =>
		lastEnd(
			images.map((known) => (isUnknown(known) ? unknownMs : typicalDuration(known))),
			atOnce,
		);
	const shortest = together(120_000);
	const longest = together(180_000);
	if (longest < 55_000) {
		return texts.seconds(Math.max(1, Math.round(longest / 1000)));
	}
	const [from = 1, to = 1] = [shortest, longest].map((ms) => Math.max(1, Math.round(ms / 60_000)));
	return texts.minutes(from, to);
}

/** When the last one ends where each takes the first place that is free; all in milliseconds. */
function lastEnd(durations: readonly number[], places: number): number {
	const freeAt = new Array<number>(places).fill(0);
	for (const duration of durations) {
		const first = freeAt.indexOf(Math.min(...freeAt));
		freeAt[first] = (freeAt[first] ?? 0) + duration;
	}
	return Math.max(...freeAt);
}

function isUnknown(durations: Durations): boolean {
	return durations.length < 3;
}

/** The median, in milliseconds; 150 s where fewer than 3 are known. */
export function typicalDuration(durations: Durations): number {
	const sorted = [...durations].sort((a, b) => a - b);
	return (isUnknown(durations) ? undefined : sorted[Math.floor(sorted.length / 2)]) ?? 150_000;
}

/**
 * Returns beyond what an image takes longer than usual, in milliseconds: the longest that is known,
 * but at least 1.2 times the median; the specification's 200 seconds where fewer than 3 are known.
 */
export function maxUsualDuration(durations: Durations): number {
	return isUnknown(durations) ? 200_000 : Math.max(...durations, 1.2 * typicalDuration(durations));
}

/** Formats a duration in milliseconds: `45 s` below 90 s, then `2:05 min`. */
export function readableDuration(ms: number): string {
	const seconds = Math.max(1, Math.round(ms / 1000));
	return seconds < 90 ? `${String(seconds)} s` : `${minutesAndSeconds(ms)} min`;
}

/** Elapsed time in milliseconds as a stopwatch shows it: `0:07`, `12:30`. */
export function minutesAndSeconds(ms: number): string {
	const seconds = Math.floor(Math.max(0, ms) / 1000);
	return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}

const units = [
	['day', 24 * 60 * 60],
	['hour', 60 * 60],
	['minute', 60],
] as const;

/** `just now`, `5 minutes ago`, `yesterday`. */
export function ageWords(time: Date, now = new Date()): string {
	const seconds = (now.getTime() - time.getTime()) / 1000;
	const [unit, length] = units.find(([, each]) => seconds >= each) ?? [];
	return unit === undefined
		? 'just now'
		: new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(
				-Math.floor(seconds / length),
				unit,
			);
}
