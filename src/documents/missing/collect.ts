import path from 'node:path';
import { EaselError } from '../../easelError.js';
import { codeOf } from '../../files/refusal.js';
import { DocumentReader, ReadingTooSlowError } from '../reading/reader.js';
import type { MissingImage } from './missingIn.js';
import type { ScanAnswer, ScanProblem, ScanRoot } from './scan.js';

export interface CollectOptions {
	/** Called about every 50 ms with the sums so far. */
	readonly onProgress?: (progress: { documents: number; images: number }) => void;
	readonly signal?: AbortSignal;
	/** The longest that one document, or all that lies in one folder, may take, in milliseconds. */
	readonly longestStallMs?: number;
}

export interface Collection {
	/** How many documents were read. */
	readonly documents: number;
	/** Ordered by document, then by place; at most 10,000, and 500 of one document. */
	readonly images: readonly MissingImage[];
	/** At most 1,000. */
	readonly problems: readonly ScanProblem[];
	/** `false` where there are more missing images than were collected. */
	readonly complete: boolean;
}

/** The search has come upon something that it does not get past. */
export class SearchStalledError extends EaselError {
	override readonly name = 'SearchStalledError';

	constructor(
		words: string,
		override readonly setting: string,
	) {
		super(words);
	}
}

const mostImages = 10_000;
const mostProblems = 1000;
/** So many places go into one step at most. */
const mostAtOnce = 500;

/**
 * Collects the images that Markdown documents refer to and that do not exist. A worker thread does
 * it step by step, so that a document or a pattern that never ends is given up.
 *
 * @param script the bundle of the worker that reads documents, absolute
 * @throws {unknown} the signal's reason, at once when it is aborted
 * @throws {SearchStalledError} where a pattern or a document takes too long, with its name
 * @throws {Error} where the worker cannot start
 */
export async function collectMissingImages(
	script: string,
	roots: readonly ScanRoot[],
	{ onProgress, signal, longestStallMs = 10_000 }: CollectOptions = {},
): Promise<Collection> {
	signal?.throwIfAborted();
	const reader = new DocumentReader(script, { timeLimitMs: longestStallMs });
	// A step that is under way fails then.
	signal?.addEventListener('abort', () => void reader.dispose(), { once: true });
	const images: MissingImage[] = [];
	const problems = new Map<string, ScanProblem>();
	let documents = 0;
	let complete = true;
	try {
		for await (const answer of steps(roots, reader)) {
			documents += answer.documents;
			images.push(...answer.images);
			complete &&= answer.complete && images.length < mostImages;
			for (const problem of answer.problems.slice(0, mostProblems - problems.size)) {
				problems.set(problem.path, problem);
			}
			onProgress?.({ documents, images: images.length });
			signal?.throwIfAborted();
			if (images.length >= mostImages) {
				break;
			}
		}
	} catch (error) {
		signal?.throwIfAborted();
		throw error;
	} finally {
		await reader.dispose();
	}
	images.sort(byPlace).splice(mostImages);
	return { documents, images, problems: [...problems.values()], complete };
}

async function* steps(
	roots: readonly ScanRoot[],
	reader: DocumentReader,
): AsyncGenerator<ScanAnswer> {
	const byPath = new Map(roots.map((root) => [path.resolve(root.path), root]));
	for (const root of byPath.values()) {
		let open = [root.path];
		let atOnce = mostAtOnce;
		while (open.length > 0) {
			const places = open.splice(-atOnce);
			let answer: ScanAnswer;
			try {
				answer = await reader.read('scan', { root, places, respectGitignore: true });
			} catch (error) {
				if (!isTooMuch(error)) {
					throw error;
				}
				if (places.length === 1) {
					throw await stalledAt(places[0]!, root, reader);
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
	root: ScanRoot,
	reader: DocumentReader,
): Promise<SearchStalledError> {
	const stalls = (exclude: ScanRoot['exclude']) =>
		reader
			.read('scan', { root: { ...root, exclude }, places: [place], respectGitignore: false })
			.then(() => false, isTooMuch);
	const base = root.workspaceFolder ?? path.dirname(root.path);
	const name = path.relative(base, place).replaceAll(path.sep, '/') || path.basename(place);
	if (await stalls({})) {
		return new SearchStalledError(
			`“${name}” takes too long to read. Leave it out with the setting files.exclude, and look again.`,
			'files.exclude',
		);
	}
	for (const [setting, globs] of Object.entries(root.exclude)) {
		for (const [glob, condition] of Object.entries(globs)) {
			if (await stalls({ [setting]: { [glob]: condition } })) {
				return new SearchStalledError(
					`The setting ${setting} has a pattern that takes too long: “${glob}”. Change or remove it, and look again.`,
					setting,
				);
			}
		}
	}
	return new SearchStalledError(
		`A .gitignore has a pattern that takes too long in the folder “${name}”. Change that, or leave the folder out with the setting files.exclude, and look again.`,
		'files.exclude',
	);
}

function byPlace(one: MissingImage, other: MissingImage): number {
	if (one.document !== other.document) {
		return one.document < other.document ? -1 : 1;
	}
	return one.reference.span.start - other.reference.span.start;
}
