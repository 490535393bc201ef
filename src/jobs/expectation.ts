/** How long images of one size took, newest last, in milliseconds. */
export type Durations = readonly number[];

/** How many durations are kept: older ones were taken under another load. */
export const keptDurations = 10;

/**
 * What usually is to be expected, as words for a person, for example `usually 2 to 3 minutes`.
 * Typical is "about 100 to 200 seconds" (specification, "Limits") until we know better.
 */
export function expectation(durations: Durations): string {
	if (durations.length < 3) {
		return 'usually 2 to 3 minutes';
	}
	return `usually about ${readableDuration(typicalDuration(durations))}`;
}

/** The median, in milliseconds; 150 s where fewer than 3 are known. */
export function typicalDuration(durations: Durations): number {
	const sorted = [...durations].sort((a, b) => a - b);
	return (durations.length < 3 ? undefined : sorted[Math.floor(sorted.length / 2)]) ?? 150_000;
}

/**
 * Beyond this an image takes longer than usual, in milliseconds: the longest that is remembered,
 * but at least 1.2 times the median; the 200 seconds of the specification where fewer than 3 are
 * known.
 */
export function longestUsual(durations: Durations): number {
	return durations.length < 3 ? 200_000 : Math.max(...durations, 1.2 * typicalDuration(durations));
}

/** A duration in milliseconds as a person reads it: `45 s` below 90 s, then `2:05 min`. */
export function readableDuration(ms: number): string {
	const seconds = Math.max(1, Math.round(ms / 1000));
	return seconds < 90 ? `${String(seconds)} s` : `${minutesAndSeconds(ms)} min`;
}

/** Elapsed time in milliseconds as a stopwatch shows it: `0:07`, `12:30`. */
export function minutesAndSeconds(ms: number): string {
	const seconds = Math.floor(Math.max(0, ms) / 1000);
	return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}
