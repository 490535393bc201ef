import { STATUS_CODES, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImageOrder } from './contractCheck.js';
import { hasPicture, withoutDirectives, type Effects } from './faults.js';
import { editedPicture } from './editedPicture.js';
import { dimensionsOf, inFormat, type PictureOrder } from './picture.js';
import { PictureCache } from './pictureCache.js';
import { padPng, signPng } from './png.js';
import { errorBody, quotaBody } from './refusal.js';

/** An answer ready to be sent. */
export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	/** Instead of the usual words of the status. */
	readonly reason?: string | undefined;
	readonly body: Iterable<Buffer>;
}

/** Size of the pictures: as those of the real service, or about 0.1 MB. */
export type PictureSizes = 'real' | 'small';

/** Tests ask for the same few pictures again and again; 64 MiB hold about 30 of 1024x1024. */
const cache = new PictureCache(64 * 1024 * 1024);

/** A multiple of three, so that the base64 of the pieces joins to the base64 of the whole. */
const pieceSize = 48 * 1024;
const html = '<!doctype html><html><head><title>Gateway</title></head><body>Hello.</body></html>\n';

/** An error as JSON. */
export function jsonAnswer(
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): Answer {
	return textAnswer(status, 'application/json', JSON.stringify(body), headers);
}

/** The answer that a fault with a status asks for. */
export function faultyStatus(status: number, effects: Effects): Answer {
	return { ...statusBody(status, effects), reason: effects.reason };
}

function statusBody(status: number, effects: Effects): Answer {
	const headers: Record<string, string> =
		effects.retryAfter === undefined ? {} : { 'retry-after': String(effects.retryAfter) };
	const message = effects.message ?? `Stand-in: ${STATUS_CODES[status] ?? 'status'} as asked.`;
	switch (effects.body ?? (status === 402 ? 'flat' : 'json')) {
		case 'html':
			return textAnswer(status, 'text/html; charset=utf-8', html, headers);
		case 'text':
			return textAnswer(status, 'text/plain; charset=utf-8', message, headers);
		case 'empty':
			return { status, headers, body: [] };
		case 'flat':
			return jsonAnswer(status, quotaBody(message), headers);
		case 'json': {
			const type = status < 500 ? 'invalid_request_error' : 'server_error';
			const code = status === 400 ? 'invalid_request' : `status_${status}`;
			return jsonAnswer(status, errorBody(message, type, code), headers);
		}
	}
}

/**
 * The image response for an order, with whatever the effects do to it.
 *
 * @param pictures the size of pictures where the effects do not say it
 * @param place puts a picture where it can be fetched, and returns its address
 */
export async function imageAnswer(
	order: ImageOrder,
	effects: Effects,
	pictures: PictureSizes,
	place: (picture: Buffer) => string,
): Promise<Answer> {
	const picture = hasPicture(effects) ? await drawn(order, effects, pictures) : Buffer.alloc(0);
	return {
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: cutPieces(
			responseText(
				picture,
				effects,
				effects.link === true
					? place(picture)
					: typeof effects.link === 'string'
						? effects.link
						: undefined,
			),
			effects.chunkSize,
		),
	};
}

/**
 * Sends an answer piece by piece, each one after the last is out of the process.
 *
 * @param gone ends the sending: the client went away, or the service closes
 * @param halfway runs about half-way through the body, where the effects ask for it
 * @returns `cut` where the connection was cut as the effects ask
 */
export async function send(
	response: ServerResponse,
	{ status, headers, reason, body }: Answer,
	effects: Effects,
	gone: AbortSignal,
	halfway: () => Promise<void> = () => Promise.resolve(),
): Promise<'sent' | 'cut'> {
	const stops = effects.cut === 'body' || effects.hold === 'body';
	// An endless one has no half.
	const whole = stops && effects.answer !== 'endless' ? [...body] : undefined;
	const half = Math.max(1, (whole?.length ?? 0) >> 1);
	response.writeHead(status, reason ?? STATUS_CODES[status] ?? '', {
		...headers,
		...effects.headers,
	});
	response.flushHeaders();
	await write(whole?.slice(0, half) ?? body);
	if (whole) {
		await halfway();
		if (effects.cut === 'body') {
			response.destroy();
			return 'cut';
		}
		await write(whole.slice(half));
	}
	response.end();
	return 'sent';

	async function write(pieces: Iterable<Buffer>): Promise<void> {
		let first = true;
		for (const piece of pieces) {
			if (!first && effects.chunkPause) {
				await sleep(effects.chunkPause, undefined, { signal: gone });
			}
			first = false;
			await unlessGone(gone, (done) => response.write(piece, done));
		}
	}
}

