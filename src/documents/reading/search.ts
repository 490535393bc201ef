import path from 'node:path';
import { EaselError, type ErrorFacts } from '../../easelError.js';
import { codeOf } from '../../files/fsErrors.js';
import type { Exclude } from '../missing/exclude.js';
import { ReadingTooSlowError } from './reader.js';
import type { SearchOrder, SearchRoot } from './searchOrder.js';

/** Places that a step leaves: files, and folders with `/` at the end. */
interface Step {
	readonly open: readonly string[];
}

/** The search has come upon something that it does not get past. */
export class SearchStalledError extends EaselError {
	override readonly name = 'SearchStalledError';

	constructor(
		facts: ErrorFacts,
		override readonly setting: string,
	) {
		super(facts);
	}
}

/** Maximum number of places in one step. */
const maxAtOnce = 500;

/**
 * Looks through folders step by step, so that a file or a pattern that never ends is given up.
 *
 * @param reads each does one step after the other, in a worker that has a time limit
 * @throws {SearchStalledError} where a pattern or a file takes too long, with its name
 * @throws what `reads` throw otherwise
 */
export async function* search<Answer extends Step>(
	roots: readonly SearchRoot[],
	...reads: ((order: SearchOrder) => Promise<Answer>)[]
): AsyncGenerator<Answer> {
	const byPath = new Map(roots.map((root) => [path.resolve(root.path), root]));
	for (const root of byPath.values()) {
		let open = [root.path];
		let atOnce = maxAtOnce;
		const idle = [...reads];
		const running = new Map<
			string,
			Promise<{ key: string; places: string[]; answer: Answer | Error }>
		>();
		for (let steps = 0; open.length + running.size > 0; steps++) {
			if (open.length > 0 && idle.length > 0) {
				const places = open.splice(-Math.min(atOnce, Math.ceil(open.length / idle.length)));
				const read = idle.pop()!;
				const key = String(steps);
				const step = read({ root, places, respectGitignore: true })
					.catch((error: unknown) => error as Error)
					.then((answer) => {
						idle.push(read);
						return { key, places, answer };
					});
				running.set(key, step);
				continue;
			}
			const { key, places, answer } = await Promise.race(running.values());
			running.delete(key);
			if (answer instanceof Error) {
				if (!isTooMuch(answer)) {
					throw answer;
				}
				if (places.length === 1) {
					throw await stalledAt(places[0]!, root, reads[0]!);
				}
				// One at a time they tell which it was.
				open = [...open, ...places];
				atOnce = 1;
				continue;
			}
			// What lies below and is a root itself is looked at with what belongs to that.
			const own = answer.open.filter((place) => !byPath.has(path.resolve(place)));
			open = [...open, ...own];
			yield answer;
		}
	}
}

function isTooMuch(error: unknown): boolean {
	const { cause } = error as { readonly cause?: unknown };
	return error instanceof ReadingTooSlowError || codeOf(cause) === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Finds out what takes too long at a place: says its name, and what to do about it. */
async function stalledAt(
	place: string,
	root: SearchRoot,
	read: (order: SearchOrder) => Promise<unknown>,
): Promise<SearchStalledError> {
	const stalls = (exclude: Exclude) =>
		read({ root: { ...root, exclude }, places: [place], respectGitignore: false }).then(
			() => false,
			isTooMuch,
		);
	const base = root.workspaceFolder ?? path.dirname(root.path);
	const name = path.relative(base, place).replaceAll(path.sep, '/') || path.basename(place);
	if (await stalls({})) {
		return new SearchStalledError({ code: 'search.slowFile', name }, 'files.exclude');
	}
	for (const [setting, globs] of Object.entries(root.exclude)) {
		for (const [glob, condition] of Object.entries(globs)) {
			if (await stalls({ [setting]: { [glob]: condition } })) {
				return new SearchStalledError({ code: 'search.slowPattern', setting, glob }, setting);
			}
		}
	}
	return new SearchStalledError({ code: 'search.slowIgnore', name }, 'files.exclude');
}
