import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import type { Bounds, MadeThumbnail, MakeAnswer } from './order.js';
import { Thread } from './thread.js';
import { orderFrom } from './thumbnailError.js';

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
	state: 'new' | 'queued' | 'running';
}

/** Worker threads that make thumbnails, the latest request first, and sweep their folder. */
export class ThumbnailQueue {
	/** By the hash of the image. */
	readonly #jobs = new Map<string, Job>();
	/** One core is left to the editor, and each thread takes the memory of a whole image. */
	readonly #queue = new PQueue({ concurrency: availableParallelism() > 2 ? 2 : 1 });
	readonly #working = new Set<Thread>();
	readonly #free: Thread[] = [];
	#idle: NodeJS.Timeout | undefined;
	/** How many were made since the folder was swept. */
	#made = 0;
	#resting: Promise<void> | undefined;
	/** Whether it has ended: nothing is made any more. */
	disposed = false;

	constructor(private readonly options: QueueOptions) {
		this.#queue.on('idle', () => {
			this.#idle = setTimeout(() => {
				this.#resting = this.#rest();
			}, options.idleMs);
			this.#idle.unref();
		});
	}

	/** Ends all workers; every {@link wait} that is left rejects. */
	async dispose(): Promise<void> {
		this.disposed = true;
		clearTimeout(this.#idle);
		this.#queue.clear();
		for (const job of this.#jobs.values()) {
			job.reject(new Error(ended));
		}
		const threads = [...this.#free.splice(0), ...this.#working];
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
		const known = this.#jobs.get(sha256);
		const promise = Promise.withResolvers<MadeThumbnail>();
		const job: Job = known ?? { path, sha256, turn, waiting: 0, state: 'new', ...promise };
		this.#jobs.set(sha256, job);
		if (turn > job.turn) {
			job.turn = turn;
			if (job.state === 'queued') {
				this.#queue.setPriority(sha256, turn);
			}
		}
		return job;
	}

	/**
	 * Resolves when the job is done. A job that was not begun is not made when nobody waits for it.
	 *
	 * @throws {ImageError | ThumbnailError} where there is no thumbnail
	 * @throws {unknown} the signal's reason
	 */
	async wait(job: Job, signal: AbortSignal | undefined): Promise<MadeThumbnail> {
		job.waiting += 1;
		if (job.state === 'new') {
			job.state = 'queued';
			void this.#queue.add(() => this.#begin(job), { id: job.sha256, priority: job.turn });
		}
		const aborted = Promise.withResolvers<never>();
		const abort = () => {
			aborted.reject(signal?.reason as Error);
		};
		signal?.addEventListener('abort', abort, { once: true });
		try {
			return await Promise.race([job.promise, aborted.promise]);
		} finally {
			signal?.removeEventListener('abort', abort);
			job.waiting -= 1;
		}
	}

	async #begin(job: Job): Promise<void> {
		if (job.waiting === 0) {
			this.#jobs.delete(job.sha256);
			return;
		}
		clearTimeout(this.#idle);
		job.state = 'running';
		const thread = this.#free.pop() ?? new Thread(this.options.script);
		this.#working.add(thread);
		await this.#make(job, thread);
		if (this.#made >= sweepAfter && !thread.dead) {
			await this.#sweep(thread);
		}
		this.#working.delete(thread);
		if (!thread.dead) {
			this.#free.push(thread);
		}
	}

	async #make(job: Job, thread: Thread): Promise<void> {
		const { timeLimitMs, folder, maxSide, quality, memoryLimit } = this.options;
		const make = { path: job.path, folder, maxSide, quality, memoryLimit };
		try {
			const { made } = await orderFrom<MakeAnswer>(thread, { make }, job.path, timeLimitMs);
			job.resolve(made);
			this.#made += 1;
		} catch (error) {
			job.reject(error);
		}
		this.#jobs.delete(job.sha256);
	}

	/** After a while without jobs: sweeps, and ends the threads to give their memory back. */
	async #rest(): Promise<void> {
		const threads = this.#free.splice(0);
		const [first] = threads;
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