async function drawn(order: ImageOrder, effects: Effects, pictures: PictureSizes): Promise<Buffer> {
	const picture = await drawnAs(order, effects, pictures);
	const format = effects.format ?? order.format ?? 'png';
	return effects.signed ? signPng(picture) : inFormat(picture, format, order.isTransparent);
}

async function drawnAs(
	order: ImageOrder,
	{ answer, dimensions, bytes, small, edit }: Effects,
	pictures: PictureSizes,
): Promise<Buffer> {
	if (answer === 'text-image') {
		return Buffer.from('This is text and not an image.\n'.repeat(40));
	}
	const [reference] = order.references;
	if (edit !== undefined && reference !== undefined) {
		return editedPicture(reference, edit);
	}
	const asked: PictureOrder = {
		...order,
		prompt: withoutDirectives(order.prompt) || 'Untitled',
		dimensions: dimensions === undefined ? undefined : dimensionsOf(dimensions),
		small: small ?? pictures === 'small',
	};
	const png = await cache.get(asked);
	if (bytes === undefined) {
		return png;
	}
	return padPng(png.length > bytes ? await cache.get({ ...asked, small: true }) : png, bytes);
}

function* responseText(picture: Buffer, effects: Effects, link?: string): Generator<string> {
	const { answer, dataUri, extraFields, revisedPrompt } = effects;
	const created = Math.floor(Date.now() / 1000);
	yield `{${extraFields ? `${misleading},` : ''}"created":${created},"data":[{`;
	if (extraFields) {
		yield `${misleadingInItem},`;
	}
	if (link === undefined) {
		yield `"b64_json":"${dataUri ? 'data:image/png;base64,' : ''}`;
		yield* base64Text(picture, answer);
		yield '"';
	} else {
		yield `"url":${JSON.stringify(link)}`;
	}
	if (revisedPrompt !== undefined) {
		yield `,"revised_prompt":${JSON.stringify(revisedPrompt)}`;
	}
	if (extraFields) {
		yield ',"seed":12345,"safety":{"flagged":false,"scores":[0,0.5,{"a":null}]}';
	}
	yield `}]${extraFields ? ',"usage":{"total":1,"details":[{"b64_json":"ZGVjb3k="}]},"z":null' : ''}}`;
}

// Fields that only look like the image, for a client that searches instead of reading.
const misleading =
	'"id":"img_1","debug":{"data":[{"b64_json":"ZGVjb3k="}],"b64_json":"ZGVjb3k="},"list":[[1],[]]';
const misleadingInItem =
	'"index":0,"preview":{"b64_json":"ZGVjb3k=","note":"\\"b64_json\\":\\"x\\""},"tags":["a",["b"]]';

function* base64Text(picture: Buffer, answer: Effects['answer']): Generator<string> {
	const half = Math.floor(picture.length / 2 / pieceSize) * pieceSize;
	// Padding would end an endless one.
	const end = answer === 'endless' ? picture.length - (picture.length % 3) : picture.length;
	for (let at = 0; at < end; at += pieceSize) {
		const text = picture.toString('base64', at, Math.min(at + pieceSize, end));
		// One character in the middle that is none of base64's.
		yield answer === 'broken-base64' && at === half ? `${text.slice(0, 8)}!${text.slice(9)}` : text;
	}
	while (answer === 'endless') {
		yield 'QUFB'.repeat(pieceSize / 4);
	}
}

/** Encodes the text's pieces, cut to `size` bytes each where that is given. */
export function* cutPieces(texts: Iterable<string>, size: number | undefined): Generator<Buffer> {
	for (const text of texts) {
		const piece = Buffer.from(text);
		for (let at = 0; at < piece.length; at += size ?? piece.length) {
			yield piece.subarray(at, at + (size ?? piece.length));
		}
	}
}

function textAnswer(
	status: number,
	contentType: string,
	text: string,
	headers: Readonly<Record<string, string>> = {},
): Answer {
	const body = text === '' ? [] : [Buffer.from(text)];
	return { status, headers: { 'content-type': contentType, ...headers }, body };
}

/** Runs a write with a callback; an abort ends the wait, since the callback then may never come. */
function unlessGone(gone: AbortSignal, write: (done: () => void) => void): Promise<void> {
	return new Promise((resolve, reject) => {
		const leave = (): void => reject(gone.reason as Error);
		if (gone.aborted) {
			leave();
			return;
		}
		gone.addEventListener('abort', leave, { once: true });
		write(() => {
			gone.removeEventListener('abort', leave);
			resolve();
		});
	});
}
