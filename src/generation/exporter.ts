import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { placeOf } from '../editor/filePlaces.js';
import { TakenError } from '../editor/swapFiles.js';
import { removeQuietly, saveAs, uriExists } from '../editor/files.js';
import { WordedError } from '../editor/errorTexts.js';
import { withImageFile } from '../editor/images.js';
import { readSetting } from '../editor/settings.js';
import { safeName } from '../editor/untrustedText.js';
import { privateFolder, writeWhole } from '../files/writeWhole.js';
import { exportImage } from '../images/exports/exportImage.js';
import type { Exported } from '../images/exports/order.js';
import type { Gallery } from '../jobs/gallery.js';
import type { ImageRequest } from '../jobs/request.js';
import { exportName, parseExport, type ExportPreset } from '../images/exports/preset.js';
import { candidateNames } from '../images/fileName.js';
import { sha256Of } from '../images/hash.js';
import { inspectImage } from '../images/inspect.js';
import type { KnownImages } from '../library/galleryLookup.js';
import { messages } from '../messages.js';
import { PngError } from '../recipes/chunks.js';
import { readProvenance } from '../recipes/provenance.js';
import { recipeJson, type Recipe } from '../recipes/recipe.js';
import { writeWithRecipe } from '../recipes/rewrite.js';

/** A file of an export, before it is saved. */
export interface ExportedFile extends Exported {
	/** Path in our storage. */
	readonly file: string;
	/** With the recipe, in bytes. */
	readonly weight: number;
	/** 2 for that of twice the dimensions. */
	readonly times: number;
}

/** A saved file of an export. */
export interface SavedExport {
	readonly uri: vscode.Uri;
	/** False where the file was there already. */
	readonly isNew: boolean;
	readonly sha256: string;
}

/** Export that documents show in the place of an image, as a request asks for it. */
export type Publish = NonNullable<ImageRequest['publish']>;

/** An export that was saved for documents to show. */
export interface Published extends ExportedFile {
	readonly uri: vscode.Uri;
	readonly sha256: string;
}

/** The export of an image was changed by the user, and stays as it is. */
class ChangedExportError extends WordedError {
	override readonly name = 'ChangedExportError';
}

/** Returns requests of which edits have the kind of export that their originals have. */
export async function inheritExports<Request extends ImageRequest>(
	requests: readonly Request[],
	gallery: KnownImages,
): Promise<readonly Request[]> {
	const isOpen = ({ operation, publish }: ImageRequest) =>
		operation === 'edit' && publish === undefined;
	if (!requests.some(isOpen)) {
		return requests;
	}
	const images = await gallery.list().catch(() => []);
	return requests.map((request) => {
		const source = request.references[0]?.source;
		const original = images.find(({ target }) => target === source);
		return isOpen(request) && original?.publish !== undefined
			? { ...request, publish: original.publish }
			: request;
	});
}

/** Makes small files of images, free and on this machine, and saves them beside the images. */
export class Exporter {
	/**
	 * @param storage our own, absolute
	 * @param script the workers' bundle, absolute
	 */
	constructor(
		private readonly storage: string,
		private readonly script: string,
	) {}

