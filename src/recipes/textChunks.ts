import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';
import { frameBytes, PngError, readAt, type Chunk, type Chunks } from './chunks.js';

/** A chunk of text, by whomever. */
export interface TextChunk {
	readonly chunk: Chunk;
	/** Up to 79 letters. */
	readonly keyword: string;
	/** `undefined` where it is damaged, or longer than {@link maxTextBytes}. */
	readonly text: string | undefined;
}

/** In bytes, unpacked; of a longer text nothing is read. */
export const maxTextBytes = 1024 * 1024;
/**
 * Length of all texts of one file, in bytes, unpacked; of what comes behind, nothing but the
 * keywords are read. Texts that are packed have a bound of their own: those of others leave room
 * for ours, which are not.
 */
const maxBytes = 4 * maxTextBytes;
/** Number of texts of one file. */
const maxTexts = 500;
/** Keyword, and what says how the text is written; in bytes. */
const maxHeadBytes = 1024;

/**
 * Reads the text of a PNG: `tEXt`, `zTXt` and `iTXt` (PNG 3, part 11.3.3). A text may be packed so
 * that it is a thousand times as long, so what is unpacked is bounded as well.
 *
 * @throws {PngError} `tooMuch` where no program has written so much; the system's error
 */
export async function readTexts(handle: FileHandle, { all }: Chunks): Promise<TextChunk[]> {
	const texts: TextChunk[] = [];
	const left: Left = { plain: maxBytes, packed: maxBytes };
	for (const chunk of all) {
		if (isText.test(chunk.type)) {
			if (texts.length === maxTexts) {
				throw new PngError('tooMuch');
			}
			const { keyword, bytes } = await readText(handle, chunk, left);
			const text = bytes?.toString(chunk.type === 'iTXt' ? 'utf8' : 'latin1');
			texts.push({ chunk, keyword, text });
		}
	}
	return texts;
}

const isText = /^(?:tEXt|zTXt|iTXt)$/;

/** Size that may still be read, in bytes. */
interface Left {
	plain: number;
	packed: number;
}

interface RawText {
	readonly keyword: string;
	readonly bytes: Buffer | undefined;
}

async function readText(
	handle: FileHandle,
	{ type, start, length }: Chunk,
	left: Left,
): Promise<RawText> {
	const mayBeRead = left.packed > 0 || left.plain > 0;
	if (!mayBeRead || length > maxTextBytes + maxHeadBytes) {
		const head = await readAt(handle, start + 8, Math.min(length, maxKeywordLength + 1));
		return { keyword: keywordOf(head), bytes: undefined };
	}
	// From the type to the checksum, which covers both.
	const bytes = await readAt(handle, start + 4, length + frameBytes - 4);
	const data = bytes.subarray(4, -4);
	const keyword = keywordOf(data);
	const isSound =
		bytes.length === length + frameBytes - 4 &&
		crc32(bytes.subarray(0, -4)) === bytes.readUInt32BE(bytes.length - 4) &&
		data[keyword.length] === 0;
	const rest = data.subarray(keyword.length + 1);
	return { keyword, bytes: isSound ? await textIn(type, rest, left) : undefined };
}

/** In bytes (PNG 3, part 11.3.3.2). */
const maxKeywordLength = 79;

function keywordOf(data: Buffer): string {
	const end = data.indexOf(0);
	const keyword = data.subarray(0, end === -1 ? maxKeywordLength : Math.min(end, maxKeywordLength));
	return keyword.toString('latin1');
}

/** The bytes of the text behind the keyword; `undefined` where they cannot be had. */
async function textIn(type: string, rest: Buffer, left: Left): Promise<Buffer | undefined> {
	if (type === 'tEXt') {
		return bounded(rest, left);
	}
	if (type === 'zTXt') {
		return rest[0] === 0 ? unpacked(rest.subarray(1), left) : undefined;
	}
	const language = rest.indexOf(0, 2);
	const translated = language === -1 ? -1 : rest.indexOf(0, language + 1);
	if (translated === -1) {
		return undefined;
	}
	const text = rest.subarray(translated + 1);
	return rest[0] === 0 ? bounded(text, left) : rest[1] === 0 ? unpacked(text, left) : undefined;
}

function bounded(bytes: Buffer, left: Left): Buffer | undefined {
	if (left.plain <= 0 || bytes.length > maxTextBytes) {
		return undefined;
	}
	left.plain -= bytes.length;
	return bytes;
}

async function unpacked(bytes: Buffer, left: Left): Promise<Buffer | undefined> {
	if (left.packed <= 0) {
		return undefined;
	}
	try {
		const text = await inflated(bytes, { maxOutputLength: maxTextBytes });
		left.packed -= text.length;
		return text;
	} catch {
		// It has taken its time all the same.
		left.packed -= maxTextBytes;
		return undefined;
	}
}

const inflated = promisify(
	(
		bytes: Buffer,
		options: { readonly maxOutputLength: number },
		done: (error: Error | null, result: Buffer) => void,
	) => {
		inflate(bytes, options, done);
	},
);

/**
 * A chunk `iTXt`, not packed, with its checksum (PNG 3, part 11.3.3.4).
 *
 * @param keyword one of Latin letters
 * @throws {RangeError} where the text is longer than what is read
 */
export function textChunk(keyword: string, text: string): Buffer {
	const content = Buffer.from(fitText(text));
	if (content.length > maxTextBytes) {
		throw new RangeError('the text is too long for an image');
	}
	// Not packed, by the only method that there is, in no language, and no other keyword.
	const head = Buffer.from(`iTXt${keyword}\0\0\0\0\0`, 'latin1');
	const chunk = Buffer.alloc(4 + head.length + content.length + 4);
	chunk.writeUInt32BE(head.length - 4 + content.length, 0);
	head.copy(chunk, 4);
	content.copy(chunk, 4 + head.length);
	chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
	return chunk;
}

/** A zero would end the text early, and a line ends with a line feed alone (PNG 3, part 11.3.3). */
export function fitText(text: string): string {
	const lines = text.replaceAll(/\r\n?/g, '\n');
	// Of a text full of zeros, replacing one after the other takes more than twice as long.
	return lines.split('\0').join('\ufffd').toWellFormed();
}
