import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';
import type * as z from 'zod';
import { serializeVersioned, NewerFormatError, parseVersioned } from '../files/fileFormat.js';
import { retryTransient } from '../files/retryTransient.js';
import { statIfExists } from '../files/exists.js';
import {
	flushNames,
	ignoreUnsupported,
	privateFile,
	privateFolder,
	writeFlushed,
} from '../files/writeWhole.js';

interface Options<Line> {
	/** Absolute path. It is made with the first line. */
	readonly file: string;
	readonly schema: z.ZodType<Line>;
	/** What a line is about: the last line about it counts. */
	readonly keyOf: (line: Line) => string;
	/** Where there are lines about more things than that, the file is written anew. */
	readonly maxLines: number;
	/** Removes what need not stay when the file is written anew. */
	readonly forget: (lines: Map<string, Line>) => void;
}

/**
 * A file with a JSON object in each line, to which all windows append: thousands of things are known
 * by one read. Where most of it was overtaken by later lines, it is written anew; lines of a newer
 * Easel, and unknown fields, stay as they are. What was cut off or damaged is left out. Methods throw
 * the system's error.
 */
export class JsonLines<Line extends object> {
	#lines = new Map<string, Line>();
	/** Where in the file the last line about each thing lies, and every line of another version. */
	#ranges = new Map<string | symbol, readonly [start: number, end: number]>();
	#reading: Promise<void> | undefined;
	/** One change after the other. */
	readonly #turns = new PQueue({ concurrency: 1 });
	/** So much of the file is known, in bytes, */
	#end = 0;
	/** as long as it is this one. */
	#inode = 0n;

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

	append(lines: readonly Line[]): Promise<void> {
		return this.change(() => lines);
	}

	/**
	 * Appends what is made of the last line about each thing, after what was to be appended before.
	 * Resolves when it is flushed.
	 */
	change(make: (known: ReadonlyMap<string, Line>) => readonly Line[]): Promise<void> {
		return this.#turns.add(async () => {
			const lines = make(await this.lines());
			// The line break comes first: it also ends a line that was cut off.
			const text = lines.map((line) => `\n${serializeVersioned(line)}`).join('');
			if (text !== '') {
				await retryTransient(() => this.#append(text));
			}
		});
	}

	/**
	 * A window that writes the file anew looks into the old one after its place was taken, see
	 * `#rewrite`. What is appended there later is found here to lie in a file that has no name any more.
	 */
	async #append(text: string): Promise<void> {
		const { file } = this.options;
		await mkdir(path.dirname(file), { recursive: true, mode: privateFolder });
		if ((await appendFlushed(file, text)) !== (await statIfExists(file))?.ino) {
			await appendFlushed(file, text);
		}
		await flushNames(path.dirname(file));
	}

	/** Reads what is not known yet. */
	async #read(): Promise<void> {
		const { file, maxLines } = this.options;
		const { ino, size } = (await statIfExists(file)) ?? { ino: 0n, size: 0n };
		const isOther = ino !== this.#inode || size < this.#end;
		if (isOther) {
			this.#lines = new Map();
			this.#ranges = new Map();
			this.#end = 0;
			this.#inode = ino;
		}
		if (size > this.#end) {
			const count = await this.#take(await retryTransient(() => readFrom(file, this.#end)));
			const { size: known } = this.#lines;
			if (isOther && (count - this.#ranges.size >= known + 100 || known > maxLines)) {
				// Where this fails, it only costs space.
				await this.#rewrite(count).catch(() => undefined);
			}
		}
	}

	/** Takes the lines of a part of the file. Returns how many there are. */
	async #take(part: Buffer): Promise<number> {
		const lines = new Map(this.#lines);
		let count = 0;
		let start = 0;
		let since = performance.now();
		while (start <= part.length) {
			const lineBreak = part.indexOf('\n', start);
			const end = lineBreak === -1 ? part.length : lineBreak;
			const line = this.#parse(part.toString('utf8', start, end));
			if (line === undefined && lineBreak === -1) {
				// The rest of it may be on its way.
				break;
			}
			if (line !== undefined) {
				const key = line === 'foreign' ? Symbol(line) : this.options.keyOf(line);
				// In the order of the file.
				this.#ranges.delete(key);
				this.#ranges.set(key, [this.#end + start, this.#end + end]);
				if (typeof key === 'string') {
					lines.set(key, line as Line);
				}
			}
			count += end > start ? 1 : 0;
			start = end + 1;
			// Other work shares the thread.
			if (performance.now() - since > maxBlockMs) {
				await setImmediate();
				since = performance.now();
			}
		}
		this.#end += Math.min(start, part.length);
		this.#lines = lines;
		return count;
	}

	/** `foreign` for a line of another version; `undefined` for what was cut off or damaged. */
	#parse(text: string): Line | 'foreign' | undefined {
		try {
			const content = parseVersioned(text);
			const { data } = this.options.schema.safeParse(content);
			return data ?? (typeof content === 'object' && content !== null ? 'foreign' : undefined);
		} catch (error) {
			return error instanceof NewerFormatError ? 'foreign' : undefined;
		}
	}

	/**
	 * Writes the file without what was overtaken, damaged or is forgotten; all else as it stands there.
	 * What another window appends meanwhile is taken over from the old file: until the new one has its
	 * place that is seen here, and afterwards by the window that has appended it.
	 *
	 * @param count of the lines in it
	 */
	async #rewrite(count: number): Promise<void> {
		const { file, forget } = this.options;
		const part = `${file}.${crypto.randomUUID()}.part`;
		const old = await open(file, 'r');
		try {
			if ((await old.stat({ bigint: true })).ino !== this.#inode) {
				return;
			}
			forget(this.#lines);
			const kept = [...this.#ranges].filter(
				([key]) => typeof key === 'symbol' || this.#lines.has(key),
			);
			if (kept.length === count) {
				return;
			}
			const content = await readRest(old, 0);
			const lines = kept.map(([, range]) => `\n${content.toString('utf8', ...range)}`);
			await writeFlushed(part, lines.join(''));
			await rename(part, file);
			await flushNames(path.dirname(file));
			const late = await readRest(old, this.#end);
			if (late.length > 0) {
				await this.#append(`\n${late.toString('utf8')}`);
			}
		} finally {
			await old.close();
			await rm(part, { force: true });
		}
		this.#inode = 0n;
		await this.#read();
	}
}

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

/** The same, of a file that is open, and stays so. */
async function readRest(handle: FileHandle, start: number): Promise<Buffer> {
	const { size } = await handle.stat();
	const rest = Buffer.alloc(Math.max(size - start, 0));
	const { bytesRead } = await handle.read(rest, { position: start });
	return rest.subarray(0, bytesRead);
}
