import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import { isNotFound } from '../../files/fsErrors.js';
import { ImageError, inspectImage } from '../inspect.js';
import {
	decoderMemory,
	isTooLarge,
	maxFileBytes,
	thumbnailFile,
	type Bounds,
	type ThumbnailEnding,
} from './order.js';
import { storedThumbnail, type Thumbnail } from './stored.js';
import { Thread } from './thread.js';
import { makeIn, ThumbnailError, type ThumbnailProblem } from './thumbnailError.js';

export type { Thumbnail } from './stored.js';

interface Options {
	/** Absolute path of the folder for thumbnails alone. It is made when it is needed. */
	readonly folder: string;
	/** The workers' bundle. */
	readonly script: string;
	/** Longest side of a thumbnail, in pixels. */
	readonly maxSide: number;
	/** Quality of the file, 0 to 100. */
	readonly quality: number;
	readonly ending: ThumbnailEnding;
	/** Limits of the folder. */
	readonly bounds: Bounds;
	/** The longest that one image may take, in milliseconds. */
	readonly timeLimitMs: number;
	/** The most memory that a decoder may take, in bytes. */
	readonly memoryLimit: number;
	/** Time after which idle workers end, in milliseconds. */
	readonly idleMs: number;
}

/** Options without a default are required. */
export type ThumbnailOptions = Pick<Options, 'folder' | 'script'> & Partial<Options>;

const defaults = {
	maxSide: 256,
	quality: 80,
	ending: '.webp' as const,
	bounds: { bytes: 64 * 1024 * 1024, files: 10_000 },
	timeLimitMs: 20_000,
	memoryLimit: decoderMemory,
	idleMs: 10_000,
};

interface ThumbnailSource {
	/** Absolute path of a PNG, JPEG or WebP image. */
	readonly path: string;
	/** Another one for another content; by default the path with the file's size and times. */
	readonly version?: string;
}

/**
 * Small pictures of images, each made once for a version of a file and stored in a folder. Worker
 * threads make them; this thread only reads headers. The latest request is served first, because that
 * image is on the screen. The folder is kept within its bounds by deleting what was used longest ago.
 * Several windows may share it.
 *
 * Thumbnails are WebP by default, which keeps transparency, and takes a tenth of a PNG and half of a
 * JPEG.
 */
export class Thumbnails {
	readonly #options: Options;
	/** One core is left to the editor, and each thread takes the memory of a whole image. */
	readonly #queue = new PQueue({ concurrency: availableParallelism() > 2 ? 2 : 1 });
	readonly #working = new Set<Thread>();
	readonly #free: Thread[] = [];
	/** Why an image has no thumbnail, as long as it does not change, by the thumbnail's file. */
	readonly #failed = new Map<string, ThumbnailError>();
	readonly #ended = new AbortController();
	#idle: NodeJS.Timeout | undefined;
	#resting: Promise<unknown> | undefined;
	/** Number of requests so far. */
	#asked = 0;

	constructor(options: ThumbnailOptions) {
		this.#options = { ...defaults, ...options };
		this.#queue.on('idle', () => {
			this.#idle = setTimeout(() => {
				this.#resting = this.#rest();
			}, this.#options.idleMs);
			this.#idle.unref();
		});
	}

	/**
	 * Returns the thumbnail of an image, and makes it where there is none.
	 *
	 * @param signal gives the request up, unless the thumbnail is being made already
	 * @throws {ImageError} where the file is missing, unreadable or no image
	 * @throws {ThumbnailError} where its pixels cannot be decoded or the thumbnail not be stored
	 * @throws {Error} after {@link dispose}
	 * @throws {unknown} the signal's reason
	 */
	async get({ path, version }: ThumbnailSource, signal?: AbortSignal): Promise<Thumbnail> {
		const check = () => {
			this.#ended.signal.throwIfAborted();
			signal?.throwIfAborted();
		};
		check();
		const priority = ++this.#asked;
		const { folder, maxSide, ending } = this.#options;
		const file = thumbnailFile(folder, version ?? (await versionOf(path)), maxSide, ending);
		const failed = this.#failed.get(file);
		if (failed !== undefined) {
			throw failed;
		}
		const make = () => {
			check();
			return this.#make(path, file);
		};
		return (await storedThumbnail(file)) ?? this.#queue.add(make, { priority });
	}

	/** Ends all workers; every request that still waits rejects. */
	async dispose(): Promise<void> {
		this.#ended.abort(new Error('thumbnails are no longer made'));
		clearTimeout(this.#idle);
		const threads = [...this.#free.splice(0), ...this.#working];
		await Promise.all([this.#resting, ...threads.map((thread) => thread.end())]);
	}

	async #make(path: string, file: string): Promise<Thumbnail> {
		const { script, timeLimitMs, maxSide, quality, memoryLimit } = this.#options;
		const { width, height, bytes } = await inspectImage(path);
		if (isTooLarge({ width, height }) || bytes > maxFileBytes) {
			throw new ThumbnailError('tooLarge', path);
		}
		this.#ended.signal.throwIfAborted();
		clearTimeout(this.#idle);
		const thread = this.#free.pop() ?? new Thread(script);
		this.#working.add(thread);
		try {
			const make = { path, file, maxSide, quality, memoryLimit };
			return await makeIn(thread, make, timeLimitMs);
		} catch (error) {
			this.#ended.signal.throwIfAborted();
			if (error instanceof ThumbnailError && lasting.includes(error.kind)) {
				this.#failed.set(file, error);
			}
			throw error;
		} finally {
			this.#working.delete(thread);
			if (!thread.dead) {
				this.#free.push(thread);
			}
		}
	}

	/** After a while without requests: sweeps, and ends the threads to give their memory back. */
	async #rest(): Promise<void> {
		const { folder, bounds, timeLimitMs } = this.#options;
		const threads = this.#free.splice(0);
		// Where it fails, the next sweep tries again.
		await threads[0]?.do({ sweep: { folder, bounds } }, timeLimitMs).catch(() => undefined);
		await Promise.all(threads.map((thread) => thread.end()));
	}
}

/** Problems that stay the same as long as the file does not change. */
const lasting: readonly ThumbnailProblem[] = ['tooLarge', 'undecodable', 'cmyk', 'tooSlow'];

/** Changes with the file's content. @throws {ImageError} where the file cannot be looked at */
async function versionOf(path: string): Promise<string> {
	try {
		const { mtimeMs, ctimeMs, size } = await stat(path);
		return [path, mtimeMs, ctimeMs, size].join(' ');
	} catch (error) {
		throw new ImageError(isNotFound(error) ? 'missing' : 'unreadable', path, error);
	}
}
