import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { inWords } from '../easelError.js';
import { retryTransient, type RetryOptions } from '../files/retryTransient.js';
import { flushNames, writeFlushed } from '../files/writeWhole.js';
import { decodeContent } from './contentCoding.js';
import { AnswerError } from './errors.js';
import { errorWords } from './errorWords.js';
import { isBlank, isLong, JsonOutline, textStart, type LongString } from './jsonOutline.js';
import { serviceText } from './serviceText.js';

export interface ReaderOptions {
	readonly coding?: string | undefined;
	/** True where the body has come to its end; of JSON, its own end says so. */
	readonly isComplete: boolean;
	/** Says what a file is by its content; throws where it cannot say so now. */
	readonly inspect: (file: string) => Promise<'complete' | 'image' | 'other'>;
	/** Retries where the disk refuses to write or to read the image. */
	readonly retry?: RetryOptions | undefined;
	/** Secrets that the service was sent and may repeat. */
	readonly secrets?: readonly string[] | undefined;
}

export interface TakenImage {
	/** Size of the image in bytes. */
	readonly bytes: number;
	/** SHA-256 of its bytes, hexadecimal. */
	readonly sha256: string;
	readonly revisedPrompt: string | undefined;
}

/**
 * Takes the image out of a raw answer of status 2xx that lies in a file (specification, "Image
 * response"): the first item of `data` that has one, or the body itself. The file of the image
 * appears when it is whole and flushed. The answer stays. Both paths are absolute.
 *
 * @throws {AnswerError} where there is no image in it, in the service's own words where it has some
 * @throws the system's error
 */
export async function takeImage(
	answer: string,
	image: string,
	options: ReaderOptions,
): Promise<TakenImage> {
	const outline = new JsonOutline();
	for await (const piece of read(answer, options)) {
		outline.write(piece);
		if (outline.isTooLarge) {
			break;
		}
	}
	const value = outline.value();
	const isComplete = value === undefined ? options.isComplete : outline.isComplete;
	// Of a body that is no JSON, the structure of an image alone says that it is one.
	const needsComplete = value === undefined || !isComplete;
	const sources = value === undefined ? [{}] : imagesIn(value);
	const contentOf = ({ text }: Source) => {
		if (text === undefined) {
			return read(answer, options);
		}
		const pieces = isLong(text) ? unescaped(slice(read(answer, options), text)) : [text];
		return decodeBase64(pieces, isComplete);
	};
	let problem: 'notAnImage' | 'truncated' | 'brokenBase64' | undefined;
	for (const source of sources) {
		try {
			const content = () => contentOf(source);
			const written = await writeImage(content, image, needsComplete, options);
			if (written !== undefined) {
				return { ...written, revisedPrompt: source.revisedPrompt };
			}
			problem ??= isComplete ? 'notAnImage' : 'truncated';
		} catch (error) {
			if (!(error instanceof DamagedTextError)) {
				throw error;
			}
			problem ??= 'brokenBase64';
		}
	}
	if (value === undefined) {
		const kind = await kindWithoutJson(answer, outline.first, options);
		throw new AnswerError({ code: `answer.${kind}` });
	}
	throw problemOf(value, outline, isComplete, problem, options.secrets ?? []);
}

/** Size of the body of an error, in bytes. */
const maxErrorBytes = 1024 * 1024;

/** Returns what an error's body says, as far as it has come. */
export async function readErrorBody(
	pieces: AsyncIterable<Buffer>,
	coding: string | undefined,
): Promise<unknown> {
	const outline = new JsonOutline();
	try {
		let bytes = 0;
		for await (const piece of decodeContent(pieces, coding)) {
			bytes += piece.length;
			if (bytes > maxErrorBytes || outline.isComplete) {
				break;
			}
			outline.write(piece);
		}
	} catch {
		// The status is known; what breaks off costs words alone.
	}
	return outline.value();
}

/** A part of an answer that may be an image. */
interface Source {
	/** In base64; without it the whole body is meant, as it is. */
	readonly text?: string | LongString;
	readonly revisedPrompt?: string | undefined;
}