	/**
	 * Makes the files of an export: one, or two of a pair. {@link discard} them, saved or not.
	 *
	 * @throws as {@link exportImage}
	 */
	async make(
		image: vscode.Uri,
		preset: ExportPreset,
		signal?: AbortSignal,
	): Promise<readonly ExportedFile[]> {
		return withImageFile(image, async (source) => {
			const isBare = preset.isBare === true || readSetting('output.provenance', image) === 'none';
			const found = isBare ? undefined : await recipeFor(source);
			const { maxBytes = Infinity } = preset;
			// In a file that has to be very light there is no room for it.
			const recipe = roomFor(found) > maxBytes / 8 ? undefined : found;
			const limit = preset.maxBytes && { maxBytes: preset.maxBytes - roomFor(recipe) };
			const made: ExportedFile[] = [];
			try {
				for (const { times, ...options } of await sidesOf(source, preset)) {
					const wanted = { ...options, ...limit };
					const exported = await exportImage(source, wanted, this.script, signal);
					const one = {
						...exported,
						times,
						file: path.join(this.storage, `export-${randomUUID()}`),
					};
					made.push({ ...one, weight: await this.#write(one, recipe) });
				}
				return made;
			} catch (error) {
				await this.discard(made);
				throw error;
			}
		});
	}

	/**
	 * Saves the files under free names. A file with the same bytes stays as it is.
	 *
	 * @param folder that gets them; by default that of the image
	 * @throws the system's error
	 */
	async save(
		image: vscode.Uri,
		preset: ExportPreset,
		files: readonly ExportedFile[],
		folder = vscode.Uri.joinPath(image, '..'),
	): Promise<readonly SavedExport[]> {
		const saved: SavedExport[] = [];
		try {
			for (const { file, times } of files) {
				const name = exportName(path.posix.basename(image.path), preset, times);
				saved.push(await saveIn(folder, name, file));
			}
			return saved;
		} catch (error) {
			// Half of a pair is named by nothing.
			await this.remove(saved).catch(() => undefined);
			throw error;
		}
	}

	/** Deletes new files that are as they were saved; returns those that have changed since. */
	async remove(saved: readonly SavedExport[]): Promise<readonly vscode.Uri[]> {
		const changed: vscode.Uri[] = [];
		for (const { uri, sha256 } of saved.filter(({ isNew }) => isNew)) {
			const found = await placeOf(uri).sha256();
			if (found === sha256) {
				await removeQuietly(uri);
			} else if (found !== undefined) {
				changed.push(uri);
			}
		}
		return changed;
	}

	/**
	 * Makes and saves what a request wants to be shown in the place of its image.
	 *
	 * @returns the first file
	 * @throws as {@link make} and {@link save}
	 */
	async publish(
		image: vscode.Uri,
		{ preset: words, folder }: Publish,
		signal?: AbortSignal,
	): Promise<Published> {
		const preset = parseExport(words);
		if (preset === undefined) {
			throw new RangeError(`no export: ${words}`);
		}
		const made = await this.make(image, preset, signal);
		try {
			const saved = await this.save(image, preset, made, vscode.Uri.parse(folder, true));
			const { uri, sha256 } = saved[0]!;
			return { ...made[0]!, uri, sha256 };
		} finally {
			await this.discard(made);
		}
	}

	/**
	 * Brings the export of an image up to date, in its place, and removes it where the image has gone.
	 *
	 * @throws as {@link make}, or {@link SaveError}; {@link ChangedExportError} where it is left as it is
	 */
	async refresh(image: vscode.Uri, gallery: Gallery): Promise<void> {
		const target = image.toString();
		const known = (await gallery.list()).find((one) => one.target === target);
		const preset = known?.publish && parseExport(known.publish.preset);
		if (preset === undefined || known?.published === undefined) {
			return;
		}
		const published = vscode.Uri.parse(known.published, true);
		const found = await placeOf(published).sha256();
		if (found !== undefined && found !== (known.publishedHash ?? found)) {
			throw new ChangedExportError(messages.exportChanged(safeName(published)));
		}
		if (!(await uriExists(image))) {
			await removeQuietly(published);
			return;
		}
		const made = await this.make(image, preset);
		try {
			const { file } = made[0]!;
			await saveAs(vscode.Uri.file(file), published);
			await gallery.notePublished(known.id, known.published, await sha256Of(file));
		} finally {
			await this.discard(made);
		}
	}

	/** Removes files from our storage. */
	async discard(files: readonly ExportedFile[]): Promise<void> {
		await Promise.all(files.map(({ file }) => rm(file, { force: true })));
	}

	/** Writes a file with its recipe where it has room for one; returns its size in bytes. */
	async #write({ bytes, file }: Exported & { file: string }, recipe?: Recipe): Promise<number> {
		await mkdir(this.storage, { recursive: true, mode: privateFolder });
		const bare = `${file}.bare`;
		await writeWhole(bare, bytes);
		try {
			if (recipe === undefined || (await writeWithRecipe(bare, file, recipe)) !== 'written') {
				await rename(bare, file);
			}
		} catch (error) {
			if (!(error instanceof PngError)) {
				throw error;
			}
			await rename(bare, file);
		} finally {
			await rm(bare, { force: true });
		}
		return (await stat(file)).size;
	}
}

/** Returns the number of bytes that a recipe adds at most: it is written with a packet of XMP. */
function roomFor(recipe: Recipe | undefined): number {
	return recipe === undefined ? 0 : 2 * Buffer.byteLength(recipeJson(recipe)) + 1500;
}

/** Returns the recipe of an export: that of its image, with where the export comes from. */
async function recipeFor(source: string): Promise<Recipe | undefined> {
	const { recipe, isOfOther } = await readProvenance(source).catch(() => ({
		recipe: undefined,
		isOfOther: false,
	}));
	return recipe && !isOfOther
		? {
				...recipe,
				image: undefined,
				exportedFrom: { sha256: await sha256Of(source), path: path.basename(source) },
			}
		: undefined;
}

/**
 * Returns the exports of a preset: of a pair without a width, the larger one is as wide as its
 * source.
 */
async function sidesOf(
	source: string,
	preset: ExportPreset,
): Promise<readonly (ExportPreset & { readonly times: number })[]> {
	if (preset.isPair !== true) {
		return [{ ...preset, times: 1 }];
	}
	const { width, height } = preset;
	const single =
		width ?? (height === undefined ? (await inspectImage(source)).width / 2 : undefined);
	const one = { ...preset, ...(single === undefined ? {} : { width: Math.ceil(single) }) };
	const twice = (side: number | undefined) => (side === undefined ? undefined : side * 2);
	return [
		{ ...one, times: 1 },
		{ ...one, width: twice(one.width), height: twice(height), times: 2 },
	];
}

/** Saves a copy of a file under a free name; one that is there with the same bytes is taken. */
export async function saveIn(folder: vscode.Uri, name: string, file: string): Promise<SavedExport> {
	const sha256 = await sha256Of(file);
	for (const candidate of candidateNames(name)) {
		const uri = vscode.Uri.joinPath(folder, candidate);
		if (await uriExists(uri)) {
			if ((await placeOf(uri).sha256()) === sha256) {
				return { uri, isNew: false, sha256 };
			}
			continue;
		}
		const part = placeOf(vscode.Uri.joinPath(folder, `.easel-${randomUUID()}.part`));
		try {
			await part.copyFrom(file);
			await part.renameToFree(candidate);
			return { uri, isNew: true, sha256 };
		} catch (error) {
			await part.remove().catch(() => undefined);
			if (!(error instanceof TakenError)) {
				throw error;
			}
		}
	}
	throw new Error('no name is free');
}
