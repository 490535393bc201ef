import { openAsBlob, type BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { ReadableStream } from 'node:stream/web';
import { FormDataEncoder } from 'form-data-encoder';
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

/**
 * Makes the body of a request: JSON for a generation, a form for an edit. The form's files are read
 * from disk while they are sent: each of its pieces is valid until the next one is asked for.
 *
 * @throws {RequestError} naming the field that is wrong
 */
export async function requestBody(call: ImageCall): Promise<string | FormDataEncoder> {
	return call.references.length > 0 ? editForm(call) : generationJson(call);
}

function generationJson(call: ImageCall): string {
	const body = {
		model: call.model ?? defaultModel,
		prompt: call.prompt,
		n: 1,
		size: call.size,
		quality: call.quality,
		response_format: 'b64_json',
		output_format: 'png',
	};
	return JSON.stringify(checked(generationBodySchema.safeParse(body)));
}

async function editForm(call: ImageCall): Promise<FormDataEncoder> {
	const fields = checked(
		editFieldsSchema.safeParse({
			model: call.model ?? defaultModel,
			prompt: call.prompt,
			n: '1',
			size: call.size,
			response_format: 'b64_json',
			output_format: 'png',
		}),
	);
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) {
		form.append(name, value);
	}
	// "A single reference uses `image`. Several references use repeated `image[]`."
	const name = call.references.length === 1 ? 'image' : 'image[]';
	for (const [index, reference] of call.references.entries()) {
		try {
			form.append(name, await FileInPieces.of(reference, neutralName(index, reference)));
		} catch (error) {
			throw new RequestError(
				`references[${String(index)}]`,
				`The reference image ${reference.fileName} cannot be read. Choose it again. Nothing was sent.`,
				error,
			);
		}
	}
	return new FormDataEncoder(form);
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
 * A file of the form, read piece by piece into the same memory. Node's own `File` allocates each
 * piece, and so much of that waits for garbage collection that many references cost 80 MB; it also
 * opens the file again for each piece. As with Node's own, reading fails once the file has changed.
 */
class FileInPieces extends File {
	/** @throws the system's error */
	static async of(reference: ReferenceFile, name: string): Promise<FileInPieces> {
		const found = await stat(reference.path, { bigint: true });
		return new FileInPieces(await openAsBlob(reference.path), reference, name, found);
	}

	private constructor(
		blob: Blob,
		private readonly reference: ReferenceFile,
		name: string,
		private readonly found: BigIntStats,
	) {
		super([blob], name, { type: reference.contentType });
	}

	/**
	 * Its pieces; each is valid until the next one is asked for.
	 *
	 * @throws {RequestError} naming the file, from the stream
	 */
	override stream(): ReturnType<File['stream']> {
		return ReadableStream.from(this.#pieces()) as ReturnType<File['stream']>;
	}

	async *#pieces(): AsyncGenerator<Uint8Array> {
		let handle: FileHandle | undefined;
		try {
			handle = await open(this.reference.path);
			await this.#expectUnchanged(handle);
			const memory = new Uint8Array(pieceBytes);
			for (let start = 0; start < this.size; start += pieceBytes) {
				const piece = memory.subarray(0, Math.min(pieceBytes, this.size - start));
				await fill(piece, handle, start);
				if (start + piece.length === this.size) {
					// Without its last piece the service has no request, so nothing is made of what changed.
					await this.#expectUnchanged(handle);
				}
				yield piece;
			}
		} catch (error) {
			throw new RequestError(
				'references',
				`The reference image ${this.reference.fileName} changed or vanished while it was being sent. Choose it again. Nothing was made.`,
				error,
			);
		} finally {
			await handle?.close();
		}
	}

	async #expectUnchanged(handle: FileHandle): Promise<void> {
		const { size, mtimeNs } = await handle.stat({ bigint: true });
		if (size !== this.found.size || mtimeNs !== this.found.mtimeNs) {
			throw new Error('The file has changed.');
		}
	}
}

/** @throws where the file ends before the memory is full; the system's error */
async function fill(memory: Uint8Array, handle: FileHandle, start: number): Promise<void> {
	for (let filled = 0; filled < memory.length;) {
		const { bytesRead } = await handle.read(memory, filled, memory.length - filled, start + filled);
		if (bytesRead === 0) {
			throw new Error('The file ends too early.');
		}
		filled += bytesRead;
	}
}

/** The encoder copies longer pieces, in pieces of this length. */
const pieceBytes = 64 * 1024;

interface Issue {
	readonly path: readonly PropertyKey[];
	readonly message: string;
}

function checked<T>(
	parsed: { success: true; data: T } | { success: false; error: { issues: Issue[] } },
): T {
	if (parsed.success) {
		return parsed.data;
	}
	const issue = parsed.error.issues[0]!;
	const field = String(issue.path[0]);
	throw new RequestError(
		field,
		field === 'prompt'
			? 'The prompt is empty. Describe the image that you want.'
			: `The request cannot be sent: ${field}: ${issue.message}.`,
		parsed.error,
	);
}
