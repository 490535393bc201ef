import { openAsBlob } from 'node:fs';
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
	/** The name that the service is told. */
	readonly fileName: string;
	/** Decided by the file's first bytes, not by its name. */
	readonly contentType: ReferenceContentType;
}

/**
 * Makes the body of a request: JSON for a generation, a form for an edit. The form's files are read
 * from disk while they are sent.
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
			const type = reference.contentType;
			const blob = await openAsBlob(reference.path);
			form.append(name, new FileInPieces([blob], reference.fileName, { type }));
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
 * A file of the form, read in pieces of 16 KiB. Node's own `File` streams 64 KiB at a time, and so
 * much of that waits for garbage collection that many references cost 80 MB; smaller pieces keep it
 * below 30 MB. Reading a piece fails, as for the whole, once the file has changed.
 *
 * @throws {RequestError} naming the file, from the stream
 */
class FileInPieces extends File {
	override stream(): ReturnType<File['stream']> {
		return ReadableStream.from(this.#pieces()) as ReturnType<File['stream']>;
	}

	async *#pieces(): AsyncGenerator<Uint8Array> {
		for (let start = 0; start < this.size; start += pieceBytes) {
			yield new Uint8Array(await this.#piece(start));
		}
	}

	async #piece(start: number): Promise<ArrayBuffer> {
		try {
			return await this.slice(start, start + pieceBytes).arrayBuffer();
		} catch (error) {
			throw new RequestError(
				'references',
				`The reference image ${this.name} changed or vanished while it was being sent. Choose it again. Nothing was made.`,
				error,
			);
		}
	}
}

const pieceBytes = 16 * 1024;

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
