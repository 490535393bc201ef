import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { badRequest } from './refusal.js';
import type { RecordedFile } from './requests.js';

/** A multipart form as it arrived, in its order. */
export interface Form {
	readonly fields: readonly { readonly name: string; readonly value: string }[];
	readonly files: readonly FormFile[];
}

export interface FormFile extends RecordedFile {
	/** The first bytes, enough to recognize a format. */
	readonly head: Buffer;
	/** The whole file, or `undefined` where the form's files are too large to keep. */
	readonly bytes: Buffer | undefined;
}

/** Bytes of a form's files that are stored for drawing; all of them are hashed. */
export const keptBytes = 64 * 1024 * 1024;
const textLimit = 16 * 1024 * 1024;

/** A client that went away while its request was read. */
export class ClientLeft extends Error {
	override readonly name = 'ClientLeft' as const;
}

/**
 * Reads the JSON object of a request's body.
 *
 * @throws {Refusal} 400 where it is none
 * @throws {ClientLeft}
 */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
	requireContentType(request, 'application/json');
	const pieces: Buffer[] = [];
	let size = 0;
	try {
		// Without this the request would be destroyed on the way out, and no answer could be sent.
		for await (const piece of request.iterator({ destroyOnReturn: false })) {
			size += (piece as Buffer).length;
			if (size > textLimit) {
				throw badRequest('The body is larger than 16 MiB.');
			}
			pieces.push(piece as Buffer);
		}
	} catch (error) {
		throw request.destroyed && !request.complete ? new ClientLeft() : error;
	}
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)));
	} catch {
		throw badRequest('The body is not JSON.');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw badRequest('The body is not a JSON object.');
	}
	return value as Record<string, unknown>;
}

/**
 * Reads a multipart form. Files are hashed while they arrive; their bytes are stored up to
 * `keptBytes` for all of them.
 *
 * @throws {Refusal} 400 where the body is no whole form
 * @throws {ClientLeft}
 */
export async function readForm(request: IncomingMessage): Promise<Form> {
	requireContentType(request, 'multipart/form-data');
	const fields: { name: string; value: string }[] = [];
	const files: Promise<FormFile>[] = [];
	const budget = { left: keptBytes };
	let parser: busboy.Busboy;
	try {
		parser = busboy({
			headers: request.headers,
			defParamCharset: 'utf8',
			// A path in a file name is something a test wants to see.
			preservePath: true,
			limits: { fieldSize: textLimit },
		});
	} catch (error) {
		throw malformed(error);
	}
	let tooLong: string | undefined;
	parser.on('field', (name, value, { valueTruncated }) => {
		tooLong ??= valueTruncated ? name : undefined;
		fields.push({ name, value });
	});
	parser.on('file', (field, stream, { filename, mimeType }) => {
		const file = readFile(field, stream, filename, mimeType, budget);
		// Looked at below; where the form breaks before, its error is reported.
		file.catch(() => undefined);
		files.push(file);
	});
	await new Promise<void>((resolve, reject) => {
		parser.once('close', resolve);
		parser.once('error', (error) => {
			request.unpipe(parser);
			request.resume();
			reject(malformed(error));
		});
		request.once('close', () => {
			if (!request.complete) {
				reject(new ClientLeft());
				parser.destroy();
			}
		});
		request.pipe(parser);
	});
	if (tooLong !== undefined) {
		throw badRequest(`${tooLong}: is larger than 16 MiB.`);
	}
	return { fields, files: await Promise.all(files) };
}

async function readFile(
	field: string,
	stream: Readable,
	fileName: string | undefined,
	contentType: string,
	budget: { left: number },
): Promise<FormFile> {
	const hash = createHash('sha256');
	let stored: Buffer[] | undefined = [];
	let [size, head] = [0, Buffer.alloc(0)];
	for await (const piece of stream as AsyncIterable<Buffer>) {
		hash.update(piece);
		size += piece.length;
		if (head.length < 16) {
			head = Buffer.concat([head, piece.subarray(0, 16)]);
		}
		if (stored && piece.length <= budget.left) {
			budget.left -= piece.length;
			stored.push(piece);
		} else if (stored) {
			// Too large: its stored part makes room for the next one.
			budget.left += stored.reduce((sum, { length }) => sum + length, 0);
			stored = undefined;
		}
	}
	const bytes = stored && Buffer.concat(stored);
	return { field, fileName, contentType, size, sha256: hash.digest('hex'), head, bytes };
}

function requireContentType(request: IncomingMessage, wanted: string): void {
	const sent = request.headers['content-type'] ?? '';
	if (sent.split(';')[0]!.trim().toLowerCase() !== wanted) {
		throw badRequest(`Content-Type: must be ${wanted}, not "${sent}".`);
	}
}

function malformed(error: unknown): Error {
	return badRequest(`The multipart form cannot be read: ${(error as Error).message}.`);
}
