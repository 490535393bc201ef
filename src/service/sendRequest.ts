import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FormDataEncoder } from 'form-data-encoder';
import { RequestError } from './errors.js';
import {
	connectionClosed,
	MalformedAnswerError,
	piecesOf,
	takeFrom,
	type HttpAnswer,
} from './httpAnswer.js';
import type { Transport } from './transport.js';

interface Message {
	readonly authorization: string;
	readonly body: string | FormDataEncoder;
	readonly transport: Transport;
}

/** Of an answer's head, in bytes; Node's default is 16 KiB, which one large cookie can fill. */
const maxHeadBytes = 1024 * 1024;

/**
 * Sends the request on a connection of its own and resolves with the head of the answer. The answer
 * is read as leniently as Node can: the connection carries nothing else.
 *
 * @param onStep called with `sent` when the operating system has taken the last byte of the request:
 * until then it has certainly not left as a whole, from then on it may have, and may be charged; with
 * `answering` at the first byte of an answer
 * @param signal destroys the connection, also after the head has arrived
 * @throws what `transport.connect` throws, the error of the connection, or of a file that is read;
 * {@link MalformedAnswerError} where what has come is no answer of HTTP
 */
export async function sendRequest(
	url: URL,
	{ authorization, body, transport }: Message,
	onStep: (step: 'sent' | 'answering') => void,
	signal: AbortSignal,
): Promise<HttpAnswer> {
	const socket = await transport.connect(signal);
	if (signal.aborted) {
		socket.destroy();
		throw signal.reason as Error;
	}
	const connection = new ParsedConnection(socket);
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
		insecureHTTPParser: true,
		maxHeaderSize: maxHeadBytes,
		createConnection: () => connection,
	});
	// Destroying the request instead would throw away what has arrived and was not read yet.
	const close = () => {
		socket.destroy();
	};
	signal.addEventListener('abort', close);
	request.once('finish', () => {
		onStep('sent');
	});
	request.once('socket', () => {
		connection.watch();
		connection.once('data', () => {
			onStep('answering');
		});
	});
	const answer = new Promise<HttpAnswer>((resolve, reject) => {
		request.once('response', (response) => {
			connection.forgetHead();
			const { statusCode = 0, statusMessage = '', headers } = response;
			const body = bodyOf(response, connection);
			resolve({ status: statusCode, statusMessage, headers, body, close });
		});
		request.on('error', (error: ParserError) => {
			connection.failure ??= error;
			const answer = connection.malformed(error);
			if (answer === undefined) {
				reject(error);
			} else {
				answer.then((head) => {
					resolve({ ...head, close });
				}, reject);
			}
		});
		// Node has emitted an error or an answer by then, but nothing where a server answers with 101.
		request.once('close', () => {
			if (connection.failure === undefined) {
				reject(connectionClosed());
			}
		});
	});
	if (typeof body === 'string') {
		request.end(body);
	} else {
		writeForm(body, request).catch((error: unknown) => request.destroy(error as Error));
	}
	return answer;
}

type OpenAnswer = Omit<HttpAnswer, 'close'>;

/** An error of Node's parser has what it could not parse. */
interface ParserError extends NodeJS.ErrnoException {
	readonly rawPacket?: Buffer;
	readonly bytesParsed?: number;
}

/**
 * A connection as Node's parser has it. Where the parser refuses an answer, it destroys this one
 * alone: the connection itself stays open, so that the rest of the answer can be read.
 */
class ParsedConnection extends Duplex {
	/** What has ended the request. */
	failure: ParserError | undefined;
	/** What has come of the answer until its head is parsed. */
	#head: Buffer[] | undefined = [];
	/** What has come and was not parsed yet. */
	readonly #unparsed: Buffer[] = [];

