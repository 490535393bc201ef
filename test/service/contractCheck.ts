import type { Form, FormFile } from './form.js';
import { badRequest } from './refusal.js';

export type PictureFormat = 'png' | 'jpeg' | 'webp';

/** A well-formed request. */
export interface ImageOrder {
	readonly prompt: string;
	readonly size: string;
	readonly quality: string | undefined;
	/** Format of the picture; PNG by default. */
	readonly format?: PictureFormat | undefined;
	readonly isTransparent?: boolean | undefined;
	/** The bytes of the references in their order; `undefined` for one too large to keep. */
	readonly references: readonly (Buffer | undefined)[];
}

// Written down here once more, from the specification and not from the client: a judge that asks
// the accused for the law finds nothing.
const sizes = [
	...['auto', '1024x1024', '1536x1024', '1024x1536', '1536x1152', '1152x1536'],
	...['2048x2048', '2048x1152', '3840x2160', '2160x3840'],
];
const shared = ['model', 'prompt', 'n', 'size', 'response_format', 'output_format'];
const generationFields = [...shared, 'quality'];

const signatures: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
	'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
	'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
	'image/webp': (bytes) =>
		bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
};

/**
 * Checks the JSON of a text-to-image request (specification, "Text-to-image request").
 *
 * @throws {Refusal} 400, its message names the field
 */
export function checkGeneration(body: Readonly<Record<string, unknown>>): ImageOrder {
	declared(Object.keys(body), generationFields);
	const order = checkShared(body);
	if (body.n !== undefined && body.n !== 1) {
		throw badRequest('n: must be the number 1. Several images are several requests.');
	}
	if (body.quality !== undefined && body.quality !== 'high' && body.quality !== 'low') {
		throw badRequest('quality: must be "high" or "low".');
	}
	return { ...order, quality: body.quality, references: [] };
}

/**
 * Checks the form of an image-to-image request (specification, "Image-to-image request").
 *
 * @throws {Refusal} 400, its message names the field
 */
export function checkEdit({ fields, files }: Form): ImageOrder {
	declared(
		fields.map(({ name }) => name),
		shared.concat('image', 'image[]'),
	);
	const values: Record<string, string> = {};
	for (const { name, value } of fields) {
		if (name === 'image' || name === 'image[]') {
			throw badRequest(`${name}: must be a file.`);
		}
		if (name in values) {
			throw badRequest(`${name}: appears more than once.`);
		}
		values[name] = value;
	}
	const order = checkShared(values);
	if (values.n !== undefined && values.n !== '1') {
		throw badRequest('n: must be the text 1. Several images are several requests.');
	}
	checkFiles(files);
	return { ...order, quality: undefined, references: files.map(({ bytes }) => bytes) };
}

function checkShared(body: Readonly<Record<string, unknown>>): { prompt: string; size: string } {
	const { model, prompt, size = '1024x1024' } = body;
	if (model === undefined) {
		throw badRequest('model: is missing.');
	}
	if (model !== 'std-image-2') {
		throw badRequest('model: must be "std-image-2".');
	}
	if (prompt === undefined) {
		throw badRequest('prompt: is missing.');
	}
	if (typeof prompt !== 'string' || prompt.trim() === '') {
		throw badRequest('prompt: must be a text that is not empty.');
	}
	if (typeof size !== 'string' || !sizes.includes(size)) {
		throw badRequest(`size: must be one of ${sizes.join(', ')}.`);
	}
	for (const [field, only] of [
		['response_format', 'b64_json'],
		['output_format', 'png'],
	] as const) {
		if (body[field] !== undefined && body[field] !== only) {
			throw badRequest(`${field}: must be "${only}".`);
		}
	}
	return { prompt, size };
}

function declared(names: readonly string[], allowed: readonly string[]): void {
	const stranger = names.find((name) => !allowed.includes(name));
	if (stranger !== undefined) {
		throw badRequest(`${stranger}: is not a declared field.`);
	}
}

function checkFiles(files: readonly FormFile[]): void {
	for (const { field, contentType, head } of files) {
		if (field !== 'image' && field !== 'image[]') {
			throw badRequest(`${field}: is not a declared field for a file.`);
		}
		const matches = Object.hasOwn(signatures, contentType) ? signatures[contentType] : undefined;
		if (matches === undefined) {
			const types = Object.keys(signatures).join(', ');
			throw badRequest(`${field}: has the content type ${contentType}; allowed are ${types}.`);
		}
		if (!matches(head)) {
			throw badRequest(`${field}: the bytes of the file are not ${contentType}.`);
		}
	}
	const single = files.filter(({ field }) => field === 'image').length;
	const several = files.length - single;
	if (single > 0 && several > 0) {
		throw badRequest('image[]: must not stand beside image.');
	}
	if (single > 1) {
		throw badRequest('image: appears more than once. Several references use image[].');
	}
	if (several === 1) {
		throw badRequest('image[]: appears once only. A single reference uses image.');
	}
}
