import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import PQueue from 'p-queue';
import { EaselError } from '../../easelError.js';
import { sha256Of } from '../hash.js';
import { ImageError, inspectImage } from '../inspect.js';
import {
	largestFile,
	mostPixels,
	thumbnailFile,
	type MadeThumbnail,
	type MakeAnswer,
	type MakeProblem,
	type Bounds,
} from './order.js';
import { storedThumbnail, type Thumbnail } from './stored.js';
import { Thread, ThreadFailure } from './thread.js';

export type { Thumbnail } from './stored.js';

export interface ThumbnailOptions {
	/** Where thumbnails are kept; nothing else is kept there. It is made when it is needed. */
	readonly folder: string;
	/** The workers' bundle. */
	readonly script: string;
	/** Of a thumbnail, in pixels; 256 where it is left out. */
	readonly longestSide?: number;
	/** What the folder may hold; 64 MiB and 10,000 files where it is left out. */
	readonly bounds?: Bounds;
	/** The longest that one image may take, in milliseconds; 20 s where it is left out. */
	readonly timeLimitMs?: number;
	/** The most memory that a decoder may take, in bytes; 640 MiB where it is left out. */
	readonly memoryLimit?: number;
	/** How long workers without work are kept, in milliseconds; 10 s where it is left out. */
	readonly idleMs?: number;
}

export interface ThumbnailSource {
	/** Absolute path of a PNG, JPEG or WebP image. */
	readonly path: string;
	/** SHA-256 of its bytes, hexadecimal, where it is known. */
	readonly sha256?: string;
}

/**
 * - `tooLarge`: it has more than 50 Mi pixels or 128 MiB, or takes too much memory;
 * - `undecodable`: its pixels are damaged, cut off, or of a kind that is not understood;
 * - `tooSlow`: it took longer than one image may;
 * - `crashed`: the worker ended;
 * - `unwritable`: the thumbnail could not be stored.
 */
export type ThumbnailProblem = Exclude<MakeProblem, 'unreadable'> | ThreadFailure['kind'];

/** An image that has no thumbnail. `message` names the file. */
export class ThumbnailError extends EaselError {
	override readonly name = 'ThumbnailError';

	constructor(
		readonly kind: ThumbnailProblem,
		readonly path: string,
		cause?: unknown,
	) {
		super(`"${basename(path)}" ${problems[kind]}`, { cause });
	}
}

/**
 * Small pictures of images, each made once and kept in a folder by the hash of the image's bytes.
 * Worker threads make them: this thread reads a few bytes and hashes files whose hash nobody knows.
 * What was asked for last is made first, because it is what is on the screen. The folder stays
 * within its bounds; what was used longest ago goes first. Several windows may share it.
 *
 * They are WebP: it keeps transparency, and takes a tenth of a PNG and half of a JPEG.
 */
export class Thumbnails {
	readonly #options: Required<ThumbnailOptions>;
	/** By the hash of what is to be shown. */
	readonly #jobs = new Map<string, Job>();
	/** By path. */
	readonly #known = new Map<string, Known>();
	#threads: Thread[] = [];
	/** A few at a time, so that this thread has time for others; also here the latest goes first. */
	readonly #reading = new PQueue({ concurrency: 4 });
	/** How often something was asked for. */
	#asked = 0;
	#idle: NodeJS.Timeout | undefined;
	/** How many were made since the folder was swept. */
	#made = 0;
	#resting: Promise<void> | undefined;
	#disposed = false;

