import { appendFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type * as z from 'zod';
import { patiently } from '../files/patiently.js';
import { isNotThere } from '../files/refusal.js';
import { privateFile, privateFolder, writeFlushed } from '../files/writeWhole.js';

interface Options<Line> {
	/** Absolute path. It is made with the first line. */
	readonly file: string;
	readonly schema: z.ZodType<Line>;
	/** What a line is about: the last line about it counts. */
	readonly keyOf: (line: Line) => string;
	/** Where there are lines about more things than that, the file is written anew. */
	readonly most: number;
	/** Removes what need not stay when the file is written anew. */
	readonly forget: (lines: Map<string, Line>) => Promise<void>;
}

/**
 * A file with a JSON object in each line, to which all windows append: thousands of things are known
 * by one read. Where most of it was overtaken by later lines, it is written anew. What was cut off or
 * damaged is left out. Methods throw the system's error.
 */
export class JsonLines<Line> {
	#lines = new Map<string, Line>();
	#version = 0;
	#reading: Promise<void> | undefined;
	/** Resolves when all that was to be appended so far is, or has failed. */
	#appended: Promise<void> = Promise.resolve();
	/** So much of the file is known, in bytes, */
	#end = 0;
	/** as long as it is this one. */
	#inode = 0;

	constructor(private readonly options: Options<Line>) {}

	/** Another number whenever something has come since {@link lines} was called last. */
	get version(): number {
		return this.#version;
	}

	/** The last line about each thing, with what other windows have appended. */
	async lines(): Promise<Map<string, Line>> {
		// Calls that come meanwhile share the read.
		this.#reading ??= this.#read().finally(() => {
			this.#reading = undefined;
		});
		await this.#reading;
		return this.#lines;
	}

	append(lines: readonly Line[]): Promise<void> {
		return this.change(() => lines);
	}

	/** Appends what is made of the last line about each thing, after what was to be appended before. */
	change(make: (known: ReadonlyMap<string, Line>) => readonly Line[]): Promise<void> {
		const appended = this.#appended.then(() => this.#append(make));
		this.#appended = appended.catch(() => undefined);
		return appended;
	}

	async #append(make: (known: ReadonlyMap<string, Line>) => readonly Line[]): Promise<void> {
		const { file, keyOf } = this.options;
		const known = await this.lines();
		const lines = make(known);
		for (const line of lines) {
			known.set(keyOf(line), line);
		}
		this.#version += 1;
		await patiently(async () => {
			await mkdir(path.dirname(file), { recursive: true, mode: privateFolder });
			// One write, so that the lines of two windows do not mix.
			await appendFile(file, textOf(lines), { mode: privateFile });
		});
	}

	/** Reads what is not known yet. */
	async #read(): Promise<void> {
		const found = await patiently(() => statOf(this.options.file));
		const { ino, size } = found ?? { ino: 0, size: 0 };
		const isOther = ino !== this.#inode || size < this.#end;
		if (isOther) {
			// What was put here before anything was read is on its way into the file.
			if (this.#end > 0) {
				this.#lines = new Map();
			}
			this.#version += 1;
			this.#end = 0;
			this.#inode = ino;
		}
		if (size > this.#end) {
			const count = await this.#take(await patiently(() => readFrom(this.options.file, this.#end)));
			if (isOther) {
				await this.#tidy(count);
			}
		}
	}

	/** Takes the lines of a part of the file. Returns how many there were. */
	async #take(part: Buffer): Promise<number> {
		const texts = part.toString('utf8').split('\n');
		let since = performance.now();
		for (const [index, text] of texts.entries()) {
			const line = this.#parse(text);
			if (line !== undefined) {
				this.#lines.set(this.options.keyOf(line), line);
			} else if (index === texts.length - 1) {
				// The rest of it may be on its way.
				this.#end -= Buffer.byteLength(text);
			}
			// This is not urgent, and other work shares the thread.
			if (performance.now() - since > longestBlockMs) {
				await setImmediate();
				since = performance.now();
			}
		}
		this.#end += part.length;
		this.#version += 1;
		return texts.length;
	}

	/** `undefined` for what was cut off or damaged. */
	#parse(text: string): Line | undefined {
		try {
			return this.options.schema.safeParse(JSON.parse(text)).data;
		} catch {
			return undefined;
		}
	}

	/** @param count of the lines in the file */
	async #tidy(count: number): Promise<void> {
		const { size } = this.#lines;
		if (count > 2 * size + 100 || size > this.options.most) {
			// Where this fails, it only costs space.
			await this.#rewrite().catch(() => undefined);
		}
	}

	async #rewrite(): Promise<void> {
		const { file, forget } = this.options;
		const bytes = this.#end;
		await forget(this.#lines);
		const part = `${file}.${crypto.randomUUID()}.part`;
		try {
			await writeFlushed(part, textOf([...this.#lines.values()]));
			const { ino, size } = await stat(part);
			// Another window may have added a line meanwhile; then it is written another time.
			if ((await stat(file)).size === bytes) {
				await rename(part, file);
				this.#inode = ino;
				this.#end = size;
			}
		} finally {
			await rm(part, { force: true });
		}
	}
}

const longestBlockMs = 8;

async function statOf(file: string): Promise<{ ino: number; size: number } | undefined> {
	try {
		return await stat(file);
	} catch (error) {
		// There is none before the first line.
		if (isNotThere(error)) {
			return undefined;
		}
		throw error;
	}
}

async function readFrom(file: string, start: number): Promise<Buffer> {
	const handle = await open(file, 'r');
	try {
		const { size } = await handle.stat();
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(size - start, 0)), {
			position: start,
		});
		return buffer.subarray(0, bytesRead);
	} finally {
		await handle.close();
	}
}

/** The line break comes first: it also ends a line that was cut off. */
function textOf(lines: readonly unknown[]): string {
	return lines.map((line) => `\n${JSON.stringify(line)}`).join('');
}
