import type { BigIntStats } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type * as z from 'zod';
import { serializeVersioned, parseVersioned } from '../files/fileFormat.js';
import { isNotFound } from '../files/fsErrors.js';
import { retryTransient } from '../files/retryTransient.js';
import { statIfExists } from '../files/exists.js';
import { flushNames, ignoreUnsupported, privateFile, privateFolder } from '../files/writeWhole.js';
import { Serial } from '../files/serial.js';

interface Options<Line> {
	/** Absolute path. It is made with the first line. */
	readonly file: string;
	readonly schema: z.ZodType<Line>;
	/** Identifies the thing that a line is about: the last line about it counts. */
	readonly keyOf: (line: Line) => string;
	/**
	 * Lines are removed when they are so many months old, or up to a month later. Each calendar month then
	 * has a file of its own, `lines-2026-11.jsonl`, in local time.
	 */
	readonly maxAgeMonths?: number;
	/** The wall clock, in milliseconds. */
	readonly now?: () => number;
}

/**
 * Files with a JSON object in each line, to which all windows append: thousands of things are known by
 * one read. A line is never moved: no file is written anew, and only whole files are removed, to which no
 * window appends any more. So no window can lose what another one has flushed, and needs no lock. Lines
 * of a newer Easel, damaged ones, and unknown fields stay as they are. Methods throw the system's error.
 */
export class JsonLines<Line extends object> {
	#lines = new Map<string, Line>();
	/** The known part of each file, oldest file first. */
	#known: ReadonlyMap<string, Known> = new Map();
	#unreadable: { readonly before: Line | undefined } | undefined;
	#reading: Promise<void> | undefined;
	/** One change after the other. */
	readonly #turns = new Serial();

	constructor(private readonly options: Options<Line>) {}

