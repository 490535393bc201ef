import { recordFigures, type Figures } from '../host/tierResults';
import type { Charge } from '../../src/service/errors.js';

/** Another one in each run; `EASEL_SEED` repeats one. */
export const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);

/** Scales a number of runs of `npm run test:all` by `EASEL_SCALE`. */
export function scaled(runs: number): number {
	return Math.max(1, Math.round(runs * Number(process.env['EASEL_SCALE'] ?? 1)));
}

/** Keeps what a campaign has counted for the table, and prints the seed beside its test. */
export async function report(
	name: string,
	counted: Omit<Figures, 'seed'> & { readonly seed?: number },
): Promise<void> {
	const figures = { seed, ...counted };
	const note = figures.note === undefined ? '' : `, ${figures.note}`;
	console.log(`      EASEL_SEED=${figures.seed}: ${figures.runs} runs${note}`);
	await recordFigures(name, figures);
}

/**
 * Feeds a reader with random input, the same in every run of a seed. Rejects with an Error that names
 * the seed and the case where the reader does what it must not.
 */
export type Fuzz = (options: {
	cases: number;
	seed: number;
}) => Promise<{ cases: number; note: string }>;

/** Runs so many cases of it in `npm run test:all`. */
export async function fuzz(name: string, run: Fuzz, cases: number): Promise<void> {
	const outcome = await run({ cases: scaled(cases), seed });
	await report(name, { runs: outcome.cases, note: outcome.note });
}

/** Runs a case, and names it where it fails. */
export async function inCase<T>(seed: number, index: number, run: () => T): Promise<Awaited<T>> {
	try {
		return await run();
	} catch (error) {
		throw new Error(`Case ${index} of the seed ${seed}: ${String(error)}`, { cause: error });
	}
}

export function mayBeCharged(charge: Charge): boolean {
	return charge === 'unknown' || charge === 'charged';
}