	constructor(options: ThumbnailOptions) {
		this.#options = {
			longestSide: 256,
			bounds: { bytes: 64 * 1024 * 1024, files: 10_000 },
			timeLimitMs: 20_000,
			// What 50 million pixels need, and the tables of a progressive JPEG.
			memoryLimit: 640 * 1024 * 1024,
			idleMs: 10_000,
			...options,
		};
	}

	/**
	 * Returns the thumbnail of an image, and makes it where there is none. With a hash it is the
	 * thumbnail of these bytes, if it was made already, whatever has become of the file.
	 *
	 * @param signal gives the request up; the thumbnail is not made if nobody else wants it
	 * @throws {ImageError} where the file is missing, unreadable or no image
	 * @throws {ThumbnailError} where its pixels cannot be decoded or the thumbnail not be stored
	 * @throws {unknown} the signal's reason
	 */
	async get(image: ThumbnailSource, signal?: AbortSignal): Promise<Thumbnail> {
		this.#check(signal);
		const turn = ++this.#asked;
		// It becomes a file name.
		const given = isHash.test(image.sha256 ?? '') ? image.sha256 : undefined;
		const stored = given === undefined ? undefined : await this.#stored(given);
		if (stored !== undefined) {
			return stored;
		}
		this.#check(signal);
		const version = await versionOf(image.path);
		const sha256 =
			this.#knownHash(image.path, version) ??
			(await this.#reading.add(() => this.#hashOf(image.path, given, version, signal), {
				priority: turn,
			}));
		if (sha256 !== given) {
			const other = await this.#stored(sha256);
			if (other !== undefined) {
				return other;
			}
		}
		this.#check(signal);

		const job = this.#join(image.path, sha256, turn);
		const mine = job.path === image.path;
		try {
			const made = await this.#wait(job, signal);
			if (mine || made.sha256 === sha256) {
				this.#remember(image.path, { version, sha256: made.sha256 });
				return { file: made.file, width: made.width, height: made.height };
			}
		} catch (error) {
			if (mine || signal?.aborted === true || this.#disposed) {
				if (mine && error instanceof ThumbnailError && lasting.includes(error.kind)) {
					this.#remember(image.path, { version, error });
				}
				throw error;
			}
		}
		// The other file was not, or is no longer, what it was said to be. This one may be.
		return this.get(image, signal);
	}

	/** Ends all workers; whoever still waits gets an error. */
	async dispose(): Promise<void> {
		this.#disposed = true;
		clearTimeout(this.#idle);
		for (const job of this.#jobs.values()) {
			job.reject(new Error(ended));
		}
		this.#jobs.clear();
		const threads = this.#threads;
		this.#threads = [];
		await Promise.all([this.#resting, ...threads.map((thread) => thread.end())]);
	}

	#check(signal: AbortSignal | undefined): void {
		signal?.throwIfAborted();
		if (this.#disposed) {
			throw new Error(ended);
		}
	}

	#stored(sha256: string): Promise<Thumbnail | undefined> {
		return storedThumbnail(thumbnailFile(this.#options.folder, sha256, this.#options.longestSide));
	}

	/** @throws {ThumbnailError} where the file is known to have no thumbnail */
	#knownHash(path: string, version: string | undefined): string | undefined {
		const known = this.#known.get(path);
		if (version === undefined || known?.version !== version) {
			return undefined;
		}
		if (known.error !== undefined) {
			throw known.error;
		}
		return known.sha256;
	}

	/** @throws {ImageError | ThumbnailError} where it does not even look like an image */
	async #hashOf(
		path: string,
		given: string | undefined,
		version: string | undefined,
		signal: AbortSignal | undefined,
	): Promise<string> {
		this.#check(signal);
		const { width, height, bytes } = await inspectImage(path);
		if (width * height > mostPixels || bytes > largestFile) {
			throw new ThumbnailError('tooLarge', path);
		}
		if (given !== undefined) {
			return given;
		}
		const computed = await sha256Of(path);
		this.#remember(path, { version, sha256: computed });
		return computed;
	}

	#remember(path: string, known: Known): void {
		this.#known.delete(path);
		this.#known.set(path, known);
		const [oldest] = this.#known.keys();
		if (this.#known.size > mostKnown && oldest !== undefined) {
			this.#known.delete(oldest);
		}
	}

	/** @param turn a later one comes first, also where somebody has waited for the same */
	#join(path: string, sha256: string, turn: number): Job {
		let job = this.#jobs.get(sha256);
		if (job === undefined) {
			const promise = Promise.withResolvers<MadeThumbnail>();
			job = { path, sha256, turn, waiting: 0, running: false, ...promise };
			this.#jobs.set(sha256, job);
		}
		job.turn = Math.max(job.turn, turn);
		return job;
	}

	async #wait(job: Job, signal: AbortSignal | undefined): Promise<MadeThumbnail> {
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
			// One that runs goes on: it is nearly done, and it may be wanted again.
			if (job.waiting === 0 && !job.running && this.#jobs.get(job.sha256) === job) {
				this.#jobs.delete(job.sha256);
			}
		}
	}

	/** Gives the latest job to a thread that is free, as long as there are both. */
	#work(): void {
		this.#threads = this.#threads.filter(({ dead }) => !dead);
		for (;;) {
			let thread = this.#threads.find(({ busy }) => !busy);
			if (thread === undefined && this.#threads.length >= mostThreads) {
				return;
			}
			const job = this.#latest();
			if (job === undefined) {
				return;
			}
			if (thread === undefined) {
				thread = new Thread(this.#options.script);
				this.#threads.push(thread);
			}
			clearTimeout(this.#idle);
			job.running = true;
			void this.#run(job, thread);
		}
	}

	#latest(): Job | undefined {
		return [...this.#jobs.values()]
			.filter(({ running }) => !running)
			.reduce<Job | undefined>(
				(latest, job) => (latest !== undefined && latest.turn > job.turn ? latest : job),
				undefined,
			);
	}

	async #run(job: Job, thread: Thread): Promise<void> {
		const { path, sha256 } = job;
		const { timeLimitMs, folder, longestSide, memoryLimit } = this.#options;
		try {
			const make = { path, folder, longestSide, memoryLimit };
			const answer = await thread.do({ make }, timeLimitMs);
			job.resolve(madeOf(answer as MakeAnswer, path));
			this.#made += 1;
		} catch (error) {
			job.reject(
				error instanceof ThreadFailure ? new ThumbnailError(error.kind, path, error.cause) : error,
			);
		}
		if (this.#disposed) {
			return;
		}
		this.#jobs.delete(sha256);
		if (this.#made >= sweepAfter) {
			await this.#sweep(thread);
		}
		this.#next();
	}

	/** Goes on, or waits for more to do. */
	#next(): void {
		this.#work();
		clearTimeout(this.#idle);
		if (!this.#threads.some(({ busy }) => busy)) {
			this.#idle = setTimeout(() => {
				this.#resting = this.#rest();
			}, this.#options.idleMs);
			this.#idle.unref();
		}
	}

	/** Nobody has wanted anything for a while: time to sweep, and to give memory back. */
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
		const { folder, bounds, timeLimitMs } = this.#options;
		this.#made = 0;
		try {
			await thread.do({ sweep: { folder, bounds } }, timeLimitMs);
		} catch {
			// It is swept another time.
		}
	}
}

