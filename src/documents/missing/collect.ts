import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel, Worker } from 'node:worker_threads';
import { activityMemory, watchActivity } from './activity.js';
import type { ScanOrder } from './look.js';
import type { MissingImage } from './missingIn.js';
import type { ScanProblem, ScanReport } from './reports.js';
import { stalledBy } from './stalled.js';
import { countsOf, type Task, type WorkerMessage } from './tasks.js';

export type { MissingImage } from './missingIn.js';
export type { ScanProblem } from './reports.js';
export type { Exclude, ScanRoot } from './walk.js';

export interface CollectOptions extends ScanOrder {
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
 * worker threads: one looks through the documents, the others parse what it suspects. This thread
 * only takes their reports, a few at a time.
 */
export class Collector {
	/** Kept for a while, because a second look is three times as quick with them. */
	#idle: readonly Worker[] | undefined;
	#forgetting: NodeJS.Timeout | undefined;
	#ended = false;

	readonly #longestStallMs: number;

	/**
	 * @param script the workers' bundle, absolute
	 * @param options the longest that a worker may be at one document or one pattern, in milliseconds
	 */
	constructor(
		private readonly script: string,
		{ longestStallMs = 10_000 } = {},
	) {
		this.#longestStallMs = longestStallMs;
	}

	/** Ends the workers that wait for another collection; those at work end with theirs. */
	dispose(): void {
		this.#ended = true;
		this.#forget();
	}

	/**
	 * @throws {unknown} the signal's reason, at once when it is aborted
	 * @throws {SearchStalledError} where a pattern or a document takes too long, with its name
	 * @throws {Error} where a worker cannot start or runs out of memory
	 */
	async collect({ onProgress, signal, ...order }: CollectOptions): Promise<Collection> {
		signal?.throwIfAborted();
		const images: MissingImage[] = [];
		const problems = new Map<string, ScanProblem>();
		let documents = 0;
		const enough = new AbortController();
		const full = () => images.length >= mostImages;
		const take = (report: ScanReport) => {
			documents += report.documents;
			images.push(...report.images);
			for (const problem of report.problems) {
				if (problems.size < mostProblems) {
					problems.set(problem.path, problem);
				}
			}
			onProgress?.({ documents, images: images.length });
			if (full()) {
				enough.abort();
			}
		};
		const workers = this.#take();
		try {
			const either = AbortSignal.any([enough.signal, ...(signal ? [signal] : [])]);
			await run(workers, order, take, either, this.#longestStallMs);
			if (either.aborted) {
				endAll(workers);
			} else {
				this.#keep(workers);
			}
		} catch (error) {
			endAll(workers);
			throw error;
		}
		signal?.throwIfAborted();
		return {
			documents,
			images: images.slice(0, mostImages).sort(byPlace),
			problems: [...problems.values()],
			complete: !full(),
		};
	}

	#take(): readonly Worker[] {
		const kept = this.#idle;
		this.#idle = undefined;
		clearTimeout(this.#forgetting);
		for (const worker of kept ?? []) {
			forgetListeners(worker);
			worker.ref();
		}
		const parsers = Math.max(1, Math.min(availableParallelism() - 1, mostParsers));
		return kept ?? Array.from({ length: 1 + parsers }, () => start(this.script));
	}

	#keep(workers: readonly Worker[]): void {
		if (this.#ended || this.#idle !== undefined) {
			endAll(workers);
			return;
		}
		this.#idle = workers;
		const forget = () => this.#forget();
		for (const worker of workers) {
			// They keep no process alive, and one that dies is not used again.
			worker.unref();
			forgetListeners(worker);
			worker.on('error', forget);
			worker.on('exit', forget);
		}
		this.#forgetting = setTimeout(forget, keptMs).unref();
	}

	#forget(): void {
		clearTimeout(this.#forgetting);
		endAll(this.#idle ?? []);
		this.#idle = undefined;
	}
}

const mostParsers = 3;
const mostImages = 10_000;
const mostProblems = 1000;

const keptMs = 60_000;
const memoryMiB = 256;

function start(script: string): Worker {
	return new Worker(script, {
		resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
		execArgv: [],
		env: {},
		// It closes what it opens, and keeping count takes time for each of thousands of files.
		trackUnmanagedFds: false,
	});
}

/** One by one: without a name, it would remove what makes a worker report anything at all. */
function forgetListeners(worker: Worker): void {
	for (const event of ['message', 'error', 'exit']) {
		worker.removeAllListeners(event);
	}
}

function endAll(workers: readonly Worker[]): void {
	for (const worker of workers) {
		void worker.terminate();
	}
}

/** Resolves when all workers have done their part, or at once when the signal is aborted. */
async function run(
	workers: readonly Worker[],
	order: ScanOrder,
	take: (report: ScanReport) => void,
	signal: AbortSignal,
	longestStallMs: number,
): Promise<void> {
	const [looking, ...parsing] = workers;
	const counts = new SharedArrayBuffer(4 * countsOf(parsing.length));
	const activity = activityMemory(workers.length);
	const channels = parsing.map(() => new MessageChannel());
	const ended = workers.map((worker, index) => untilDone(worker, index, counts, take));
	parsing.forEach((worker, index) => {
		const suspects = channels[index]?.port2;
		if (suspects !== undefined) {
			const task: Task = { type: 'parse', counts, activity, index: index + 1, suspects };
			worker.postMessage(task, [suspects]);
		}
	});
	const parsers = channels.map(({ port1 }) => port1);
	const task: Task = { type: 'look', counts, activity, index: 0, order, parsers };
	looking?.postMessage(task, parsers);
	const stalled = Promise.withResolvers<never>();
	const endWatch = watchActivity(activity, longestStallMs, (what) => {
		stalled.reject(stalledBy(what, order));
	});
	try {
		await Promise.race([Promise.all(ended), once(signal, 'abort'), stalled.promise]);
	} finally {
		endWatch();
	}
}

async function untilDone(
	worker: Worker,
	index: number,
	shared: SharedArrayBuffer,
	take: (report: ScanReport) => void,
): Promise<void> {
	const counts = new Int32Array(shared);
	await new Promise<void>((resolve, reject) => {
		worker.on('message', (message: WorkerMessage) => {
			if (message === 'done') {
				resolve();
				return;
			}
			Atomics.sub(counts, index, 1);
			Atomics.notify(counts, index);
			try {
				take(message);
			} catch (error) {
				reject(error instanceof Error ? error : new Error(String(error)));
			}
		});
		worker.on('error', reject);
		worker.on('exit', () => {
			reject(new Error('A worker that looks for missing images has ended.'));
		});
	});
}

function byPlace(one: MissingImage, other: MissingImage): number {
	if (one.document !== other.document) {
		return one.document < other.document ? -1 : 1;
	}
	return one.reference.span.start - other.reference.span.start;
}
