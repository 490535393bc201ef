import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { serviceText } from './serviceText.js';

/** What the head of an answer says. */
export interface Answered {
	readonly status: number;
	/** The service's own identifier of the request, where its answer named one. */
	readonly requestId: string | undefined;
}

/**
 * Reads the head of an answer.
 *
 * @param secrets what was sent and may be repeated
 */
export function headOf(
	{ statusCode = 0, headers }: IncomingMessage,
	secrets: readonly string[],
): Answered {
	return { status: statusCode, requestId: requestIdOf(headers, secrets) };
}

function requestIdOf(headers: IncomingHttpHeaders, secrets: readonly string[]): string | undefined {
	for (const name of ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray']) {
		const value = headers[name];
		const text = serviceText((Array.isArray(value) ? value[0] : value) ?? '', secrets, 200);
		if (text !== '') {
			return text;
		}
	}
	return undefined;
}

/**
 * The body, decompressed where a server compressed it without having been asked (RFC 9110, part
 * 8.4.1). A coding that is not known here is left as it is.
 */
export function decodedBody(response: IncomingMessage): AsyncIterable<Uint8Array> {
	const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
	const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
	if (decoder === undefined) {
		return bodyOf(response);
	}
	const stream = decoder();
	// An error of either is thrown where `stream` is read.
	pipeline(bodyOf(response), stream).catch(() => undefined);
	return stream;
}

/**
 * The pieces of a body, every one that has arrived, and then the error that broke it off, if any.
 * Iterating over the response itself would leave out those that are here and were not read yet.
 */
async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
	const pieces: Buffer[] = [];
	let waiting = Promise.withResolvers<void>();
	let end: { readonly error: Error | undefined } | undefined;
	const finish = (error?: Error) => {
		// TLS reads ahead, so a connection can break before the last piece was emitted.
		for (let rest = take(response); rest !== null; rest = take(response)) {
			pieces.push(rest);
		}
		end ??= { error };
		waiting.resolve();
	};
	response.on('data', (piece: Buffer) => {
		pieces.push(piece);
		if (pieces.length >= mostPieces) {
			response.pause();
		}
		waiting.resolve();
	});
	response.on('error', finish);
	response.once('end', () => {
		finish();
	});
	// Node has told of an error or the end by then. If not, the loop below would wait for ever.
	response.once('close', () => {
		finish(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }));
	});
	for (;;) {
		const piece = pieces.shift();
		if (piece !== undefined) {
			yield piece;
		} else if (end !== undefined) {
			if (end.error !== undefined) {
				throw end.error;
			}
			return;
		} else {
			waiting = Promise.withResolvers();
			response.resume();
			await waiting.promise;
		}
	}
}

function take(response: IncomingMessage): Buffer | null {
	return response.read() as Buffer | null;
}

/** With so many pieces waiting, of up to 64 KiB each, reading from the connection pauses. */
const mostPieces = 16;

const decoders: Readonly<Record<string, () => Duplex>> = {
	gzip: createGunzip,
	'x-gzip': createGunzip,
	deflate: createInflate,
	br: createBrotliDecompress,
};