	/** The last line about each thing, with what other windows have appended; another map then. */
	async lines(): Promise<ReadonlyMap<string, Line>> {
		// Calls that come meanwhile share the read.
		this.#reading ??= this.#read().finally(() => {
			this.#reading = undefined;
		});
		await this.#reading;
		return this.#lines;
	}

	/**
	 * The last line that was read and not understood, because it is damaged or of a newer Easel, by the
	 * line behind it; that is `undefined` where there is none yet.
	 */
	get unreadable(): { readonly before: Line | undefined } | undefined {
		return this.#unreadable;
	}

	append(lines: readonly Line[]): Promise<void> {
		return this.change(() => lines);
	}

	/**
	 * Appends what is made of the last line about each thing, after what was to be appended before.
	 * Resolves when it is flushed.
	 */
	change(make: (known: ReadonlyMap<string, Line>) => readonly Line[]): Promise<void> {
		return this.#turns.run(async () => {
			const lines = make(await this.lines());
			// The line break comes first: it also ends a line that was cut off.
			const text = lines.map((line) => `\n${serializeVersioned(line)}`).join('');
			if (text !== '') {
				await retryTransient(() => this.#append(text));
			}
		});
	}

	/** Appends a text, and once more where the file was replaced or deleted meanwhile. */
	async #append(text: string): Promise<void> {
		const file = this.#current;
		await mkdir(path.dirname(file), { recursive: true, mode: privateFolder });
		if ((await appendFlushed(file, text)) !== (await statIfExists(file))?.ino) {
			await appendFlushed(file, text);
		}
		await flushNames(path.dirname(file));
	}

	/**
	 * The file that gets new lines. Never one before another that was begun, by a window in another time
	 * zone or before a clock was set back: its lines would stand before some that windows have gone by.
	 */
	get #current(): string {
		const { file, maxAgeMonths, now = Date.now } = this.options;
		const newest = [...this.#known.keys()].at(-1) ?? '';
		const ofMonth = maxAgeMonths === undefined ? file : fileOfMonth(file, new Date(now()));
		return newest > ofMonth ? newest : ofMonth;
	}

	/** Returns the files, oldest first, and removes those that are too old. */
	async #list(): Promise<readonly string[]> {
		const { file, maxAgeMonths, now = Date.now } = this.options;
		if (maxAgeMonths === undefined) {
			return [file];
		}
		const { dir, name, ext } = path.parse(file);
		const names = await readdir(dir).catch((error: unknown) => {
			if (isNotFound(error)) {
				return [];
			}
			throw error;
		});
		const files = names
			.filter((each) => each.startsWith(`${name}-`) && monthOfFile.test(each) && each.endsWith(ext))
			.map((each) => path.join(dir, each))
			.sort();
		const time = new Date(now());
		const first = new Date(time.getFullYear(), time.getMonth() - maxAgeMonths, 1);
		const oldest = fileOfMonth(file, first);
		// Where one cannot be removed, it only costs space.
		await Promise.allSettled(files.filter((each) => each < oldest).map((each) => rm(each)));
		return files.filter((each) => each >= oldest);
	}

	/** Reads what is not known yet. */
	async #read(): Promise<void> {
		const files = await this.#list();
		const found = new Map<string, BigIntStats | undefined>();
		for (const file of files) {
			found.set(file, await statIfExists(file));
		}
		const isSame = [...this.#known].every(([file, { inode, size }]) => {
			const now = found.get(file);
			// What comes into an older file stands before lines that were read already.
			return now?.ino === inode && (file === files.at(-1) ? now.size >= size : now.size === size);
		});
		const lines = new Map(isSame ? this.#lines : []);
		const known = new Map(isSame ? this.#known : []);
		let isNews = !isSame;
		if (!isSame) {
			this.#unreadable = undefined;
		}
		for (const [file, stats] of found) {
			const { size, end } = known.get(file) ?? { size: 0n, end: 0 };
			if (stats !== undefined && stats.size !== size) {
				const part = await retryTransient(() => readFrom(file, end));
				const taken = await this.#take(part, lines);
				const read = { inode: stats.ino, size: BigInt(end + part.length), end: end + taken };
				known.set(file, read);
				isNews = true;
			}
		}
		this.#known = known;
		if (isNews) {
			this.#lines = lines;
		}
	}

	/** Takes the whole lines of a part of a file. Returns how many bytes they have. */
	async #take(part: Buffer, lines: Map<string, Line>): Promise<number> {
		let start = 0;
		let since = performance.now();
		while (start <= part.length) {
			const lineBreak = part.indexOf('\n', start);
			const end = lineBreak === -1 ? part.length : lineBreak;
			const line = this.#parse(part.toString('utf8', start, end));
			if (line !== undefined) {
				lines.set(this.options.keyOf(line), line);
				this.#unreadable = this.#unreadable && { before: this.#unreadable.before ?? line };
			} else if (lineBreak === -1) {
				// The rest of it may be on its way.
				break;
			} else if (end > start) {
				this.#unreadable = { before: undefined };
			}
			start = end + 1;
			// Other work shares the thread.
			if (performance.now() - since > maxBlockMs) {
				await setImmediate();
				since = performance.now();
			}
		}
		return Math.min(start, part.length);
	}

	/** Returns `undefined` for what was cut off or damaged, and for a line of another version. */
	#parse(text: string): Line | undefined {
		try {
			return this.options.schema.safeParse(parseVersioned(text)).data;
		} catch {
			return undefined;
		}
	}
}

interface Known {
	readonly inode: bigint;
	/** As it was read, and until where its lines were whole then; in bytes. */
	readonly size: bigint;
	readonly end: number;
}

/** Returns the file of a month in local time, where each has one of its own: `lines-2026-11.jsonl`. */
export function fileOfMonth(file: string, time: Date): string {
	const month = `${String(time.getFullYear())}-${String(time.getMonth() + 1).padStart(2, '0')}`;
	const { dir, name, ext } = path.parse(file);
	return path.join(dir, `${name}-${month}${ext}`);
}

/** A month behind the name, and the extension. */
const monthOfFile = /-\d{4}-\d{2}\.[a-z]+$/;

const maxBlockMs = 8;

/** Appends and flushes a text. Returns the inode of the file that it lies in. */
async function appendFlushed(file: string, text: string): Promise<bigint> {
	const handle = await open(file, 'a', privateFile);
	try {
		// One write, so that the lines of two windows do not mix.
		await handle.writeFile(text);
		await handle.sync().catch(ignoreUnsupported);
		return (await handle.stat({ bigint: true })).ino;
	} finally {
		await handle.close();
	}
}

/** Reads a file from an offset, in bytes, to its end. */
async function readFrom(file: string, start: number): Promise<Buffer> {
	return buffer((await open(file, 'r')).createReadStream({ start }));
}
