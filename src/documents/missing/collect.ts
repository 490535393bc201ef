import { decideMissing } from './decide.js';
import { DocumentReader } from '../reading/reader.js';
import { search } from '../reading/search.js';
import type { SearchRoot } from '../reading/searchOrder.js';
import type { MissingImage } from './missingIn.js';
import type { ScanProblem } from './scan.js';

export interface CollectOptions {
	/** Called about every 50 ms with the sums so far. */
	readonly onProgress?: (progress: { documents: number; images: number }) => void;
	readonly signal?: AbortSignal;
	/** The longest that one document, or all that lies in one folder, may take, in milliseconds. */
	readonly maxStallMs?: number;
	/** Folders of files that links may mean; by default the workspace folders of the roots. */
	readonly folders?: readonly string[];
}

export interface Collection {
	/** Number of documents that were read. */
	readonly documents: number;
	/** Ordered by document, then by place; at most 10,000, and 500 of one document. */
	readonly images: readonly MissingImage[];
	/** At most 1,000. */
	readonly problems: readonly ScanProblem[];
	/** `false` where there are more missing images than were collected. */
	readonly complete: boolean;
}

const maxImages = 10_000;
const maxProblems = 1000;

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
	roots: readonly SearchRoot[],
	{ onProgress, signal, maxStallMs = 10_000, ...options }: CollectOptions = {},
): Promise<Collection> {
	const { folders = roots.flatMap((root) => root.workspaceFolder ?? []) } = options;
	signal?.throwIfAborted();
	const reader = new DocumentReader(script, { timeLimitMs: maxStallMs });
	// A step that is under way fails then.
	signal?.addEventListener('abort', () => void reader.dispose(), { once: true });
	let images: MissingImage[] = [];
	const problems = new Map<string, ScanProblem>();
	let documents = 0;
	let complete = true;
	try {
		for await (const answer of search(roots, (order) => reader.read('scan', order))) {
			documents += answer.documents;
			images.push(...answer.images);
			complete &&= answer.complete && images.length < maxImages;
			for (const problem of answer.problems.slice(0, maxProblems - problems.size)) {
				problems.set(problem.path, problem);
			}
			onProgress?.({ documents, images: images.length });
			signal?.throwIfAborted();
			if (images.length >= maxImages) {
				break;
			}
		}
		images = await decideMissing(images.sort(byPlace).slice(0, maxImages), folders, reader);
	} catch (error) {
		signal?.throwIfAborted();
		throw error;
	} finally {
		await reader.dispose();
	}
	return { documents, images, problems: [...problems.values()], complete };
}

function byPlace(one: MissingImage, other: MissingImage): number {
	if (one.document !== other.document) {
		return one.document < other.document ? -1 : 1;
	}
	return one.reference.span.start - other.reference.span.start;
}
