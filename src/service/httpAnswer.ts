import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { serviceText } from './serviceText.js';

/** What the head of an answer says. */
export interface Answered {
	readonly status: number;
	/** The service's own identifier of the request, where its answer named one. */
	readonly requestId: string | undefined;
}

/** An answer whose head has arrived. */
export interface HttpAnswer {
	readonly status: number;
	readonly statusMessage: string;
	readonly headers: IncomingHttpHeaders;
	/** Every piece of the body that has arrived, and then the error that broke it off, if any. */
	readonly body: AsyncIterable<Buffer>;
	/** Closes the connection, so that the body ends with what has arrived and an error. */
	readonly close: () => void;
}

/** What came as an answer does not follow HTTP so far that a body could be read. */
export class MalformedAnswerError extends Error {
	override readonly name = 'MalformedAnswerError';

	constructor(
		/** Of Node's parser, for example `HPE_INVALID_CHUNK_SIZE`. */
		readonly code: string,
		cause?: unknown,
	) {
		super(`The answer does not follow HTTP (${code}).`, { cause });
	}
}

/**
 * Reads the head of an answer.
 *
 * @param secrets what was sent and may be repeated
 */
export function readHead({ status, headers }: HttpAnswer, secrets: readonly string[]): Answered {
	return { status, requestId: requestIdOf(headers, secrets) };
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
 * Returns every piece of a stream that has arrived, then throws the error that broke it off, if any.
 * Iterating over the stream itself would leave out those that have arrived and were not read yet.
 */
export async function* piecesOf(stream: Readable): AsyncGenerator<Buffer, void> {
	const pieces: Buffer[] = [];
	let waiting = Promise.withResolvers<void>();
	let end: { readonly error: Error | undefined } | undefined;
	const finish = (error?: Error) => {
		// TLS reads ahead, so a connection can break before the last piece was emitted.
		for (let rest = takeFrom(stream); rest !== null; rest = takeFrom(stream)) {
			pieces.push(rest);
		}
		end ??= { error };
		waiting.resolve();
	};
	stream.on('data', (piece: Buffer) => {
		pieces.push(piece);
		if (pieces.length >= maxPieces) {
			stream.pause();
		}
		waiting.resolve();
	});
	stream.on('error', finish);
	stream.once('end', () => {
		finish();
	});
	// Node has emitted an error or the end by then. If not, the loop below would wait for ever.
	stream.once('close', () => {
		finish(connectionClosed());
	});
	if (stream.readableEnded || stream.closed) {
		finish(stream.errored ?? undefined);
	}
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
			stream.resume();
			await waiting.promise;
		}
	}
}

/** Returns the error of a connection that has ended without one of its own. */
export function connectionClosed(): Error {
	return Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' });
}

/** Returns what has arrived on a stream and was not read; `null` where nothing has. */
export function takeFrom(stream: Readable): Buffer | null {
	return stream.read() as Buffer | null;
}

/** With so many pieces waiting, of up to 64 KiB each, reading from the connection pauses. */
const maxPieces = 16;
