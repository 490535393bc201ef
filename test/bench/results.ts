import type { Row } from './bench.js';

/** Measurement of a row in one round. */
export interface Sample {
	readonly ours: number;
	readonly beside?: number | undefined;
}

/** The middle of several figures, and the quarter of them on either side of it. */
export interface Spread {
	readonly median: number;
	readonly lower: number;
	readonly upper: number;
}

/** A row with what was measured for it, as `test-results/bench.json` has it. */
export interface Result {
	readonly bench: string;
	readonly name: string;
	readonly row: Row;
	/** Wall-clock time of its last round, ISO 8601. */
	readonly measuredAt: string;
	readonly machine: string;
	readonly rounds: number;
	readonly ours: Spread;
	readonly beside?: Spread | undefined;
	/** Ratio within each round, so that a machine that is busy for a while spoils neither. */
	readonly ratio?: Spread | undefined;
}

/** @throws {RangeError} where nothing was measured */
export function resultOf(
	place: Pick<Result, 'bench' | 'name' | 'row' | 'measuredAt' | 'machine'>,
	samples: readonly Sample[],
): Result {
	const ours = spreadOf(samples.map((sample) => sample.ours));
	const pairs = samples.filter(({ beside }) => beside !== undefined);
	const beside = pairs.length > 0 ? spreadOf(pairs.map((pair) => pair.beside!)) : undefined;
	const ratio =
		pairs.length > 0 ? spreadOf(pairs.map((pair) => pair.ours / pair.beside!)) : undefined;
	return { ...place, rounds: samples.length, ours, beside, ratio };
}

/** Returns whether a goal is missed; one beside something that could not be had is. */
export function fallsShort({ row: { goal }, ours, ratio }: Result): boolean {
	if (goal === undefined) {
		return false;
	}
	return 'ratio' in goal
		? ratio === undefined || ratio.median > goal.ratio
		: ours.median > goal.most;
}

/** @throws {RangeError} of no values */
export function spreadOf(values: readonly number[]): Spread {
	if (values.length === 0) {
		throw new RangeError('Nothing was measured.');
	}
	const sorted = [...values].sort((a, b) => a - b);
	return { median: at(sorted, 0.5), lower: at(sorted, 0.25), upper: at(sorted, 0.75) };
}

/** Between two values where the place is. */
function at(sorted: readonly number[], share: number): number {
	const place = share * (sorted.length - 1);
	const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
	return below + (above - below) * (place - Math.floor(place));
}
