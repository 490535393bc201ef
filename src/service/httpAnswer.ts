import { ByteReader, maxLineBytes } from './byteReader.js';
import { serviceText } from './serviceText.js';

/** Status and request identifier in the head of an answer. */
export interface Answered {
	readonly status: number;
	/** The service's own identifier of the request, where its answer named one. */
	readonly requestId: string | undefined;
}

/** An answer whose head has arrived. */
export interface HttpAnswer {
	readonly status: number;
	readonly statusMessage: string;
	/** By their names in lower case. */
	readonly headers: Readonly<Record<string, string | undefined>>;
	/** Every piece of the body that has arrived, and then the error that broke it off, if any. */
	readonly body: AsyncIterable<Buffer>;
	/** Closes the connection, so that the body ends with what has arrived and an error. */
	readonly close: () => void;
}

/** Thrown where an answer does not follow HTTP so far that a body could be read. */
export class MalformedAnswerError extends Error {
	override readonly name = 'MalformedAnswerError';

	/** @param code by the name that Node's parser has for it */
	constructor(readonly code: 'HPE_INVALID_CONSTANT' | 'HPE_INVALID_CHUNK_SIZE') {
		super(`the answer does not follow HTTP (${code})`);
	}
}

/** Reads the head of an answer, without the secrets that were sent and may be repeated. */
export function readAnswerHead(
	{ status, headers }: HttpAnswer,
	secrets: readonly string[],
): Answered {
	const requestId = ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray']
		.map((name) => serviceText(headers[name] ?? '', secrets, 200))
		.find((text) => text !== '');
	return { status, requestId };
}

/**
 * Parses an answer (RFC 9112). It is the only one on its connection, so it is read as leniently as
 * it can be: Node's parser refuses some that were paid for, and drops what comes behind its refusal.
 *
 * @throws the errors of the pieces
 * @throws {MalformedAnswerError} where it does not begin like HTTP; from the body, behind everything
 * that has arrived, where a chunk has no size
 */
export async function parseAnswer(
	pieces: AsyncIterable<Buffer>,
): Promise<Omit<HttpAnswer, 'close'>> {
	const reader = new ByteReader(pieces);
	for (;;) {
		if (!'HTTP/'.startsWith(await reader.peek('HTTP/'.length))) {
			throw new MalformedAnswerError('HPE_INVALID_CONSTANT');
		}
		const [, status, statusMessage = ''] =
			/^HTTP\/\d(?:\.\d)? (\d{3})(.*)/.exec(await reader.line()) ?? [];
		if (status === undefined) {
			throw new MalformedAnswerError('HPE_INVALID_CONSTANT');
		}
		const headers = await parseHeaders(reader);
		// Others are interim (RFC 9110, part 15.2), and a change of protocol was not asked for.
		if (!status.startsWith('1')) {
			const body = bodyOf(reader, Number(status), headers);
			return { status: Number(status), statusMessage: statusMessage.trim(), headers, body };
		}
	}
}

async function parseHeaders(reader: ByteReader): Promise<Record<string, string>> {
	const headers: Record<string, string> = {};
	let line = await reader.line();
	for (let bytes = line.length; line.trim() !== '' && bytes < maxLineBytes;) {
		const [, name, value = ''] = /^([^\s:]+)\s*:(.*)/.exec(line) ?? [];
		const key = name?.toLowerCase();
		// Of those that are repeated the first one counts, but for those that say where the body ends.
		if (key === 'content-length' || key === 'transfer-encoding') {
			headers[key] = headers[key] === undefined ? value.trim() : `${headers[key]}, ${value.trim()}`;
		} else if (key !== undefined) {
			headers[key] ??= value.trim();
		}
		line = await reader.line();
		bytes += line.length;
	}
	return headers;
}

function bodyOf(
	reader: ByteReader,
	status: number,
	headers: Readonly<Record<string, string>>,
): AsyncGenerator<Buffer, void> {
	if (/\bchunked\b/i.test(headers['transfer-encoding'] ?? '')) {
		return chunksOf(reader);
	}
	// One that is repeated counts where it stays the same.
	const length = /^(\d+)(?:, *\1)*$/.exec(headers['content-length'] ?? '')?.[1];
	if (length !== undefined || status === 204) {
		return reader.take(Number(length ?? 0));
	}
	return reader.rest();
}

async function* chunksOf(reader: ByteReader): AsyncGenerator<Buffer, void> {
	for (;;) {
		let line: string;
		try {
			line = await reader.line();
		} catch (error) {
			// All but the start of a size is kept: a gateway may have joined the chunks and say otherwise.
			if (!/^[0-9a-f]*\s*(?:;|$)/i.test(await reader.peek(maxLineBytes))) {
				yield* reader.rest();
			}
			throw error;
		}
		const size = /^([0-9a-f]+)\s*(?:;|$)/i.exec(line)?.[1];
		if (size !== undefined) {
			yield* reader.take(Number.parseInt(size, 16));
			if (/^0+$/.test(size)) {
				return;
			}
		} else if (line.trim() !== '') {
			// It is kept, although it cannot be read.
			yield Buffer.from(line, 'latin1');
			yield* reader.rest();
			throw new MalformedAnswerError('HPE_INVALID_CHUNK_SIZE');
		}
	}
}
