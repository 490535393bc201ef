import path from 'node:path';
import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import { sizeSchema, qualitySchema } from '../service/contract.js';
import type { JobEntry } from './jobFolder.js';
import { JsonLines } from './jsonLines.js';
import { generationRequestSchema, ownReferences } from './request.js';

/** What is worth knowing of an image that was saved, in one line of the gallery. */
const galleryImageSchema = extensibleObject({
	/** That of the job. */
	id: z.uuid(),
	/** Wall-clock time at which it was saved, ISO 8601. */
	savedAt: z.iso.datetime(),
	/** Where it was saved, as a URI; it may have been moved or deleted since. */
	target: z.string(),
	operation: generationRequestSchema.shape.operation,
	prompt: z.string(),
	size: sizeSchema,
	quality: qualitySchema.optional(),
	/**
	 * Where its reference images came from, as URIs, without those of the style; of an edit the first is
	 * what was edited.
	 */
	references: z.array(z.string()),
	/** SHA-256 of the bytes of each of them, hexadecimal. Earlier versions did not note them. */
	referenceHashes: z.array(z.string()).optional(),
	/** The style guide that was applied, and whether the person has left it out. */
	style: generationRequestSchema.shape.style,
	withoutStyle: generationRequestSchema.shape.withoutStyle,
	/** Where it stands among what was asked for with it. Earlier versions did not note it. */
	round: generationRequestSchema.shape.round,
	/** The image that this one was regenerated from, as a URI. */
	regeneratedFrom: z.string().optional(),
	/** The workspace folder that it was made in, as a URI. */
	workspaceFolder: z.string().optional(),
	/** In pixels. */
	width: z.number().int(),
	height: z.number().int(),
	bytes: z.number().int(),
	/** SHA-256 of the bytes, hexadecimal. Missing for what was found by its own recipe. */
	sha256: z.string().optional(),
});

export type GalleryImage = z.infer<typeof galleryImageSchema>;

/** A line that says that there is nothing to show: an image that was removed. Others had an `end`. */
const noImageSchema = extensibleObject({ id: z.uuid(), none: z.enum(['end', 'removed']) });
const lineSchema = z.union([noImageSchema, galleryImageSchema]);
type Line = z.infer<typeof lineSchema>;

/**
 * All images that were saved, newest first, at least the last 10,000. It is a file with one line for
 * each, to which all windows add. Methods throw the system's error.
 */
export class Gallery {
	readonly #file: JsonLines<Line>;
	#newest: { readonly version: number; readonly images: readonly GalleryImage[] } | undefined;

	/** @param folder that of our storage */
	constructor(folder: string) {
		this.#file = new JsonLines({
			file: path.join(folder, galleryFile),
			schema: lineSchema,
			keyOf: ({ id }) => id,
			maxLines: maxImages + 1000,
			forget,
		});
	}

	/** All images, whether their files still exist or not. */
	async list(): Promise<readonly GalleryImage[]> {
		const lines = await this.#file.lines();
		const { version } = this.#file;
		if (this.#newest?.version !== version) {
			this.#newest = { version, images: newestFirst(lines) };
		}
		return this.#newest.images;
	}

	/** Adds the image of a job that has ended as `saved`; other jobs are left out. */
	async add(entry: JobEntry): Promise<void> {
		await this.#file.append(imagesOf([entry]));
	}

	/** As {@link add}, but leaves those as they are that were added before, or removed since. */
	async addMissing(entries: readonly JobEntry[]): Promise<void> {
		await this.#file.change((known) =>
			imagesOf(entries).filter(({ id }) => {
				const line = known.get(id);
				// An earlier version has noted an end before the image arrived after all.
				return line === undefined || ('none' in line && line.none === 'end');
			}),
		);
	}

	/** Leaves an image out from now on; its file is not touched. {@link restore} takes that back. */
	async remove({ id }: GalleryImage): Promise<void> {
		await this.#file.append([{ id, none: 'removed' }]);
	}

	/** Takes {@link remove} back. */
	async restore(image: GalleryImage): Promise<void> {
		await this.#file.append([image]);
	}
}

/** In the folder of our storage. All windows write it. */
export const galleryFile = 'gallery.jsonl';

const maxImages = 10_000;

/** Forgets the oldest images, and those that were removed, but the last ones of each. */
function forget(lines: Map<string, Line>): void {
	const removed = [...lines.values()].filter((line) => 'none' in line && line.none === 'removed');
	const kept = new Set<Line>([...newestFirst(lines).slice(0, maxImages), ...removed.slice(-500)]);
	for (const [id, line] of lines) {
		if (!kept.has(line)) {
			lines.delete(id);
		}
	}
}

function imagesOf(entries: readonly JobEntry[]): GalleryImage[] {
	return entries.flatMap((entry) => imageOf(entry) ?? []);
}

/** What is missing has no field: JSON leaves it out. */
function imageOf({ request, state }: JobEntry): GalleryImage | undefined {
	if (state.state !== 'saved') {
		return undefined;
	}
	const { id, operation, prompt, size, quality, style, withoutStyle } = request;
	const { width, height, bytes, sha256 } = state.result;
	const references = ownReferences(request);
	return {
		id,
		savedAt: state.changedAt,
		target: state.target,
		...{ operation, prompt, size, quality },
		references: references.map(({ source }) => source),
		referenceHashes:
			references.length === 0 ? undefined : references.map((reference) => reference.sha256),
		...{ style, withoutStyle, round: request.round, regeneratedFrom: request.regeneratedFrom },
		workspaceFolder: request.workspaceFolder,
		...{ width, height, bytes, sha256 },
	};
}

function newestFirst(lines: ReadonlyMap<string, Line>): GalleryImage[] {
	return [...lines.values()]
		.filter((line) => 'target' in line)
		.sort((a, b) => (a.savedAt < b.savedAt ? 1 : a.savedAt > b.savedAt ? -1 : 0));
}
