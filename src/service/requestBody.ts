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

/** What the service is asked for: one image. */
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

/** The body of a request. */
export interface RequestBody {
	readonly contentType: string;
	/** In bytes. */
	readonly length: number;
	/**
	 * Its bytes; each piece is valid until the next one is asked for.
	 *
	 * @throws {RequestError} naming a file that has changed
	 */
	readonly pieces: () => AsyncIterable<Uint8Array>;
}

/**
 * Makes the body of a request: JSON for a generation, a form for an edit. The form's files are read
 * from disk while they are sent.
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
	const parts: (Buffer | FormFile)[] = Object.entries(fields).map(([name, value]) =>
		// As browsers send them (HTML, "Multipart form data").
		part(name, `\r\n\r\n${value.replace(/\r\n?|\n/g, '\r\n')}\r\n`),
	);
	// "A single reference uses `image`. Several references use repeated `image[]`."
	const name = call.references.length === 1 ? 'image' : 'image[]';
	for (const [index, reference] of call.references.entries()) {
		const { contentType, fileName, path } = reference;
		try {
			const file = new FormFile(reference, await stat(path, { bigint: true }));
			// It must be readable, too.
			await access(path, constants.R_OK);
			const head = `; filename="${neutralName(index, reference)}"\r\nContent-Type: ${contentType}`;
			parts.push(part(name, `${head}\r\n\r\n`), file, Buffer.from('\r\n'));
		} catch (error) {
			const field = `references[${String(index)}]`;
			throw new RequestError(field, { code: 'reference.unreadable', fileName }, error);
		}
	}
	parts.push(Buffer.from(`--${boundary}--\r\n`));
	return bodyOf(`multipart/form-data; boundary=${boundary}`, parts);
}

function bodyOf(contentType: string, parts: readonly (Buffer | FormFile)[]): RequestBody {
	return {
		contentType,
		length: parts.reduce((length, part) => length + part.length, 0),
		async *pieces() {
			for (const part of parts) {
				yield* part instanceof FormFile ? part.pieces() : [part];
			}
		},
	};
}

/**
 * The name of a reference image in the form. Its own name stays here: the contract asks for none,
 * and some gateways refuse names that are not ASCII.
 */
function neutralName(index: number, { contentType }: ReferenceFile): string {
	return `reference-${String(index + 1)}.${extensions[contentType]}`;
}

const extensions = {
	'image/png': 'png',
	'image/jpeg': 'jpg',
	'image/webp': 'webp',
} as const satisfies Record<ReferenceContentType, string>;

/**
 * A file of the form, read piece by piece into the same memory: with memory of its own for each
 * piece, so much would wait for garbage collection that many references cost 80 MB. Reading fails
 * once the file has changed.
 */
class FormFile {
	readonly length: number;

	constructor(
		private readonly reference: ReferenceFile,
		private readonly found: BigIntStats,
	) {
		this.length = Number(found.size);
	}

	async *pieces(): AsyncGenerator<Uint8Array> {
		let handle: FileHandle | undefined;
		try {
			handle = await open(this.reference.path);
			await this.#expectUnchanged(handle);
			const memory = new Uint8Array(pieceBytes);
			for (let start = 0; start < this.length; start += pieceBytes) {
				const piece = memory.subarray(0, Math.min(pieceBytes, this.length - start));
				await fill(piece, handle, start);
				if (start + piece.length === this.length) {
					// Without its last piece the service has no request, so nothing is made of what changed.
					await this.#expectUnchanged(handle);
				}
				yield piece;
			}
		} catch (error) {
			const { fileName } = this.reference;
			throw new RequestError('references', { code: 'reference.changed', fileName }, error);
		} finally {
			await handle?.close();
		}
	}

	async #expectUnchanged(handle: FileHandle): Promise<void> {
		const { size, mtimeNs } = await handle.stat({ bigint: true });
		if (size !== this.found.size || mtimeNs !== this.found.mtimeNs) {
			throw new Error('the file has changed');
		}
	}
}

/** @throws where the file ends before the memory is full; the system's error */
async function fill(memory: Uint8Array, handle: FileHandle, start: number): Promise<void> {
	for (let filled = 0; filled < memory.length;) {
		const { bytesRead } = await handle.read(memory, filled, memory.length - filled, start + filled);
		if (bytesRead === 0) {
			throw new Error('the file ends too early');
		}
		filled += bytesRead;
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
