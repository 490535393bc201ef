import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RequestError } from './errors.js';
import { piecesOf } from './byteReader.js';
import { parseAnswer, type HttpAnswer } from './httpAnswer.js';
import type { RequestBody } from './requestBody.js';
import type { Service } from './services.js';
import type { Transport } from './transport.js';

interface Message {
	/** The key in its header, and what else is not the same in all requests. */
	readonly headers: Readonly<Record<string, string>>;
	/** Without one it is a GET. */
	readonly body?: RequestBody;
	readonly transport: Transport;
}

/**
 * Sends the request on a connection of its own and resolves with the head of the answer.
 *
 * @param onStep called with `sent` when the operating system has taken the last byte of the request:
 * until then it has certainly not left as a whole, from then on it may have, and may be charged; with
 * `answering` at the first byte of an answer
 * @param signal destroys the connection, also after the head has arrived
 * @throws what `transport.connect` and `parseAnswer` throw, the error of the connection, or of a file
 * that is read
 */
export async function sendRequest(
	url: URL,
	{ headers, body, transport }: Message,
	onStep: (step: 'sent' | 'answering') => void,
	signal: AbortSignal,
): Promise<HttpAnswer> {
	const socket = await transport.connect(signal);
	if (signal.aborted) {
		socket.destroy();
		throw signal.reason as Error;
	}
	const close = () => {
		socket.destroy();
	};
	signal.addEventListener('abort', close);
	const answer = parseAnswer(piecesOf(socket));
	socket.once('data', () => {
		onStep('answering');
	});
	const head = headOf(body === undefined ? 'GET' : 'POST', url, {
		host: url.host,
		accept: 'application/json',
		...headers,
		// Nothing can be gained by compressing base64, and an answer comes only once.
		'accept-encoding': 'identity',
		...(body === undefined
			? {}
			: { 'content-type': body.contentType, 'content-length': String(body.length) }),
		connection: 'close',
	});
	writeRequest(head, body, socket).then(
		(isWritten) => {
			if (isWritten) {
				onStep('sent');
			}
		},
		// A file that cannot be read.
		(error: unknown) => socket.destroy(error as Error),
	);
	return { ...(await answer), close };
}

function headOf(
	method: 'GET' | 'POST',
	{ pathname, search }: URL,
	headers: Readonly<Record<string, string>>,
): string {
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/**
 * Writes a request as quickly as it is taken. A service may answer before it has everything, and then
 * read no more or hang up; the answer tells of that.
 *
 * @returns whether all of it was taken
 * @throws the error of a file that cannot be read
 */
async function writeRequest(
	head: string,
	body: RequestBody | undefined,
	socket: Socket,
): Promise<boolean> {
	let isOpen = await isWritten(head, socket);
	for await (const piece of body?.pieces() ?? []) {
		// What has come is read before the connection is written to again: where the service has answered
		// and hung up, writing ends it, and an answer that was not read is gone with it.
		await nextTurn();
		isOpen &&= !socket.destroyed && (await isWritten(piece, socket));
		if (!isOpen) {
			break;
		}
	}
	return isOpen;
}

/** Resolves when the piece was taken or never will be: its memory is free then. */
function isWritten(piece: string | Uint8Array, socket: Socket): Promise<boolean> {
	return new Promise((resolve) => {
		socket.write(piece, (error) => {
			resolve(!error);
		});
	});
}

/**
 * Returns the header that a service takes the key in; none where it works without a key, and has none.
 *
 * @throws as {@link bearer}
 */
export function keyHeader(
	{ keyHeader: name, keyIsOptional }: Pick<Service, 'keyHeader' | 'keyIsOptional'>,
	key: string,
): Readonly<Record<string, string>> {
	if (key === '' && keyIsOptional === true) {
		return {};
	}
	const authorization = bearer(key);
	return name === 'authorization' ? { authorization } : { [name]: key };
}

/**
 * The value of `Authorization`: `Bearer <API_KEY>` (specification, "Authentication", 1).
 *
 * @throws {RequestError} where the key is empty or cannot stand in a header
 */
export function bearer(key: string): string {
	// RFC 9110, part 5.5: other characters cannot stand in a header at all.
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new RequestError('key', { code: key === '' ? 'key.missing' : 'key.invalid' });
	}
	return `Bearer ${key}`;
}
