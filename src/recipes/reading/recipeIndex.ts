import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { readBoundedSync, UnfitFileError } from '../../files/boundedRead.js';
import { privateFile, privateFolder, writeWhole } from '../../files/writeWhole.js';
import { recipeSchema } from '../recipe.js';
import type { FoundRecipe } from './orders.js';

/** Another one for another way to read: what an earlier version has noted is read anew. */
const version = 2;

const lineSchema = z.object({
	v: z.literal(version),
	/** Path of the image, absolute. */
	file: z.string(),
	/** Mark of the files as they were read. */
	mark: z.string(),
	/** Missing for an image without a recipe. */
	found: z.optional(
		z.object({
			width: z.int(),
			height: z.int(),
			bytes: z.int(),
			recipe: z.pick(recipeSchema, {
				id: true,
				createdAt: true,
				operation: true,
				prompt: true,
				size: true,
				quality: true,
				background: true,
				parents: true,
				references: true,
				marks: true,
				keptRest: true,
				style: true,
				round: true,
			}),
		}),
	),
	/** SHA-256 of the image, hexadecimal, where a caller has asked for it. */
	sha256: z.optional(z.string().check(z.regex(/^[\da-f]{64}$/))),
});

type Line = z.infer<typeof lineSchema>;

/** Content of an image when it was read. */
export type Noted = Omit<FoundRecipe, 'file'> | undefined;

/** In bytes; a longer index is left aside and begun anew. */
const maxIndexBytes = 32 * 1024 * 1024;
/** In bytes. A recipe that takes more is read each time. */
const maxLineBytes = 20_000;

/**
 * Remembers what images have said, so that thousands of them need not be opened again: a file with
 * a line for each. It is a hint: what of it is lost, cut off or damaged is read from the images.
 * Failures to write are left aside. It belongs into a worker, because it does not pause.
 */
export class RecipeIndex {
	readonly #lines = new Map<string, Line>();
	readonly #asked = new Set<string>();
	readonly #fresh: string[] = [];
	/** Size of the file, in bytes. */
	#size = 0;
	/** True if the next text takes the place of all that is in the file. */
	#isBegunAnew = false;

	/** @param file absolute; it is made with the first line */
	constructor(private readonly file: string) {
		const bytes = bytesOf(file);
		this.#isBegunAnew = bytes === 'tooLarge';
		if (typeof bytes === 'object') {
			this.#size = bytes.length;
			for (const text of bytes.toString('utf8').split('\n')) {
				const line = parse(text);
				if (line !== undefined) {
					this.#lines.set(line.file, line);
				}
			}
		}
	}

	/** Returns the entry of an image that has this mark now; `none` where that is not known. */
	noted(image: string, mark: string): { readonly found: Noted } | 'none' {
		this.#asked.add(image);
		const line = this.#lines.get(image);
		return line?.mark === mark ? { found: line.found } : 'none';
	}

	/** The hash that is noted of an image that has this mark now. */
	hashOf(image: string, mark: string): string | undefined {
		const line = this.#lines.get(image);
		return line?.mark === mark ? line.sha256 : undefined;
	}

	/** Notes the hash of an image, beside what is noted of it. {@link flush} writes it. */
	noteHash(image: string, mark: string, sha256: string): void {
		const line = this.#lines.get(image);
		if (line?.mark === mark) {
			this.#add({ ...line, sha256 });
		}
	}

	/** Notes what an image says. {@link flush} writes it. */
	note(image: string, mark: string, found: Noted): void {
		this.#add({ v: version, file: image, mark, ...(found && { found }) });
	}

	#add(line: Line): void {
		const text = JSON.stringify(line);
		if (text.length <= maxLineBytes) {
			this.#lines.set(line.file, line);
			this.#fresh.push(text);
		}
	}

	/** Writes what was noted, behind all that is there. */
	flush(): void {
		// The line break comes first: it also ends a line that was cut off.
		const text = this.#fresh
			.splice(0)
			.map((line) => `\n${line}`)
			.join('');
		const length = Buffer.byteLength(text);
		if (text === '' || this.#size + length > maxIndexBytes) {
			return;
		}
		this.#size += length;
		try {
			mkdirSync(path.dirname(this.file), { recursive: true, mode: privateFolder });
			const flag = this.#isBegunAnew ? 'w' : 'a';
			appendFileSync(this.file, text, { mode: privateFile, flag });
			this.#isBegunAnew = false;
		} catch {
			// Next time the images are read again.
		}
	}

	/** Writes the file anew where most of it is of no use: of images that have gone or changed. */
	async tidy(): Promise<void> {
		const kept = [...this.#lines.values()].filter(({ file }) => this.#asked.has(file));
		const text = kept.map((line) => `\n${JSON.stringify(line)}`).join('');
		const length = Buffer.byteLength(text);
		if (this.#size > 2 * length + spareBytes && length <= maxIndexBytes) {
			try {
				await writeWhole(this.file, text);
				this.#size = length;
			} catch {
				// It only costs space.
			}
		}
	}
}

/** Size of useless lines in an index before it is rewritten, in bytes. */
const spareBytes = 64 * 1024;

function bytesOf(file: string): Buffer | 'tooLarge' | undefined {
	try {
		return readBoundedSync(file, { maxBytes: maxIndexBytes });
	} catch (error) {
		return error instanceof UnfitFileError && error.code === 'TooLarge' ? 'tooLarge' : undefined;
	}
}

function parse(text: string): Line | undefined {
	try {
		return lineSchema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}
