import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { FormDataEncoder } from 'form-data-encoder';
import { RequestError } from './errors.js';
import type { Transport } from './transport.js';

interface Message {
	readonly authorization: string;
	readonly body: string | FormDataEncoder;
	readonly transport: Transport;
}

/**
 * Sends the request on a connection of its own and resolves with the head of the answer.
 *
 * @param onSent called when the operating system has taken the last byte of the request. Until then
 * it has certainly not left as a whole; from then on it may have, and may be charged.
 * @param signal destroys the connection, also after the head has arrived
 * @throws what `transport.connect` throws, the error of the connection, or of a file that is read
 */
export async function sendRequest(
	url: URL,
	{ authorization, body, transport }: Message,
	onSent: () => void,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	const socket = await transport.connect(signal);
	if (signal.aborted) {
		socket.destroy();
		throw signal.reason as Error;
	}
	const request = http.request({
		method: 'POST',
		path: url.pathname,
		headers: {
			host: url.host,
			authorization,
			accept: 'application/json',
			// Nothing can be gained by compressing base64, and an answer comes only once.
			'accept-encoding': 'identity',
			...(typeof body === 'string'
				? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
				: body.headers),
		},
		createConnection: () => socket,
	});
	// Destroying the request instead would throw away what has arrived and was not read yet.
	signal.addEventListener('abort', () => socket.destroy());
	request.once('finish', onSent);
	const answer = new Promise<IncomingMessage>((resolve, reject) => {
		request.once('response', resolve);
		request.on('error', reject);
		// Node has told of an error or an answer by then, but of nothing where a server answers with 101.
		request.once('close', () => {
			reject(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }));
		});
	});
	if (typeof body === 'string') {
		request.end(body);
	} else {
		writeForm(body, request).catch((error: unknown) => request.destroy(error as Error));
	}
	return answer;
}

/**
 * Writes a form as quickly as it is taken. A service may answer before it has everything, and then
 * read no more or hang up; the answer tells of that.
 *
 * @throws the error of a file that cannot be read
 */
async function writeForm(form: FormDataEncoder, request: ClientRequest): Promise<void> {
	for await (const piece of form) {
		// What has come is read before the connection is written to again: where the service has answered
		// and hung up, writing ends it, and an answer that nobody has read is gone with it.
		await setImmediate();
		if (request.destroyed) {
			return;
		}
		await written(piece, request);
	}
	request.end();
}

/** Resolves when the piece was taken or never will be: its memory is free then. */
function written(piece: Uint8Array, request: ClientRequest): Promise<void> {
	return new Promise((resolve) => {
		// Where it closes with an error, the promise of the answer rejects with it.
		request.once('close', resolve);
		request.write(piece, () => {
			request.off('close', resolve);
			resolve();
		});
	});
}

/**
 * The value of `Authorization`: `Bearer <API_KEY>` (specification, "Authentication", 1).
 *
 * @throws {RequestError} where the key is empty or cannot stand in a header
 */
export function bearer(key: string): string {
	// RFC 9110, part 5.5: other characters cannot stand in a header at all.
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new RequestError(
			'key',
			key === ''
				? 'There is no API key for this service address.'
				: 'The API key contains a space or an invalid character. Set it again.',
		);
	}
	return `Bearer ${key}`;
}
