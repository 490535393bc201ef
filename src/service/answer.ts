import { AnswerParser, problem, unusable } from './answerParser.js';
import { imageResponseSchema, type ImageResponse } from './contract.js';
import { StorageError } from './errors.js';
import { ImageFile, partOf } from './imageFile.js';
import { codeOf } from '../files/refusal.js';

/** An answer whose image is whole on disk; `response` is the rest of the answer. */
export interface ReceivedImage {
	readonly response: ImageResponse;
	/** Bytes of the image file. */
	readonly bytes: number;
	/** The error that broke the answer off after the image, if one did. */
	readonly incomplete?: unknown;
}

export interface ReceiveOptions {
	/** Largest size of the body in bytes, 256 MiB by default. */
	readonly limit?: number | undefined;
	/**
	 * Says whether a file is a whole image by its own structure. An answer that breaks off after
	 * such an image has brought what was paid for. Without it, none counts as whole.
	 */
	readonly isWhole?: ((file: string) => Promise<boolean>) | undefined;
	/** How long a disk that refuses is waited for once all is here, in ms; 2,000 by default. */
	readonly longestStallMs?: number | undefined;
	/** Called with the system's code when the disk begins to refuse, without one when it accepts. */
	readonly onStall?: ((code: string | undefined) => void) | undefined;
	/** What becomes of the bytes of an answer that breaks off; `keepWhole` by default. */
	readonly whenBroken?: (() => WhenBroken) | undefined;
	/** Ends the wait for a disk at once. */
	readonly signal?: AbortSignal | undefined;
}

/**
 * `discard`: they are removed. `keepWhole`: they are kept where they are a whole image. `keepAll`:
 * else they stay in the file's part (see {@link partOf}), for a process that looks for them later.
 */
export type WhenBroken = 'discard' | 'keepWhole' | 'keepAll';

const defaultLimit = 256 * 1024 * 1024;
const defaultStallMs = 2000;
/** How long a disk that refuses is waited for after an answer broke off: the person has waited. */
const brokenStallMs = 2000;

/**
 * Reads the image response while it arrives: `data[0].b64_json` goes decoded to `file`, piece by
 * piece, so that memory does not grow with the image; the rest is kept and validated. The file
 * appears only when it is whole and flushed.
 *
 * @param body the response body's pieces; an error from it is passed on as it is
 * @throws {AnswerError} where the answer makes no sense
 * @throws {StorageError} where the file cannot be written
 */
export async function receiveImage(
	body: AsyncIterable<Uint8Array>,
	file: string,
	options: ReceiveOptions = {},
): Promise<ReceivedImage> {
	const parser = new AnswerParser();
	const image = new ImageFile(file, {
		longestStallMs: options.longestStallMs ?? defaultStallMs,
		onStall: options.onStall,
		signal: options.signal,
	});
	try {
		for await (const piece of limited(body, options.limit ?? defaultLimit)) {
			await onDisk(image.append(parser.write(piece)));
		}
		parser.end();
		const response = validate(parser.value);
		if (image.bytes === 0) {
			throw unusable('missingImage', 'The answer of the service contains an empty image.');
		}
		await onDisk(image.finish());
		return { response, bytes: image.bytes };
	} catch (error) {
		const kept = options.whenBroken?.() ?? 'keepWhole';
		if (kept !== 'discard' && !(error instanceof StorageError)) {
			if (await isWhole(image, parser, file, options)) {
				return { response: knownResponse(parser.value), bytes: image.bytes, incomplete: error };
			}
		}
		await (kept === 'keepAll' ? image.leave() : image.discard());
		throw error;
	}
}

/** Whether the bytes that have arrived are a whole image; then the file has its name. */
async function isWhole(
	image: ImageFile,
	parser: AnswerParser,
	file: string,
	{ isWhole = () => Promise.resolve(false) }: ReceiveOptions,
): Promise<boolean> {
	try {
		await image.append(parser.rest());
		await image.settle(brokenStallMs);
		if (image.bytes > 0 && (await isWhole(partOf(file)))) {
			await image.finish();
			return true;
		}
	} catch {
		// The caller throws the error that broke the answer off.
	}
	return false;
}

/** The response as far as it is known where the answer broke off. */
function knownResponse(value: unknown): ImageResponse {
	const parsed = imageResponseSchema.safeParse(value);
	return parsed.success ? parsed.data : { data: [{}] };
}

function validate(value: unknown): ImageResponse {
	const parsed = imageResponseSchema.safeParse(value);
	if (parsed.success && parsed.data.data[0]?.b64_json !== undefined) {
		return parsed.data;
	}
	const data = (value as { data?: unknown } | null)?.data;
	const first: unknown = Array.isArray(data) ? data[0] : undefined;
	const image = (first as { b64_json?: unknown } | null | undefined)?.b64_json;
	if (typeof image === 'string') {
		throw unusable('unexpected', 'The answer of the service has a form that Easel does not know.');
	}
	throw unusable('missingImage', 'The answer of the service contains no image.');
}

async function* limited(
	body: AsyncIterable<Uint8Array>,
	limit: number,
): AsyncGenerator<Uint8Array, void> {
	let bytes = 0;
	for await (const piece of body) {
		bytes += piece.byteLength;
		if (bytes > limit) {
			const megabytes = Math.round(limit / (1024 * 1024));
			throw problem(
				'tooLarge',
				`The answer of the service is larger than ${String(megabytes)} MiB, the most that Easel reads.`,
			);
		}
		yield piece;
	}
}

async function onDisk(step: Promise<void>): Promise<void> {
	try {
		await step;
	} catch (error) {
		const code = codeOf(error) || 'EIO';
		throw new StorageError(code, storageMessage(code), { cause: error });
	}
}

/** Says what a code of the file system means for a received image, and what to do. */
export function storageMessage(code: string): string {
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return 'There is no space left on the disk to store the image. Free some space and try again.';
		case 'EFBIG':
			return 'The image is larger than the largest file this disk allows. Ask for a smaller size.';
		case 'EACCES':
		case 'EPERM':
		case 'EROFS':
			return `The image cannot be stored: Easel's own storage, in the user data of VS Code, is not writable (${code}). Make it writable and try again.`;
		default:
			return `The image cannot be stored on this machine (${code}). Check the disk and try again.`;
	}
}