	constructor(private readonly socket: Socket) {
		super();
		socket.on('data', this.#onData);
		socket.once('end', () => this.push(null));
		socket.on('error', (error) => {
			this.#endWith(error);
		});
		socket.once('close', () => {
			this.#endWith(undefined);
		});
	}

	/** To be called when the parser listens, so that this sees each piece before it. */
	watch(): void {
		this.prependListener('data', (piece: Buffer) => {
			this.#unparsed.shift();
			this.#head?.push(piece);
		});
	}

	/** To be called when the head is parsed. */
	forgetHead(): void {
		this.#head = undefined;
	}

	override _read(): void {
		this.socket.resume();
	}

	override _write(
		piece: Buffer,
		encoding: BufferEncoding,
		done: (error?: Error | null) => void,
	): void {
		this.socket.write(piece, encoding, done);
	}

	override _final(done: () => void): void {
		this.socket.end(done);
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
		this.socket.off('data', this.#onData);
		this.socket.pause();
		done(error);
	}

	/** Everything that has come behind what was parsed, and what still comes. */
	async *rest(): AsyncGenerator<Buffer, void> {
		const { rawPacket, bytesParsed = 0 } = this.failure ?? {};
		if (rawPacket !== undefined) {
			yield rawPacket.subarray(bytesParsed);
		}
		yield* this.#unparsed;
		yield* piecesOf(this.socket);
	}

	/**
	 * Takes an answer whose head the parser has refused: the status by itself, the rest as it comes.
	 *
	 * @returns `undefined` where the error is none of the parser's
	 */
	malformed({ code = '', rawPacket }: ParserError): Promise<OpenAnswer> | undefined {
		const head = this.#head;
		if (rawPacket === undefined || head === undefined) {
			return undefined;
		}
		return readMalformed(code, [...head, ...this.#unparsed], piecesOf(this.socket));
	}

	readonly #onData = (piece: Buffer): void => {
		this.#unparsed.push(piece);
		if (!this.push(piece)) {
			this.socket.pause();
		}
	};

	/** Ends this one behind the last piece that has come. */
	#endWith(error: Error | undefined): void {
		for (let rest = takeFrom(this.socket); rest !== null; rest = takeFrom(this.socket)) {
			this.#onData(rest);
		}
		const end = () => {
			if (this.readableLength > 0 && !this.destroyed) {
				this.once('data', () => setImmediate(end));
			} else {
				this.destroy(error);
			}
		};
		end();
	}
}

/**
 * @throws {MalformedAnswerError} where there is no status in it, or one that speaks for itself
 */
async function readMalformed(
	code: string,
	come: readonly Buffer[],
	more: AsyncGenerator<Buffer, void>,
): Promise<OpenAnswer> {
	let start = Buffer.concat(come);
	const end = () => /\r?\n\r?\n/.exec(start.toString('latin1'));
	while (end() === null && start.length < 2 * maxHeadBytes) {
		const next = await more.next().catch(() => undefined);
		if (next === undefined || next.done === true) {
			break;
		}
		start = Buffer.concat([start, next.value]);
	}
	const [, status, statusMessage = ''] =
		/^HTTP\/\d(?:\.\d)? (\d{3})([^\r\n]*)/.exec(start.toString('latin1')) ?? [];
	if (status === undefined) {
		throw new MalformedAnswerError(code);
	}
	const found = end();
	const rest = start.subarray(found === null ? start.length : found.index + found[0].length);
	const body = async function* () {
		yield rest;
		yield* more;
	};
	return { status: Number(status), statusMessage, headers: {}, body: body() };
}

async function* bodyOf(
	response: IncomingMessage,
	connection: ParsedConnection,
): AsyncGenerator<Buffer, void> {
	try {
		yield* piecesOf(response);
	} catch (error) {
		const { failure } = connection;
		if (failure?.rawPacket === undefined) {
			throw error;
		}
		// What the parser has refused is kept, although nobody knows how to read it.
		yield* connection.rest();
		throw new MalformedAnswerError(failure.code ?? '', failure);
	}
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
		await nextTurn();
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
