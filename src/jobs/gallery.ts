import path from 'node:path';
import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import { keptRestSchema, marksSchema } from '../images/marks.js';
import type { JobEntry } from './jobFolder.js';
import { JsonLines } from './jsonLines.js';
import { generationRequestSchema, ownReferences } from './request.js';

const { operation, size, quality, style, withoutStyle, round, regeneratedFrom, workspaceFolder } =
	generationRequestSchema.shape;
const { background, origin, altText, publish, darkOf, smallerReferences } =
	generationRequestSchema.shape;

/** Facts of a saved image, in one line of the gallery. */
const galleryImageSchema = extensibleObject({
	/** The job’s identifier. */
	id: z.uuid(),
	/** Wall-clock time at which it was saved, ISO 8601. */
	savedAt: z.iso.datetime(),
	/** URI that it was saved at; it may have been moved or deleted since. */
	target: z.string(),
	prompt: z.string(),
	...{ operation, size, quality, style, withoutStyle, regeneratedFrom, workspaceFolder },
	...{ background, origin, altText, publish, darkOf, smallerReferences },
	/** URI of the file that was exported of it, which documents show. */
	published: z.string().optional(),
	/** SHA-256 of that file as it was exported, hexadecimal. */
	publishedHash: z.string().optional(),
	/** Missing where the recipe that the image was found by has none. */
	round: round.optional(),
	/**
	 * URIs of its reference images, without those of the style; of an edit the first is what was
	 * edited.
	 */
	references: z.array(z.string()),
	/** SHA-256 of the bytes of each of them, hexadecimal. */
	referenceHashes: z.array(z.string()),
	/**
	 * Places on the edited image that were to change. Shapes of a newer Easel are no reason to lose the
	 * image.
	 */
	marks: z.optional(marksSchema).catch(undefined),
	/**
	 * Set for an image that was made of the service's answer, which is the first of `references`, and of
	 * what was edited, the second.
	 */
	keptRest: z.optional(keptRestSchema).catch(undefined),
	/** In pixels. */
	width: z.number().int(),
	height: z.number().int(),
	bytes: z.number().int(),
	/** SHA-256 of the bytes, hexadecimal. Missing for what was found by its own recipe. */
	sha256: z.string().optional(),
});

export type GalleryImage = z.infer<typeof galleryImageSchema>;

/** An image that was removed: there is nothing to show. */
const removedSchema = extensibleObject({ id: z.uuid(), none: z.literal('removed') });
const lineSchema = z.union([removedSchema, galleryImageSchema]);
type Line = z.infer<typeof lineSchema>;

/**
 * All images that were saved, newest first. It is a file with one line for each, to which all windows
 * add. Methods throw the system's error.
 */
export class Gallery {
	readonly #file: JsonLines<Line>;
	#newest:
		| { readonly lines: ReadonlyMap<string, Line>; readonly images: readonly GalleryImage[] }
		| undefined;

	/** @param folder that of our storage */
	constructor(folder: string) {
		this.#file = new JsonLines({
			file: path.join(folder, galleryFile),
			schema: lineSchema,
			keyOf: ({ id }) => id,
		});
	}

	/** All images, whether their files still exist or not. */
	async list(): Promise<readonly GalleryImage[]> {
		const lines = await this.#file.lines();
		if (this.#newest?.lines !== lines) {
			this.#newest = { lines, images: newestFirst(lines) };
		}
		return this.#newest.images;
	}

	/** Adds the image of a job that has ended as `saved`; other jobs are left out. */
	async add(entry: JobEntry): Promise<void> {
		await this.#file.append(savedImagesOf([entry]));
	}

	/** As {@link add}, but leaves those as they are that were added before, or removed since. */
	async addMissing(entries: readonly JobEntry[]): Promise<void> {
		await this.#file.change((known) => savedImagesOf(entries).filter(({ id }) => !known.has(id)));
	}

	/** Leaves an image out from now on; its file is not touched. {@link restore} takes that back. */
	async remove({ id }: GalleryImage): Promise<void> {
		await this.#file.append([{ id, none: 'removed' }]);
	}

	/** Notes the file that was exported of an image. */
	async notePublished(id: string, published: string, publishedHash: string): Promise<void> {
		const image = (await this.list()).find((one) => one.id === id);
		await (image && this.#file.append([{ ...image, published, publishedHash }]));
	}

	/** Adds an image that was made of others without the service. */
	async addMade(image: GalleryImage): Promise<void> {
		await this.#file.append([image]);
	}

	/** Takes {@link remove} back. */
	async restore(image: GalleryImage): Promise<void> {
		await this.#file.append([image]);
	}
}

/** In the folder of our storage. All windows write it. */
export const galleryFile = 'gallery.jsonl';

/** Returns the images of those jobs that have ended as `saved`. */
export function savedImagesOf(entries: readonly JobEntry[]): GalleryImage[] {
	return entries.flatMap(({ request, state }) => {
		if (state.state !== 'saved') {
			return [];
		}
		const { id, prompt, operation, size, quality, style, withoutStyle, round } = request;
		const { background, regeneratedFrom, workspaceFolder, origin, altText, publish } = request;
		const { darkOf, marks, smallerReferences } = request;
		const { width, height, bytes, sha256 } = state.result;
		const own = ownReferences(request);
		return {
			...{ id, savedAt: state.changedAt, target: state.target, operation, prompt, size, quality },
			references: own.map(({ source }) => source),
			referenceHashes: own.map((reference) => reference.sha256),
			...{ style, withoutStyle, round, regeneratedFrom, workspaceFolder, origin, altText, publish },
			...{ darkOf, marks, smallerReferences, background, width, height, bytes, sha256 },
		};
	});
}

function newestFirst(lines: ReadonlyMap<string, Line>): GalleryImage[] {
	return [...lines.values()]
		.filter((line) => 'target' in line)
		.sort((a, b) => (a.savedAt < b.savedAt ? 1 : a.savedAt > b.savedAt ? -1 : 0));
}

/** Returns the references that were sent for an image; the answer that it was made of is none. */
export function askedReferences({
	references,
	keptRest,
}: Pick<GalleryImage, 'references' | 'keptRest'>): readonly string[] {
	return keptRest === undefined ? references : references.slice(1);
}

/** First image of a chain of edits: it shows that still, in another way. */
export interface Origin {
	/** The images from which each of its edits was made, as URIs, the nearest first. */
	readonly files: readonly string[];
	/** The prompt of the first of them, where it was made of one here. */
	readonly prompt: string | undefined;
}

/**
 * Follows an edit back by way of what it was made from.
 *
 * @param images those that are known, newest first
 * @returns `undefined` for what is no edit
 */
export function originOf(
	{ operation, references }: Pick<GalleryImage, 'operation' | 'references'>,
	images: readonly GalleryImage[],
): Origin | undefined {
	const [original] = references;
	if (operation !== 'edit' || original === undefined) {
		return undefined;
	}
	const files: string[] = [];
	let file: string | undefined = original;
	while (file !== undefined && !files.includes(file)) {
		const from: string = file;
		const made: GalleryImage | undefined = images.find(({ target }) => target === from);
		files.push(from);
		if (made?.operation === 'generate') {
			return { files, prompt: made.prompt };
		}
		file = made?.references[0];
	}
	return { files, prompt: undefined };
}
