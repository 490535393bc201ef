import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { EaselError, inWords } from '../easelError.js';
import { wordsOf } from '../editor/errorTexts.js';
import { notify, runDetached, showStatus } from '../editor/messages.js';
import { retryTransient } from '../files/retryTransient.js';
import { copyFlushed } from '../files/copyFlushed.js';
import { isNotFound } from '../files/fsErrors.js';
import { UnfitFileError } from '../files/boundedRead.js';
import { privateFile, privateFolder } from '../files/writeWhole.js';
import { sha256Of } from '../images/hash.js';
import { ImageError, maxImageBytes } from '../images/inspect.js';
import { ThumbnailError } from '../images/thumbnails/thumbnailError.js';
import { Thumbnails } from '../images/thumbnails/thumbnails.js';
import type { ReferenceSource } from '../jobs/createJob.js';
import { ownReferences, type ImageRequest } from '../jobs/request.js';
import { StyleGuideError } from '../recipes/styleGuide.js';
import type { Size } from '../service/contract.js';
import { forgetHashes } from '../style/styleFile.js';
import { messages } from '../messages.js';

/** Returns the reference images of a request as a job fetches them. */
export function sourcesOf(request: ImageRequest): ReferenceSource[] {
	const own = ownReferences(request).length;
	return request.references.map(({ source }, index) => {
		const uri = vscode.Uri.parse(source, true);
		const sha256 = request.style?.references[index - own];
		return sha256 === undefined ? referenceSource(uri) : styleSource(uri, sha256);
	});
}

/**
 * Returns the source of a style's image; a file that has changed since the user agreed is refused.
 */
function styleSource(uri: vscode.Uri, sha256: string): ReferenceSource {
	const source = referenceSource(uri);
	return {
		...source,
		fetch: async (copy) => {
			await source.fetch(copy);
			if ((await sha256Of(copy)) !== sha256) {
				forgetHashes();
				throw new StyleGuideError(inWords(messages.styleReferenceChanged(source.fileName)));
			}
		},
	};
}

export function referenceSource(uri: vscode.Uri): ReferenceSource {
	return {
		uri: uri.toString(),
		fileName: path.posix.basename(uri.path),
		fetch: (copy) => copyFile(uri, copy),
	};
}

/**
 * Copies the file that a link leads to, as it is now: the job has the bytes, whatever becomes of
 * it.
 */
async function copyFile(source: vscode.Uri, copy: string): Promise<void> {
	let found: vscode.FileStat;
	try {
		found = await retryTransient(async () => vscode.workspace.fs.stat(source));
	} catch (error) {
		throw new ImageError(isNotFound(error) ? 'missing' : 'unreadable', source.path, error);
	}
	if ((found.type & vscode.FileType.Directory) !== 0) {
		throw new ImageError('folder', source.path);
	}
	if (found.size > maxImageBytes) {
		throw new ImageError('tooLarge', source.path);
	}
	try {
		await retryTransient(async () => {
			if (source.scheme === 'file') {
				// What another attempt has left.
				await rm(copy, { force: true });
				await copyFlushed(source.fsPath, copy, { mode: privateFile, maxBytes: maxImageBytes });
			} else {
				await vscode.workspace.fs.copy(source, vscode.Uri.file(copy), { overwrite: true });
				await chmod(copy, privateFile);
			}
		});
	} catch (error) {
		const tooLarge = error instanceof UnfitFileError && error.code === 'TooLarge';
		throw new ImageError(tooLarge ? 'tooLarge' : 'unreadable', source.path, error);
	}
}

/** The service chooses among sizes up to this; larger ones are experimental. In pixels. */
const maxAutoSide = 2048;

/** Quality of WebP, 0 to 100. A thumbnail is looked at; from this a new image is made. */
const quality = 92;

/** A reference image as a job fetches it, and whether that is less than the image itself. */
interface SmallerSource extends ReferenceSource {
	readonly isSmaller: boolean;
	/** Set for an image of print, of which no copy can be made. */
	readonly problem?: EaselError;
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
		const helps = (await Promise.all(requests.map((request) => this.#smaller(request)))).flat();
		if (helps.some(({ isSmaller }) => isSmaller)) {
			return requests.map((request) => ({ ...request, smallerReferences: true }));
		}
		const problem = helps.find((one) => one.problem)?.problem;
		runDetached(notify('info', problem ? wordsOf(problem) : messages.nothingSmaller));
		return undefined;
	}

	/** Returns what its references would be. */
	#smaller(request: ImageRequest): Promise<SmallerSource[]> {
		return request.smallerReferences
			? Promise.resolve([])
			: this.sources(sourcesOf(request), request.size);
	}

	/** The references for an image of a size; one that cannot be made smaller is sent as it is. */
	async sources(wholes: readonly ReferenceSource[], size: Size): Promise<SmallerSource[]> {
		const maker = this.#maker(
			size === 'auto' ? maxAutoSide : Math.max(...size.split('x').map(Number)),
		);
		return Promise.all(wholes.map((whole) => this.#source(whole, maker)));
	}

	async #source(whole: ReferenceSource, maker: Thumbnails): Promise<SmallerSource> {
		const folder = path.join(this.folder, crypto.randomUUID());
		const original = path.join(folder, 'original');
		try {
			await retryTransient(() => mkdir(folder, { recursive: true, mode: privateFolder }));
			await whole.fetch(original);
			const { file } = await maker.get({ path: original, version: await sha256Of(original) });
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
			if (error instanceof ThumbnailError && error.kind === 'cmyk') {
				// The copy that it was read from has another name.
				const problem = new EaselError({ code: 'thumbnail.cmyk', name: whole.fileName });
				return { ...whole, isSmaller: false, problem };
			}
		} finally {
			await rm(folder, { recursive: true, force: true }).catch(() => undefined);
		}
		return { ...whole, isSmaller: false };
	}

	#maker(maxSide: number): Thumbnails {
		const { folder, script } = this;
		const maker = this.#makers.get(maxSide) ?? new Thumbnails({ folder, script, maxSide, quality });
		this.#makers.set(maxSide, maker);
		return maker;
	}
}
