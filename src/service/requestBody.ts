import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { access, constants, open, stat, type FileHandle } from 'node:fs/promises';
import type { Background, Quality, ReferenceContentType, Size } from './contract.js';
import { RequestError } from './errors.js';
import { sizeProblem } from './sizes.js';
import {
	defaultService,
	offerOf,
	services,
	takesQuality,
	takesTransparency,
	type Service,
	type ServiceId,
} from './services.js';

/** A request for one image. */
export interface ImageCall {
	/** The row of the table whose manner it is sent in; {@link defaultService} by default. */
	readonly service?: ServiceId | undefined;
	/** The service's own by default; left out where it is empty and may be. */
	readonly model?: string | undefined;
	readonly prompt: string;
	readonly size: Size;
	/** Goes into edits only where the service takes it there. */
	readonly quality?: Quality | undefined;
	/** Sent only where the service can do it. */
	readonly background?: Background | undefined;
	/** With references the edits endpoint is called, without them the generations endpoint. */
	readonly references: readonly ReferenceFile[];
	/** Laid over the first reference by the service: a PNG of its dimensions. */
	readonly overlay?: (ReferenceFile & { readonly field: 'markup' | 'mask' }) | undefined;
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
	const fields = fieldsOf(call);
	return call.references.length > 0
		? editForm(call, fields)
		: bodyOf('application/json', [Buffer.from(JSON.stringify(fields))]);
}

/** @throws {RequestError} naming the field that the service does not take like this */
function fieldsOf(call: ImageCall): Readonly<Record<string, string | number>> {
	const { prompt, size, quality, background, references } = call;
	const service = services[call.service ?? defaultService];
	const model = call.model ?? service.defaultModel ?? '';
	if (prompt === '') {
		throw new RequestError('prompt', { code: 'request.emptyPrompt' });
	}
	if (model === '' && service.modelIsOptional !== true) {
		throw new RequestError('easel.service.model', {
			code: 'request.noModel',
			service: service.title,
		});
	}
	assertOffered(service, { model, size, quality, references: references.length });
	return {
		...(model !== '' && { model }),
		prompt,
		...((size !== 'auto' || service.omitsAutoSize !== true) && { size }),
		...service.statedFields,
		n: 1,
		...(takesQuality(service, references.length) && quality !== undefined && { quality }),
		...(takesTransparency(service) && background !== undefined && { background }),
	};
}

/**
 * Looks whether a service offers what is asked for; a quality that is not sent does not matter.
 *
 * @throws {RequestError} naming what it does not offer, and what it does
 */
export function assertOffered(
	service: Service,
	asked: {
		readonly model: string;
		readonly size: Size;
		readonly quality?: Quality | undefined;
		readonly references: number;
	},
): void {
	const { title, maxReferences = Infinity } = service;
	const { qualities, ...offered } = offerOf(service, asked.model);
	const problem = sizeProblem(asked.size, offered);
	if (problem !== undefined) {
		const facts = { size: asked.size, sizes: offered.sizes.join(', '), ...problem };
		throw new RequestError('size', { code: 'request.unknownSize', service: title, ...facts });
	}
	const { quality } = asked;
	const isSent = quality !== undefined && takesQuality(service, asked.references);
	if (isSent && !qualities.includes(quality)) {
		const facts = { quality, qualities: qualities.join(', ') };
		throw new RequestError('quality', { code: 'request.unknownQuality', service: title, ...facts });
	}
	if (asked.references > maxReferences) {
		const facts = { count: asked.references, max: maxReferences };
		throw new RequestError('references', {
			code: 'request.tooManyReferences',
			service: title,
			...facts,
		});
	}
}

/** A form (RFC 7578). */
async function editForm(
	call: ImageCall,
	fields: ReturnType<typeof fieldsOf>,
): Promise<RequestBody> {
	const boundary = `easel-${randomUUID()}`;
	const part = (name: string, rest: string) =>
		Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`);
	const parts: Part[] = Object.entries(fields).map(([name, value]) =>
		// As browsers send them (HTML, "Multipart form data").
		part(name, `\r\n\r\n${String(value).replace(/\r\n?|\n/g, '\r\n')}\r\n`),
	);
	// "A single reference uses `image`. Several references use repeated `image[]`."
	const name = call.references.length === 1 ? 'image' : 'image[]';
	const files = call.references.map((reference, index) => ({
		...{ reference, name, fileName: neutralName(index, reference) },
	}));
	if (call.overlay !== undefined) {
		const { field } = call.overlay;
		files.push({ reference: call.overlay, name: field, fileName: `${field}.png` });
	}
	for (const [index, { reference, name: field, fileName: sentName }] of files.entries()) {
		const { contentType, fileName, path } = reference;
		try {
			const found = await stat(path, { bigint: true });
			// It must be readable, too.
			await access(path, constants.R_OK);
			const head = `; filename="${sentName}"\r\nContent-Type: ${contentType}`;
			const file = { length: Number(found.size), pieces: () => readUnchanged(reference, found) };
			parts.push(part(field, `${head}\r\n\r\n`), file, Buffer.from('\r\n'));
		} catch (error) {
			throw new RequestError(
				`references[${String(index)}]`,
				{ code: 'reference.unreadable', fileName },
				error,
			);
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
