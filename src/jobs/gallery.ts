import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { patiently } from '../files/patiently.js';
import { isNotThere } from '../files/refusal.js';
import { sizeSchema, qualitySchema } from '../service/contract.js';
import type { Journal } from './journal.js';
import { readEntry, type JobEntry } from './jobFolder.js';
import { JsonLines } from './jsonLines.js';
import { generationRequestSchema, ownReferences } from './request.js';
import { isOver } from './state.js';

/** What is worth knowing of an image that was saved, in one line of the gallery. */
const galleryImageSchema = z.object({
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
	/** The image that this one is another try of, as a URI. */
	anotherTryOf: z.string().optional(),
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

/** A line that says that there is nothing to show: another end, or an image that was removed. */
const noImageSchema = z.object({ id: z.uuid(), none: z.enum(['end', 'removed']) });
const lineSchema = z.union([noImageSchema, galleryImageSchema]);
type Line = z.infer<typeof lineSchema>;

/**
 * All images that were saved, newest first. It is a file with one line for each, so that thousands
 * are known without opening the journal's thousands of files; the journal forgets its jobs after a
 * time, the gallery keeps at least the last 10,000 images. What another window has added since, or
 * an earlier version did not write, is taken from the journal. Methods throw the system's error.
 */
export class Gallery {
	readonly #file: JsonLines<Line>;
	#newest: { readonly version: number; readonly images: readonly GalleryImage[] } | undefined;

	constructor(
		folder: string,
		private readonly journal: Journal,
	) {
		this.#file = new JsonLines({
			file: path.join(folder, galleryFile),
			schema: lineSchema,
			keyOf: ({ id }) => id,
			most: mostKept + 1000,
			forget: (lines) => this.#forget(lines),
		});
	}

	/** All images, whether their files still exist or not. */
	async list(): Promise<readonly GalleryImage[]> {
		const lines = await this.#file.lines();
		const missed: Line[] = [];
		for (const id of await jobsOf(this.journal)) {
			const line = lines.has(id) ? undefined : await lineOf(this.journal.folder(id));
			if (line !== undefined && !lines.has(id)) {
				// At once: another call is not to append it as well.
				lines.set(id, line);
				missed.push(line);
			}
		}
		if (missed.length > 0) {
			await this.#file.append(missed);
		}
		const { version } = this.#file;
		if (this.#newest?.version !== version) {
			this.#newest = { version, images: newestFirst(await this.#file.lines()) };
		}
		return this.#newest.images;
	}

	/** Adds the image of a job that has ended as `saved`; other jobs are left out. */
	async add(entry: JobEntry): Promise<void> {
		const image = imageOf(entry);
		if (image !== undefined) {
			await this.#file.append([image]);
		}
	}

	/** Leaves an image out from now on; its file is not touched. {@link restore} takes that back. */
	async remove({ id }: GalleryImage): Promise<void> {
		await this.#file.append([{ id, none: 'removed' }]);
	}

	/** Takes {@link remove} back. */
	async restore(image: GalleryImage): Promise<void> {
		await this.#file.append([image]);
	}

	/** Forgets the oldest images where there are too many. */
	async #forget(lines: Map<string, Line>): Promise<void> {
		const jobs = new Set(await jobsOf(this.journal));
		const kept = new Set(newestFirst(lines).slice(0, mostKept));
		for (const [id, line] of lines) {
			// The line of a job that the journal still has would be added again from there.
			if (!jobs.has(id) && !('target' in line && kept.has(line))) {
				lines.delete(id);
			}
		}
	}
}

/** In the folder of our storage. All windows write it. */
export const galleryFile = 'gallery.jsonl';

const mostKept = 10_000;

async function jobsOf(journal: Journal): Promise<string[]> {
	try {
		const names = await patiently(() => readdir(journal.root));
		return names.filter((name) => jobName.test(name));
	} catch (error) {
		// There is none before the first image.
		if (isNotThere(error)) {
			return [];
		}
		throw error;
	}
}

const jobName = /^[\da-f-]{36}$/;

/** `undefined` while the job goes on, or where it cannot be read. */
async function lineOf(folder: string): Promise<Line | undefined> {
	try {
		const entry = await readEntry(folder);
		return isOver(entry.state)
			? (imageOf(entry) ?? { id: entry.request.id, none: 'end' })
			: undefined;
	} catch {
		// It is just being made, or damaged, which `Journal.list` reports.
		return undefined;
	}
}

function imageOf({ request, state }: JobEntry): GalleryImage | undefined {
	return state.state !== 'saved'
		? undefined
		: {
				id: request.id,
				savedAt: state.changedAt,
				target: state.target,
				operation: request.operation,
				prompt: request.prompt,
				size: request.size,
				...(request.quality === undefined ? {} : { quality: request.quality }),
				references: ownReferences(request).map(({ source }) => source),
				...(ownReferences(request).length === 0
					? {}
					: { referenceHashes: ownReferences(request).map(({ sha256 }) => sha256) }),
				...(request.style === undefined ? {} : { style: request.style }),
				...(request.withoutStyle === undefined ? {} : { withoutStyle: request.withoutStyle }),
				...(request.round === undefined ? {} : { round: request.round }),
				...(request.anotherTryOf === undefined ? {} : { anotherTryOf: request.anotherTryOf }),
				...(request.workspaceFolder === undefined
					? {}
					: { workspaceFolder: request.workspaceFolder }),
				width: state.result.width,
				height: state.result.height,
				bytes: state.result.bytes,
				sha256: state.result.sha256,
			};
}

function newestFirst(lines: ReadonlyMap<string, Line>): GalleryImage[] {
	return [...lines.values()]
		.filter((line) => 'target' in line)
		.sort((a, b) => (a.savedAt < b.savedAt ? 1 : a.savedAt > b.savedAt ? -1 : 0));
}
