import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { copyFlushed } from '../files/copyFlushed.js';
import { runDetached, showStatus, notify } from '../editor/messages.js';
import { retryTransient } from '../files/retryTransient.js';
import { privateFile, privateFolder } from '../files/writeWhole.js';
import { ImageError, maxImageBytes } from '../images/inspect.js';
import { ThumbnailError } from '../images/thumbnails/thumbnailError.js';
import { Thumbnails } from '../images/thumbnails/thumbnails.js';
import type { ReferenceSource } from '../jobs/createJob.js';
import type { ImageRequest } from '../jobs/request.js';
import type { Size } from '../service/contract.js';
import { sourcesOf } from './referenceImages.js';
import { messages } from './messages.js';

/** The service chooses among sizes up to this; larger ones are experimental. In pixels. */
const maxAutoSide = 2048;

/** Of WebP, 0 to 100. A thumbnail is looked at; from this a new image is made. */
const quality = 92;

/** A reference image as a job fetches it, and whether that is less than the image itself. */
interface SmallerSource extends ReferenceSource {
	readonly isSmaller: boolean;
}

/**
 * Reference images for a service that refuses them for their size: copies that are scaled to what the
 * asked size can use, made where thumbnails are, in worker threads. The images stay as they are.
 */
export class SmallerReferences implements vscode.Disposable {
	/** By the length of the longer side, in pixels. */
	readonly #makers = new Map<number, Thumbnails>();

	/**
	 * @param folder for the copies alone, absolute
	 * @param script the bundle of the workers, absolute
	 */
	constructor(
		private readonly folder: string,
		private readonly script: string,
	) {}

	dispose(): void {
		for (const maker of this.#makers.values()) {
			runDetached(maker.dispose());
		}
	}

	/**
	 * Returns requests that were refused for their size with smaller references. Where none of these
	 * gets smaller, also because that was tried already, this is shown.
	 */
	async withSmaller(requests: readonly ImageRequest[]): Promise<ImageRequest[] | undefined> {
		showStatus(messages.reducing, 'loading~spin');
		const helps = await Promise.all(requests.map((request) => this.#getsSmaller(request)));
		if (helps.includes(true)) {
			return requests.map((request) => ({ ...request, smallerReferences: true }));
		}
		runDetached(notify('info', messages.nothingSmaller));
		return undefined;
	}

	async #getsSmaller(request: ImageRequest): Promise<boolean> {
		const sources = request.smallerReferences
			? []
			: await this.sources(sourcesOf(request), request.size);
		return sources.some(({ isSmaller }) => isSmaller);
	}

	/** The references for an image of a size; one that cannot be made smaller is sent as it is. */
	async sources(wholes: readonly ReferenceSource[], size: Size): Promise<SmallerSource[]> {
		const maker = this.#maker(maxSideOf(size));
		return Promise.all(wholes.map((whole) => this.#source(whole, maker)));
	}

	async #source(whole: ReferenceSource, maker: Thumbnails): Promise<SmallerSource> {
		const folder = path.join(this.folder, crypto.randomUUID());
		const original = path.join(folder, 'original');
		try {
			await retryTransient(() => mkdir(folder, { recursive: true, mode: privateFolder }));
			await whole.fetch(original);
			const { file } = await maker.get({ path: original });
			if ((await stat(file)).size < (await stat(original)).size) {
				const fileName = `${path.posix.parse(whole.fileName).name}.webp`;
				const fetch = async (copy: string) => {
					// What another attempt has left.
					await rm(copy, { force: true });
					await copyFlushed(file, copy, { mode: privateFile, maxBytes: maxImageBytes });
				};
				return { uri: whole.uri, fileName, fetch, isSmaller: true };
			}
		} catch (error) {
			// Why an image cannot be used at all is shown where it is fetched.
			if (!(error instanceof ImageError || error instanceof ThumbnailError)) {
				throw error;
			}
		} finally {
			await rm(folder, { recursive: true, force: true }).catch(() => undefined);
		}
		return { ...whole, isSmaller: false };
	}

	#maker(maxSide: number): Thumbnails {
		let maker = this.#makers.get(maxSide);
		if (maker === undefined) {
			maker = new Thumbnails({
				folder: this.folder,
				script: this.script,
				maxSide,
				quality,
			});
			this.#makers.set(maxSide, maker);
		}
		return maker;
	}
}

function maxSideOf(size: Size): number {
	return size === 'auto' ? maxAutoSide : Math.max(...size.split('x').map(Number));
}