const problems: Record<ThumbnailProblem, string> = {
	tooLarge: 'is too large for a thumbnail.',
	undecodable: 'cannot be decoded. It is damaged, or of a kind that is not understood.',
	tooSlow: 'takes too long to decode.',
	crashed: 'could not be decoded: the process that does it has ended.',
	unwritable: 'has no thumbnail: it could not be stored.',
};

/** What comes out the same as long as the file does not change. */
const lasting: readonly ThumbnailProblem[] = ['tooLarge', 'undecodable', 'tooSlow'];

const ended = 'Thumbnails are no longer made.';

/** The editor keeps a core, and each takes as much memory as an image. */
const mostThreads = availableParallelism() > 2 ? 2 : 1;

const isHash = /^[\da-f]{64}$/;
const sweepAfter = 500;
const mostKnown = 10_000;

interface Job extends PromiseWithResolvers<MadeThumbnail> {
	readonly path: string;
	readonly sha256: string;
	/** Its place in the order of what was asked for. */
	turn: number;
	/** How many wait for it. */
	waiting: number;
	running: boolean;
}

/** What is known of a file as long as it stays the same. */
type Known =
	| { readonly version: string | undefined; readonly sha256: string; readonly error?: undefined }
	| { readonly version: string | undefined; readonly error: ThumbnailError };

/** `undefined` where there is no such file. */
async function versionOf(path: string): Promise<string | undefined> {
	try {
		const { mtimeMs, ctimeMs, size } = await stat(path);
		return [mtimeMs, ctimeMs, size].join(' ');
	} catch {
		return undefined;
	}
}

function madeOf(answer: MakeAnswer, path: string): MadeThumbnail {
	if ('made' in answer) {
		return answer.made;
	}
	throw answer.problem === 'unreadable'
		? new ImageError('unreadable', path, answer.detail)
		: new ThumbnailError(answer.problem, path, answer.detail);
}
