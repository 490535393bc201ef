import { availableParallelism } from 'node:os';
import { ImageError } from '../inspect.js';
import type { Bounds, MadeThumbnail, MakeAnswer } from './order.js';
import { Thread, ThreadFailure } from './thread.js';
import { ThumbnailError } from './thumbnailError.js';

export interface QueueOptions {
	/** Absolute path of the folder for thumbnails alone. It is made when it is needed. */
	readonly folder: string;
	/** The workers' bundle. */
	readonly script: string;
	/** Longest side of a thumbnail, in pixels. */
	readonly maxSide: number;
	/** Of a thumbnail, which is a WebP file: 0 to 100. */
	readonly quality: number;
	/** What the folder may hold. */
	readonly bounds: Bounds;
	/** The longest that one image may take, in milliseconds. */
	readonly timeLimitMs: number;
	/** The most memory that a decoder may take, in bytes. */
	readonly memoryLimit: number;
	/** How long workers without work are kept, in milliseconds. */
	readonly idleMs: number;
}

/** A thumbnail that is to be made. */
export interface Job extends PromiseWithResolvers<MadeThumbnail> {
	readonly path: string;
	readonly sha256: string;
	/** Its place in the order of what was asked for. */
	turn: number;
	/** How many callers wait for it. */
	waiting: number;
	running: boolean;
}

/** Worker threads that make thumbnails, the latest request first, and sweep their folder. */
export class ThumbnailQueue {
	/** By the hash of the image. */
	readonly #jobs = new Map<string, Job>();
	#threads: Thread[] = [];
	/** One core is left to the editor, and each thread takes the memory of a whole image. */
	readonly #maxThreads = availableParallelism() > 2 ? 2 : 1;
	#idle: NodeJS.Timeout | undefined;
	/** How many were made since the folder was swept. */
	#made = 0;
	#resting: Promise<void> | undefined;
	/** Whether it has ended: nothing is made any more. */
	disposed = false;

	constructor(private readonly options: QueueOptions) {}

	/** Ends all workers; every {@link wait} that is left rejects. */
	async dispose(): Promise<void> {
		this.disposed = true;
		clearTimeout(this.#idle);
		for (const job of this.#jobs.values()) {
			job.reject(new Error(ended));
		}
		this.#jobs.clear();
		const threads = this.#threads;
		this.#threads = [];
		await Promise.all([this.#resting, ...threads.map((thread) => thread.end())]);
	}

	/** @throws {Error} once the queue is disposed of */
	assertOpen(): void {
		if (this.disposed) {
			throw new Error(ended);
		}
	}

	/**
	 * The job for an image. It may be that of another file with the same bytes, asked for before.
	 *
	 * @param turn the higher one is made first; a job that exists takes the higher of both
	 */
	join(path: string, sha256: string, turn: number): Job {
		let job = this.#jobs.get(sha256);
		if (job === undefined) {
			const promise = Promise.withResolvers<MadeThumbnail>();
			job = { path, sha256, turn, waiting: 0, running: false, ...promise };
			this.#jobs.set(sha256, job);
		}
		job.turn = Math.max(job.turn, turn);
		return job;
	}

	/**
	 * Resolves when the job is done. A job that was not begun is dropped when nobody waits for it.
	 *
	 * @throws {ImageError | ThumbnailError} where there is no thumbnail
	 * @throws {unknown} the signal's reason
	 */
	async wait(job: Job, signal: AbortSignal | undefined): Promise<MadeThumbnail> {
		job.waiting += 1;
		const aborted = Promise.withResolvers<never>();
		const abort = () => {
			aborted.reject(signal?.reason as Error);
		};
		signal?.addEventListener('abort', abort, { once: true });
		this.#work();
		try {
			return await Promise.race([job.promise, aborted.promise]);
		} finally {
			signal?.removeEventListener('abort', abort);
			job.waiting -= 1;
			// A job that runs goes on: it is soon done, and may be wanted again.
			if (job.waiting === 0 && !job.running && this.#jobs.get(job.sha256) === job) {
				this.#jobs.delete(job.sha256);
			}
		}
	}

	/** Gives the latest jobs to free threads, as long as there are both. */
	#work(): void {
		this.#threads = this.#threads.filter(({ dead }) => !dead);
		for (;;) {
			let thread = this.#threads.find(({ busy }) => !busy);
			if (thread === undefined && this.#threads.length >= this.#maxThreads) {
				return;
			}
			const [job] = [...this.#jobs.values()]
				.filter(({ running }) => !running)
				.sort((one, other) => other.turn - one.turn);
			if (job === undefined) {
				return;
			}
			if (thread === undefined) {
				thread = new Thread(this.options.script);
				this.#threads.push(thread);
			}
			clearTimeout(this.#idle);
			job.running = true;
			void this.#run(job, thread);
		}
	}

	async #run(job: Job, thread: Thread): Promise<void> {
		const { path, sha256 } = job;
		const { timeLimitMs, folder, maxSide, quality, memoryLimit } = this.options;
		try {
			const make = { path, folder, maxSide, quality, memoryLimit };
			const answer = await thread.do({ make }, timeLimitMs);
			job.resolve(madeOf(answer as MakeAnswer, path));
			this.#made += 1;
		} catch (error) {
			job.reject(
				error instanceof ThreadFailure ? new ThumbnailError(error.kind, path, error.cause) : error,
			);
		}
		if (this.disposed) {
			return;
		}
		this.#jobs.delete(sha256);
		if (this.#made >= sweepAfter) {
			await this.#sweep(thread);
		}
		this.#next();
	}

	/** Starts the next job. Without any, the threads rest after a while. */
	#next(): void {
		this.#work();
		clearTimeout(this.#idle);
		if (!this.#threads.some(({ busy }) => busy)) {
			this.#idle = setTimeout(() => {
				this.#resting = this.#rest();
			}, this.options.idleMs);
			this.#idle.unref();
		}
	}

	/** After a while without jobs: sweeps, and ends the threads to give their memory back. */
	async #rest(): Promise<void> {
		const threads = this.#threads;
		const [first] = threads;
		this.#threads = [];
		if (first !== undefined && this.#made > 0) {
			await this.#sweep(first);
		}
		await Promise.all(threads.map((thread) => thread.end()));
	}

	async #sweep(thread: Thread): Promise<void> {
		const { folder, bounds, timeLimitMs } = this.options;
		this.#made = 0;
		try {
			await thread.do({ sweep: { folder, bounds } }, timeLimitMs);
		} catch {
			// The next sweep tries again.
		}
	}
}

const ended = 'thumbnails are no longer made';

/** After so many thumbnails the folder is swept. */
const sweepAfter = 500;

/** @throws {ImageError | ThumbnailError} where the worker could not make it */
function madeOf(answer: MakeAnswer, path: string): MadeThumbnail {
	if ('made' in answer) {
		return answer.made;
	}
	throw answer.problem === 'unreadable'
		? new ImageError('unreadable', path, answer.detail)
		: new ThumbnailError(answer.problem, path, answer.detail);
}