/** The fields of an answer, none of them required. */
const item = z.looseObject({
	b64_json: z.unknown(),
	url: z.unknown(),
	revised_prompt: z.unknown(),
});
const loose = z.looseObject({
	data: z.array(item.partial().catch({})).optional().catch(undefined),
});

function imagesIn(value: unknown): Source[] {
	const items = loose.safeParse(value).data?.data ?? [];
	return items.flatMap(({ b64_json: base64, url, revised_prompt: revisedPrompt }) =>
		[base64, textStart(url)?.startsWith('data:') === true ? url : undefined]
			.map((content) => (isLong(content) ? content : (textStart(content) ?? '')))
			.filter((text) => text !== '')
			.map((text) => ({ text, revisedPrompt: textStart(revisedPrompt) })),
	);
}

/**
 * Writes an image under its name. Returns `undefined` where it is none, is empty, or is not complete
 * by its own structure although it has to be.
 */
async function writeImage(
	content: () => AsyncIterable<Buffer>,
	file: string,
	needsComplete: boolean,
	{ inspect, retry }: ReaderOptions,
): Promise<Pick<TakenImage, 'bytes' | 'sha256'> | undefined> {
	const part = partOf(file);
	let bytes = 0;
	let hash = createHash('sha256');
	const counted = async function* () {
		bytes = 0;
		hash = createHash('sha256');
		for await (const piece of content()) {
			bytes += piece.length;
			hash.update(piece);
			yield piece;
		}
	};
	try {
		// After a flush that failed it is written anew.
		await retryTransient(async () => {
			await rm(part, { force: true });
			// In a workspace it may become a hard link to this file, so it has the usual mode.
			await writeFlushed(part, counted(), 0o666);
		}, retry);
		const found = bytes === 0 ? 'other' : await retryTransient(() => inspect(part), retry);
		if (found === 'other' || (needsComplete && found !== 'complete')) {
			return undefined;
		}
		await retryTransient(async () => {
			await rename(part, file);
			await flushNames(path.dirname(file)).catch(async (error: unknown) => {
				// A later flush would prove nothing, so the name is made anew.
				await rename(file, part);
				throw error;
			});
		}, retry);
		return { bytes, sha256: hash.digest('hex') };
	} finally {
		await rm(part, { force: true }).catch(() => undefined);
	}
}

/** Returns where the bytes of a file lie until it is whole. */
export function partOf(file: string): string {
	return `${file}.part`;
}

/** The answer without its content coding. It is opened only when it is read. */
async function* read(answer: string, { coding }: ReaderOptions): AsyncGenerator<Buffer, void> {
	yield* decodeContent(createReadStream(answer, { highWaterMark: 256 * 1024 }), coding);
}

async function* slice(
	pieces: AsyncIterable<Buffer>,
	{ start, end }: LongString,
): AsyncGenerator<Buffer, void> {
	let position = 0;
	for await (const piece of pieces) {
		const part = piece.subarray(Math.max(0, start - position), Math.max(0, end - position));
		position += piece.length;
		if (part.length > 0) {
			yield part;
		}
		if (position >= end) {
			return;
		}
	}
}

class DamagedTextError extends Error {
	override readonly name = 'DamagedTextError';
}

/**
 * Decodes base64 in either alphabet (RFC 4648, parts 4 and 5), behind a data URI's prefix, if any
 * (specification, "Image response", rule 2). Blanks and missing padding are unambiguous.
 *
 * @throws {DamagedTextError}
 */
