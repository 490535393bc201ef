import { stat } from 'node:fs/promises';
import PQueue from 'p-queue';
import { sha256Of } from '../hash.js';
import { inspectImage } from '../inspect.js';
import { isTooLarge, maxFileBytes, thumbnailFile } from './order.js';
import { ThumbnailQueue, type QueueOptions } from './queue.js';
import { storedThumbnail, type Thumbnail } from './stored.js';
import { ThumbnailError, type ThumbnailProblem } from './thumbnailError.js';

export type { Thumbnail } from './stored.js';

/** What has no default must be given. */
export type ThumbnailOptions = Pick<QueueOptions, 'folder' | 'script'> & Partial<QueueOptions>;

const defaults = {
	maxSide: 256,
	quality: 80,
	bounds: { bytes: 64 * 1024 * 1024, files: 10_000 },
	timeLimitMs: 20_000,
	// Enough for `maxPixels` and the coefficients of a progressive JPEG.
	memoryLimit: 640 * 1024 * 1024,
	idleMs: 10_000,
};

interface ThumbnailSource {
	/** Absolute path of a PNG, JPEG or WebP image. */
	readonly path: string;
	/** SHA-256 of its bytes, hexadecimal, where it is known. */
	readonly sha256?: string;
}

/**
 * Small pictures of images, each made once and kept in a folder by the hash of the image's bytes.
 * Worker threads make them; this thread only reads headers, and hashes files whose hash is not
 * known. The latest request is served first, because that image is on the screen. The folder is
 * kept within its bounds by deleting what was used longest ago. Several windows may share it.
 *
 * Thumbnails are WebP, which keeps transparency, and takes a tenth of a PNG and half of a JPEG.
 */
export class Thumbnails {
	readonly #options: QueueOptions;
	readonly #queue: ThumbnailQueue;
	/** By path of the image. */
	readonly #known = new Map<string, Known>();
	/** Reads a few files at a time, so that other work gets its turn; the latest request first. */
	readonly #reading = new PQueue({ concurrency: 4 });
	/** How many requests there were so far. */
	#asked = 0;

	constructor(options: ThumbnailOptions) {
		this.#options = { ...defaults, ...options };
		this.#queue = new ThumbnailQueue(this.#options);
	}

	/**
	 * Returns the thumbnail of an image, and makes it where there is none. With a hash, a thumbnail
	 * of those bytes that was made already is returned even where the file has changed or is gone.
	 *
	 * @param signal gives the request up; the thumbnail is not made if nobody else waits for it
	 * @throws {ImageError} where the file is missing, unreadable or no image
	 * @throws {ThumbnailError} where its pixels cannot be decoded or the thumbnail not be stored
	 * @throws {Error} after {@link dispose}
	 * @throws {unknown} the signal's reason
	 */
	async get(image: ThumbnailSource, signal?: AbortSignal): Promise<Thumbnail> {
		this.#check(signal);
		const turn = ++this.#asked;
		// It becomes part of a file name, so nothing but a hash is taken.
		const given = isHash.test(image.sha256 ?? '') ? image.sha256 : undefined;
		const stored = given === undefined ? undefined : await this.#stored(given);
		if (stored !== undefined) {
			return stored;
		}
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

		const job = this.#queue.join(image.path, sha256, turn);
		const mine = job.path === image.path;
		try {
			const made = await this.#queue.wait(job, signal);
			if (mine || made.sha256 === sha256) {
				this.#remember(image.path, { version, sha256: made.sha256 });
				return { file: made.file, width: made.width, height: made.height };
			}
		} catch (error) {
			if (mine) {
				if (error instanceof ThumbnailError && lasting.includes(error.kind)) {
					this.#remember(image.path, { version, error });
				}
				throw error;
			}
		}
		// The job read another file that should have had the same bytes, and failed or found others, or
		// this was given up. Try again with this one, if it is still wanted.
		return this.get(image, signal);
	}

	/** Ends all workers; every request that still waits rejects. */
	async dispose(): Promise<void> {
		await this.#queue.dispose();
	}

	#check(signal: AbortSignal | undefined): void {
		signal?.throwIfAborted();
		this.#queue.assertOpen();
	}

	#stored(sha256: string): Promise<Thumbnail | undefined> {
		return storedThumbnail(thumbnailFile(this.#options.folder, sha256, this.#options.maxSide));
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

	/** @throws {ImageError | ThumbnailError} for no image or a too large one; the signal's reason */
	async #hashOf(
		path: string,
		given: string | undefined,
		version: string | undefined,
		signal: AbortSignal | undefined,
	): Promise<string> {
		this.#check(signal);
		const { width, height, bytes } = await inspectImage(path);
		if (isTooLarge({ width, height }) || bytes > maxFileBytes) {
			throw new ThumbnailError('tooLarge', path);
		}
		if (given !== undefined) {
			return given;
		}
		const computed = await sha256Of(path, maxFileBytes);
		this.#remember(path, { version, sha256: computed });
		return computed;
	}

	#remember(path: string, known: Known): void {
		if (this.#known.size >= maxKnown) {
			// More than anybody looks at. What is forgotten is found out again.
			this.#known.clear();
		}
		this.#known.set(path, known);
	}
}

/** Problems that stay the same as long as the file does not change. */
const lasting: readonly ThumbnailProblem[] = ['tooLarge', 'undecodable', 'tooSlow'];

const isHash = /^[\da-f]{64}$/;
const maxKnown = 10_000;

/** What is known of a file in one version of it. */
type Known =
	| { readonly version: string | undefined; readonly sha256: string; readonly error?: undefined }
	| { readonly version: string | undefined; readonly error: ThumbnailError };

/** Changes with the file's content; `undefined` where the file cannot be looked at. */
async function versionOf(path: string): Promise<string | undefined> {
	try {
		const { mtimeMs, ctimeMs, size } = await stat(path);
		return [mtimeMs, ctimeMs, size].join(' ');
	} catch {
		return undefined;
	}
}
