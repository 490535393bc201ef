import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { MissingImage, ScanOrder, ScanProblem, ScanReport } from './scan.js';
import type { Exclude, ScanRoot } from './walk.js';

export type { MissingImage, ScanProblem } from './scan.js';
export type { Exclude, ScanRoot } from './walk.js';

export interface CollectOptions {
	/** The workers' bundle. */
	readonly script: string;
	readonly roots: readonly ScanRoot[];
	/** The setting `files.exclude`. */
	readonly exclude: Exclude;
	/** Whether what git ignores is left out. */
	readonly respectGitignore: boolean;
	/** Called about every 50 ms with the sums so far. */
	readonly onProgress?: (progress: { documents: number; images: number }) => void;
	readonly signal?: AbortSignal;
}

export interface Collection {
	/** How many documents were read. */
	readonly documents: number;
	/** Ordered by document, then by place; at most 10,000. */
	readonly images: readonly MissingImage[];
	/** At most 1,000. */
	readonly problems: readonly ScanProblem[];
	/** `false` where there are more missing images than were collected. */
	readonly complete: boolean;
}

/**
 * Collects the images that Markdown documents refer to and that do not exist. The work is done in
 * worker threads, which read and parse; this thread only takes their reports, a few at a time.
 *
 * @throws {unknown} the signal's reason, at once when it is aborted
 * @throws {Error} where a worker cannot start or runs out of memory
 */
export async function collectMissingImages(options: CollectOptions): Promise<Collection> {
	const { roots, exclude, respectGitignore, onProgress, signal } = options;
	signal?.throwIfAborted();
	const images: MissingImage[] = [];
	const problems = new Map<string, ScanProblem>();
	let documents = 0;
	const stop = new AbortController();
	const full = () => images.length >= mostImages;
	const take = (report: ScanReport) => {
		documents += report.documents;
		images.push(...report.images);
		for (const problem of report.problems) {
			// Every worker meets a folder that cannot be read.
			if (problems.size < mostProblems) {
				problems.set(problem.path, problem);
			}
		}
		onProgress?.({ documents, images: images.length });
		if (full()) {
			stop.abort();
		}
	};
	const of = Math.min(availableParallelism(), mostWorkers);
	const either = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]);
	try {
		await Promise.all(
			Array.from({ length: of }, (_, index) => {
				const share = { index, of };
				return work(options.script, { roots, exclude, respectGitignore, share }, take, either);
			}),
		);
	} finally {
		// One has failed: the others stop too.
		stop.abort();
	}
	signal?.throwIfAborted();
	return {
		documents,
		images: images.slice(0, mostImages).sort(byPlace),
		problems: [...problems.values()],
		complete: !full(),
	};
}

/** What a worker is started with. */
export interface ScanStart {
	readonly order: ScanOrder;
	/** One number of 32 bits: how many of its reports were not taken yet. */
	readonly waiting: SharedArrayBuffer;
}

/** The file system does not get faster with more, and each walks through all folders by itself. */
const mostWorkers = 4;

const mostImages = 10_000;
const mostProblems = 1000;

const memoryMiB = 256;

/** Resolves when a worker has done its share, or has been ended because of the signal. */
async function work(
	script: string,
	order: ScanOrder,
	take: (report: ScanReport) => void,
	signal: AbortSignal,
): Promise<void> {
	const waiting = new SharedArrayBuffer(4);
	const worker = new Worker(script, {
		workerData: { order, waiting } satisfies ScanStart,
		resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
		execArgv: [],
		env: {},
		// It closes what it opens, and keeping count takes time for each of thousands of files.
		trackUnmanagedFds: false,
	});
	await new Promise<void>((resolve, reject) => {
		const end = () => {
			resolve();
			void worker.terminate();
		};
		const fail = (error: unknown) => {
			reject(error instanceof Error ? error : new Error(String(error)));
		};
		signal.addEventListener('abort', end, { once: true });
		worker.on('message', (report: ScanReport) => {
			Atomics.sub(new Int32Array(waiting), 0, 1);
			Atomics.notify(new Int32Array(waiting), 0);
			try {
				if (!signal.aborted) {
					take(report);
				}
			} catch (error) {
				fail(error);
			}
		});
		worker.on('error', fail);
		worker.on('exit', () => {
			signal.removeEventListener('abort', end);
			resolve();
		});
	});
}

function byPlace(one: MissingImage, other: MissingImage): number {
	if (one.document !== other.document) {
		return one.document < other.document ? -1 : 1;
	}
	return one.reference.span.start - other.reference.span.start;
}
