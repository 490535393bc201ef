import { appendFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { patiently } from '../files/patiently.js';
import { isNotThere } from '../files/refusal.js';
import { privateFile, privateFolder, readWhole, writeFlushed } from '../files/writeWhole.js';
import { sizeSchema, qualitySchema } from '../service/contract.js';
import type { Journal } from './journal.js';
import { readEntry, type JobEntry } from './jobFolder.js';
import { generationRequestSchema } from './request.js';
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
	/** Where its reference images came from, as URIs. */
	references: z.array(z.string()),
	/** The image that this one is another try of, as a URI. */
	anotherTryOf: z.string().optional(),
	/** The workspace folder that it was made in, as a URI. */
	workspaceFolder: z.string().optional(),
	/** In pixels. */
	width: z.number().int(),
	height: z.number().int(),
	bytes: z.number().int(),
	/** SHA-256 of the bytes, hexadecimal. */
	sha256: z.string(),
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
	readonly #file: string;
	#lines: Promise<Map<string, Line>> | undefined;
	#newest: readonly GalleryImage[] | undefined;

	constructor(
		folder: string,
		private readonly journal: Journal,
	) {
		this.#file = path.join(folder, 'gallery.jsonl');
	}

	/** All images, whether their files still exist or not. */
	async list(): Promise<readonly GalleryImage[]> {
		const lines = await this.#known();
		const missed: Line[] = [];
		for (const id of await jobsOf(this.journal)) {
			const line = lines.has(id) ? undefined : await lineOf(this.journal.folder(id));
			if (line !== undefined && !lines.has(id)) {
				lines.set(id, line);
				missed.push(line);
			}
		}
		if (missed.length > 0) {
			await this.#append(missed);
		}
		this.#newest ??= newestFirst(lines);
		return this.#newest;
	}

	/** Adds the image of a job that has ended as `saved`; other jobs are left out. */
	async add(entry: JobEntry): Promise<void> {
		const image = imageOf(entry);
		if (image !== undefined) {
			await this.#set(image);
		}
	}

	/** Leaves an image out from now on; its file is not touched. {@link restore} takes that back. */
	async remove({ id }: GalleryImage): Promise<void> {
		await this.#set({ id, none: 'removed' });
	}

	/** Takes {@link remove} back. */
	async restore(image: GalleryImage): Promise<void> {
		await this.#set(image);
	}

	async #set(line: Line): Promise<void> {
		(await this.#known()).set(line.id, line);
		await this.#append([line]);
	}

	async #append(lines: readonly Line[]): Promise<void> {
		this.#newest = undefined;
		await patiently(async () => {
			await mkdir(path.dirname(this.#file), { recursive: true, mode: privateFolder });
			// One write, so that the lines of two windows do not mix.
			await appendFile(this.#file, textOf(lines), { mode: privateFile });
		});
	}

	/** The lines by job. Calls that come while the file is first read share that read. */
	async #known(): Promise<Map<string, Line>> {
		this.#lines ??= this.#read().catch((error: unknown) => {
			// The next call tries again.
			this.#lines = undefined;
			throw error;
		});
		return this.#lines;
	}

	async #read(): Promise<Map<string, Line>> {
		const lines = new Map<string, Line>();
		let count = 0;
		let since = performance.now();
		const content = await readText(this.#file);
		for (const text of content.split('\n')) {
			const line = parse(text);
			if (line !== undefined) {
				// The last word on an image counts.
				lines.set(line.id, line);
			}
			count += 1;
			// This is not urgent, and other work shares the thread.
			if (performance.now() - since > longestBlockMs) {
				await setImmediate();
				since = performance.now();
			}
		}
		if (count > 2 * lines.size + 100 || lines.size > mostKept + 1000) {
			// Where this fails, it only costs space.
			await this.#compact(lines, Buffer.byteLength(content)).catch(() => undefined);
		}
		return lines;
	}

	/** Drops replaced lines, and the oldest images where there are too many. */
	async #compact(lines: Map<string, Line>, bytes: number): Promise<void> {
		const jobs = new Set(await jobsOf(this.journal));
		const kept = new Set(newestFirst(lines).slice(0, mostKept));
		for (const [id, line] of lines) {
			// The line of a job that the journal still has would be added again from there.
			if (!jobs.has(id) && !('target' in line && kept.has(line))) {
				lines.delete(id);
			}
		}
		const part = `${this.#file}.${crypto.randomUUID()}.part`;
		try {
			await writeFlushed(part, textOf([...lines.values()]));
			// Another window may have added a line meanwhile; then it is compacted another time.
			if ((await stat(this.#file)).size === bytes) {
				await rename(part, this.#file);
			}
		} finally {
			await rm(part, { force: true });
		}
	}
}

const mostKept = 10_000;
const longestBlockMs = 8;

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

async function readText(file: string): Promise<string> {
	try {
		return await readWhole(file);
	} catch (error) {
		if (isNotThere(error)) {
			return '';
		}
		throw error;
	}
}

/** The line break comes first: it also ends a line that was cut off. */
function textOf(lines: readonly Line[]): string {
	return lines.map((line) => `\n${JSON.stringify(line)}`).join('');
}

/** `undefined` for what was cut off or damaged: the journal may still have it. */
function parse(text: string): Line | undefined {
	try {
		return lineSchema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

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
				references: request.references.map(({ source }) => source),
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
