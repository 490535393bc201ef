import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { access, constants, open, stat, type FileHandle } from 'node:fs/promises';
import type * as z from 'zod';
import {
	defaultModel,
	editFieldsSchema,
	generationBodySchema,
	type Quality,
	type ReferenceContentType,
	type Size,
} from './contract.js';
import { RequestError } from './errors.js';

/** A request for one image. */
export interface ImageCall {
	/** {@link defaultModel} by default. */
	readonly model?: string | undefined;
	readonly prompt: string;
	readonly size: Size;
	/** Goes into generations only; the edits endpoint does not declare it. */
	readonly quality?: Quality | undefined;
	/** With references the edits endpoint is called, without them the generations endpoint. */
	readonly references: readonly ReferenceFile[];
}

/** A reference image on disk. */
export interface ReferenceFile {
	/** Absolute path; the file must not change while it is sent. */
	readonly path: string;
	/** Names it in messages; the service gets a neutral name instead. */
	readonly fileName: string;
	/** Decided by the file's first bytes, not by its name. */
	readonly contentType: ReferenceContentType;
}

export interface RequestBody {
	readonly contentType: string;
	/** In bytes. */
	readonly length: number;
	/** Each piece is valid until the next one. @throws {RequestError} naming a file that has changed */
	readonly pieces: () => AsyncIterable<Uint8Array>;
}

/**
 * Makes the body of a request. The files of a form are read while they are sent.
 *
 * @throws {RequestError} naming the field that is wrong
 */
export async function requestBody(call: ImageCall): Promise<RequestBody> {
	return call.references.length > 0 ? editForm(call) : generationJson(call);
}

function generationJson(call: ImageCall): RequestBody {
	const { quality } = call;
	const json = checked(generationBodySchema.safeParse({ ...fieldsOf(call), n: 1, quality }));
	return bodyOf('application/json', [Buffer.from(JSON.stringify(json))]);
}

function fieldsOf({ model = defaultModel, prompt, size }: ImageCall): object {
	return { model, prompt, size, response_format: 'b64_json', output_format: 'png' };
}

/** A form (RFC 7578). */
async function editForm(call: ImageCall): Promise<RequestBody> {
	const fields = checked(editFieldsSchema.safeParse({ ...fieldsOf(call), n: '1' }));
	const boundary = `easel-${randomUUID()}`;
	const part = (name: string, rest: string) =>
		Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`);
	const parts: Part[] = Object.entries(fields).map(([name, value]) =>
		// As browsers send them (HTML, "Multipart form data").
		part(name, `\r\n\r\n${value.replace(/\r\n?|\n/g, '\r\n')}\r\n`),
	);
	// "A single reference uses `image`. Several references use repeated `image[]`."
	const name = call.references.length === 1 ? 'image' : 'image[]';
	for (const [index, reference] of call.references.entries()) {
		const { contentType, fileName, path } = reference;
		try {
			const found = await stat(path, { bigint: true });
			// It must be readable, too.
			await access(path, constants.R_OK);
			const head = `; filename="${neutralName(index, reference)}"\r\nContent-Type: ${contentType}`;
			const file = { length: Number(found.size), pieces: () => readUnchanged(reference, found) };
			parts.push(part(name, `${head}\r\n\r\n`), file, Buffer.from('\r\n'));
		} catch (error) {
			const field = `references[${String(index)}]`;
			throw new RequestError(field, { code: 'reference.unreadable', fileName }, error);
		}
	}
	parts.push(Buffer.from(`--${boundary}--\r\n`));
	return bodyOf(`multipart/form-data; boundary=${boundary}`, parts);
}

/** A part of a body: its bytes, or a file's. */
type Part = Buffer | Pick<RequestBody, 'length' | 'pieces'>;

function bodyOf(contentType: string, parts: readonly Part[]): RequestBody {
	return {
		contentType,
		length: parts.reduce((length, part) => length + part.length, 0),
		async *pieces() {
			for (const part of parts) {
				yield* 'pieces' in part ? part.pieces() : [part];
			}
		},
	};
}

/**
 * The name of a reference image in the form. Its own name stays here: the contract asks for none,
 * and some gateways refuse names that are not ASCII.
 */
function neutralName(index: number, { contentType }: ReferenceFile): string {
	const extension = contentType.replace('image/', '').replace('jpeg', 'jpg');
	return `reference-${String(index + 1)}.${extension}`;
}

/**
 * Reads a file of the form piece by piece into the same memory: with memory of its own for each
 * piece, so much would wait for garbage collection that many references cost 80 MB.
 *
 * @param found what it was when its length was taken
 * @throws {RequestError} once it has changed
 */
async function* readUnchanged(
	{ path, fileName }: ReferenceFile,
	found: BigIntStats,
): AsyncGenerator<Uint8Array> {
	const length = Number(found.size);
	let handle: FileHandle | undefined;
	try {
		handle = await open(path);
		await expectUnchanged(handle, found);
		const memory = new Uint8Array(pieceBytes);
		for (let start = 0; start < length;) {
			const { bytesRead } = await handle.read(memory, 0, pieceBytes, start);
			start += bytesRead;
			if (bytesRead === 0) {
				throw new Error('the file ends too early');
			}
			if (start >= length) {
				// Without its last piece the service has no request, so nothing is made of what changed.
				await expectUnchanged(handle, found);
			}
			yield memory.subarray(0, bytesRead);
		}
	} catch (error) {
		throw new RequestError('references', { code: 'reference.changed', fileName }, error);
	} finally {
		await handle?.close();
	}
}

async function expectUnchanged(handle: FileHandle, found: BigIntStats): Promise<void> {
	const { size, mtimeNs } = await handle.stat({ bigint: true });
	if (size !== found.size || mtimeNs !== found.mtimeNs) {
		throw new Error('the file has changed');
	}
}

const pieceBytes = 64 * 1024;

function checked<T>(parsed: z.ZodSafeParseResult<T>): T {
	if (parsed.success) {
		return parsed.data;
	}
	const issue = parsed.error.issues[0]!;
	const field = String(issue.path[0]);
	throw new RequestError(
		field,
		field === 'prompt'
			? { code: 'request.emptyPrompt' }
			: { code: 'request.invalid', field, issue: issue.message },
		parsed.error,
	);
}
