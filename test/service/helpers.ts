import assert from 'node:assert/strict';
import { createCanvas } from '@napi-rs/canvas';
import { imageSize } from 'image-size';
import { Agent, FormData, request, type Dispatcher } from 'undici';
import { startImageService, type ImageService, type ImageServiceOptions } from './server.js';

/** An answer that was read to its end. */
export interface Reply {
	readonly status: number;
	readonly statusText?: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly text: string;
}

export const key = 'key-for-tests';

export const statedFields = {
	model: 'std-image-2',
	n: 1,
	response_format: 'b64_json',
	output_format: 'png',
} as const;

/** One service and one pool of connections for a test; both are gone after it. */
export async function withService(
	run: (service: ImageService, client: Client) => Promise<void>,
	options: ImageServiceOptions = {},
): Promise<void> {
	const service = await startImageService({ key, ...options });
	const agent = new Agent({ connect: { rejectUnauthorized: false } });
	try {
		await run(service, new Client(service.address, agent));
	} finally {
		await agent.destroy();
		await service.close();
	}
}

/** Sends requests with nothing between a test and the wire but undici. */
export class Client {
	constructor(
		readonly address: string,
		readonly dispatcher: Dispatcher,
	) {}

	/** A text-to-image request; a field that is `undefined` is left out. */
	generate(fields: Record<string, unknown> = {}, init: Init = {}): Promise<Reply> {
		const body = JSON.stringify({ ...statedFields, prompt: 'A fox', ...fields });
		const headers = { 'content-type': 'application/json', ...init.headers };
		return this.send('/v1/images/generations', { body, ...init, headers });
	}

	/** An edit with the given parts beside the stated ones. */
	edit(parts: readonly Part[] = [], left: readonly string[] = []): Promise<Reply> {
		const form = new FormData();
		for (const [name, value] of Object.entries({ ...statedFields, prompt: 'Make it blue' })) {
			if (!left.includes(name)) {
				form.append(name, String(value));
			}
		}
		for (const [name, value, fileName] of parts) {
			if (typeof value === 'string') {
				form.append(name, value);
			} else {
				form.append(name, value, fileName ?? 'reference.png');
			}
		}
		return this.send('/v1/images/edits', { body: form });
	}

	async send(path: string, init: Init = {}): Promise<Reply> {
		const response = await request(`${this.address}${path}`, {
			dispatcher: this.dispatcher,
			method: init.method ?? 'POST',
			headers: { authorization: `Bearer ${key}`, ...init.headers },
			body: init.body ?? null,
			signal: init.signal ?? null,
		});
		const { statusCode: status, statusText, headers } = response;
		return { status, statusText, headers, text: await response.body.text() };
	}
}

export type Part = readonly [name: string, value: string | Blob, fileName?: string];

export interface Init {
	readonly method?: Dispatcher.HttpMethod;
	readonly headers?: Record<string, string>;
	readonly body?: string | Buffer | FormData | import('node:stream').Readable;
	readonly signal?: AbortSignal;
}

/** A small picture as a part of a form. */
export async function reference(
	format: 'png' | 'jpeg' | 'webp' = 'png',
	color = 'red',
): Promise<Blob> {
	const canvas = createCanvas(8, 6);
	const context = canvas.getContext('2d');
	context.fillStyle = color;
	context.fillRect(0, 0, 8, 6);
	const bytes = format === 'png' ? await canvas.encode('png') : await canvas.encode(format);
	return new Blob([new Uint8Array(bytes)], { type: `image/${format}` });
}

/** The message of the declared error shape; anything else fails the test. */
export function errorMessage({ status, headers, text }: Reply, expected: number): string {
	assert.equal(status, expected, text);
	assert.equal(headers['content-type'], 'application/json');
	const { error } = JSON.parse(text) as { error: Record<string, unknown> };
	assert.deepEqual(Object.keys(error), ['message', 'type', 'code']);
	if (expected === 400) {
		assert.equal(error.type, 'invalid_request_error');
		assert.equal(error.code, 'invalid_request');
	}
	return String(error.message);
}

/** The picture of an answer. */
export function pictureOf({ status, text }: Reply): Buffer {
	assert.equal(status, 200, text.slice(0, 500));
	const { data } = JSON.parse(text) as { data: { b64_json: string }[] };
	return Buffer.from(data[0]!.b64_json, 'base64');
}

/** Format and pixels of a picture, for example `png 1024x1024`. */
export function formatOf(picture: Uint8Array): string {
	const { type, width, height } = imageSize(picture);
	return `${type} ${width}x${height}`;
}