async function* decodeBase64(
	pieces: AsyncIterable<string> | Iterable<string>,
	isComplete: boolean,
): AsyncGenerator<Buffer, void> {
	let head: string | undefined = '';
	let rest = '';
	let isPadded = false;
	const decode = (added: string): Buffer => {
		const text = rest + added;
		const length = text.length - (text.length % 4);
		const quick = Buffer.from(text.slice(0, length), 'base64');
		if (!isPadded && quick.length === (length / 4) * 3) {
			rest = text.slice(length);
			return quick;
		}
		// Node leaves out what it does not know, so that bytes are missing.
		// eslint-disable-next-line no-control-regex -- control characters are blanks to it, too
		const [bare = '', ...behind] = text.replace(/[\x00-\x20]+/g, '').split('=');
		if (/[^\w+/-]/.test(bare) || behind.some(Boolean) || (isPadded && bare !== '')) {
			throw new DamagedTextError();
		}
		isPadded ||= behind.length > 0;
		const whole = isPadded ? bare.length : bare.length - (bare.length % 4);
		rest = bare.slice(whole);
		return Buffer.from(bare.slice(0, whole), 'base64');
	};
	for await (const piece of pieces) {
		if (head === undefined) {
			yield decode(piece);
			continue;
		}
		head += piece;
		if (head.length >= maxPrefixLength) {
			yield decode(withoutPrefix(head));
			head = undefined;
		}
	}
	yield decode(withoutPrefix(head ?? ''));
	rest = rest.trim();
	if (rest.length === 1 && isComplete) {
		throw new DamagedTextError();
	}
	yield Buffer.from(rest, 'base64');
}

/** Resolves the escapes of JSON. @throws {DamagedTextError} where one is none */
async function* unescaped(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
	let rest = '';
	for await (const piece of pieces) {
		const text = rest + piece.toString('latin1');
		const end = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(text)?.index ?? text.length;
		rest = text.slice(end);
		const whole = text.slice(0, end);
		// Some services escape every slash, and nothing else.
		const plain = whole.replaceAll('\\/', '/');
		const escapes = /(?:\\(?:u[0-9a-fA-F]{4}|.))+/gs;
		try {
			yield plain.includes('\\')
				? whole.replace(escapes, (all) => JSON.parse(`"${all}"`) as string)
				: plain;
		} catch {
			throw new DamagedTextError();
		}
	}
}

/** In characters. Media types have at most 127 + 1 + 127 (RFC 6838, part 4.2); parameters are rare. */
const maxPrefixLength = 512;

/** The alphabets of base64 have no comma, so the end of a prefix cannot be part of the content. */
function withoutPrefix(head: string): string {
	const marker = head.slice(0, maxPrefixLength).indexOf('base64,');
	return marker < 0 ? head : head.slice(marker + 'base64,'.length);
}

/** @param first the first character of the decoded answer that is no blank */
async function kindWithoutJson(
	answer: string,
	first: string,
	{ isComplete }: ReaderOptions,
): Promise<'html' | 'notJson' | 'truncated' | 'empty'> {
	if (first !== '') {
		return first === '<' ? 'html' : 'notJson';
	}
	for await (const piece of createReadStream(answer) as AsyncIterable<Buffer>) {
		if (!isBlank(piece)) {
			// In a coding of which nothing could be read.
			return isComplete ? 'notJson' : 'truncated';
		}
	}
	return 'empty';
}

function problemOf(
	value: unknown,
	outline: JsonOutline,
	isComplete: boolean,
	problem: 'notAnImage' | 'truncated' | 'brokenBase64' | undefined,
	secrets: readonly string[],
): AnswerError {
	if (outline.isTooLarge) {
		return new AnswerError({ code: 'answer.tooMuch' });
	}
	const error = errorIn(value, secrets);
	if (error !== undefined) {
		return error;
	}
	if (!isComplete) {
		return new AnswerError({ code: 'answer.truncated' });
	}
	const link = linkIn(value, secrets);
	return link === undefined
		? new AnswerError({ code: `answer.${problem ?? 'missingImage'}` })
		: new AnswerError({ code: 'answer.link' }, { link });
}

/** An error that a service reports with success: gateways commit to status 200 before they know. */
function errorIn(value: unknown, secrets: readonly string[]): AnswerError | undefined {
	const { message, code } = errorWords(value, secrets);
	const words = message ?? code;
	return words === undefined
		? undefined
		: new AnswerError(inWords(words), { charge: 'unknown', code });
}

/** The first link to an image; none that leads anywhere but to the web. */
function linkIn(value: unknown, secrets: readonly string[]): string | undefined {
	for (const { url } of loose.safeParse(value).data?.data ?? []) {
		if (typeof url === 'string' && URL.canParse(url) && /^https?:/i.test(url)) {
			return serviceText(url, secrets, maxLinkLength);
		}
	}
	return undefined;
}

/** Length of a link with its signature, in UTF-16 code units. */
const maxLinkLength = 8_000;
