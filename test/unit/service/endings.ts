import net, { type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import { seeded } from '../images/random.js';
import { listen, type Certificate, type Listening } from './networkFixtures.js';

/** Content that an ending has to bring over: the head without its end, and the body. */
interface Reply {
	readonly body: Buffer;
	/** Bytes at the end of the body that belong to the JSON, not to the picture any more. */
	readonly tail: number;
	readonly random: () => number;
}

/** One way in which a server can bring an answer to its end. */
type Ending = (socket: Socket, reply: Reply) => Promise<void>;

const head = (...lines: string[]) =>
	Buffer.from(
		['HTTP/1.1 200 OK', 'content-type: application/json', ...lines, '', ''].join('\r\n'),
		'latin1',
	);
const sized = ({ body }: Reply, ...lines: string[]) =>
	head(`content-length: ${String(body.length)}`, ...lines);
const close = 'connection: close';
const chunkedBody = 'transfer-encoding: chunked';

/** Every ending by its name. In all of them the whole picture leaves the server. */
const endings: Readonly<Record<string, Ending>> = {
	'kept alive': async (socket, reply) => {
		await write(socket, Buffer.concat([sized(reply), reply.body]));
	},
	'closed with the last byte': async (socket, reply) => {
		socket.end(Buffer.concat([sized(reply, close), reply.body]));
		await Promise.resolve();
	},
	'closed with the last byte, unannounced': async (socket, reply) => {
		socket.end(Buffer.concat([sized(reply), reply.body]));
		await Promise.resolve();
	},
	'closed after the last byte': async (socket, reply) => {
		await write(socket, Buffer.concat([sized(reply, close), reply.body]));
		await sleep(reply.random() * 30);
		socket.end();
	},
	'ended by the close alone': async (socket, reply) => {
		socket.end(Buffer.concat([head(close), reply.body]));
		await Promise.resolve();
	},
	'HTTP/1.0': async (socket, reply) => {
		const old = sized(reply).toString('latin1').replace('HTTP/1.1', 'HTTP/1.0');
		socket.end(Buffer.concat([Buffer.from(old, 'latin1'), reply.body]));
		await Promise.resolve();
	},
	'after an interim answer': async (socket, reply) => {
		await write(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n', 'latin1'));
		socket.end(Buffer.concat([sized(reply, close), reply.body]));
	},
	'in chunks, kept alive': async (socket, reply) => {
		await write(socket, Buffer.concat([head(chunkedBody), ...chunks(reply), lastChunk]));
	},
	'in chunks, closed with the last one': async (socket, reply) => {
		socket.end(Buffer.concat([head(chunkedBody, close), ...chunks(reply), lastChunk]));
		await Promise.resolve();
	},
	'in chunks, closed after the last one': async (socket, reply) => {
		await write(socket, Buffer.concat([head(chunkedBody, close), ...chunks(reply)]));
		await sleep(reply.random() * 30);
		socket.end(lastChunk);
	},
	'in chunks, with trailers': async (socket, reply) => {
		const trailers = Buffer.from('0\r\nx-sum: 1\r\n\r\n', 'latin1');
		socket.end(Buffer.concat([head(chunkedBody, close), ...chunks(reply), trailers]));
		await Promise.resolve();
	},
	'split anywhere': async (socket, reply) => {
		socket.setNoDelay(true);
		const whole = Buffer.concat([sized(reply, close), reply.body]);
		// At the end most of all, where every border matters.
		const end = whole.length - Math.min(whole.length, 200);
		for (let at = 0; at < end;) {
			const size = Math.min(end - at, 1 + Math.floor(reply.random() * 400_000));
			await write(socket, whole.subarray(at, at + size));
			at += size;
			await turn();
		}
		for (let at = end; at < whole.length;) {
			const size = 1 + Math.floor(reply.random() * 40);
			await write(socket, whole.subarray(at, at + size));
			at += size;
			await turn();
		}
		socket.end();
	},
	slowly: async (socket, reply) => {
		await write(socket, sized(reply, close));
		const size = Math.ceil(reply.body.length / 20);
		for (let at = 0; at < reply.body.length; at += size) {
			await sleep(reply.random() * 20);
			await write(socket, reply.body.subarray(at, at + size));
		}
		socket.end();
	},
	'closed before the last byte, after the picture': async (socket, reply) => {
		const missing = 1 + Math.floor(reply.random() * reply.tail);
		const { body } = reply;
		socket.end(Buffer.concat([sized(reply, close), body.subarray(0, body.length - missing)]));
		await Promise.resolve();
	},
	'packed, with a wrong end': async (socket, reply) => {
		const packed = await pack(reply.body, { level: 1 });
		const checksum = packed.length - 8 + Math.floor(reply.random() * 8);
		const behind = [
			Buffer.from('\r\n'),
			Buffer.from('<!-- a gateway -->'),
			packed,
			// A wrong checksum, or a wrong length.
			undefined,
			undefined,
		][Math.floor(reply.random() * 5)];
		if (behind === undefined) {
			packed[checksum]! ^= 0xff;
		}
		const body = Buffer.concat([packed, behind ?? Buffer.alloc(0)]);
		socket.end(Buffer.concat([sized({ ...reply, body }, close, 'content-encoding: gzip'), body]));
	},
	'in chunks, closed before the last one': async (socket, reply) => {
		socket.end(Buffer.concat([head(chunkedBody, close), ...chunks(reply)]));
		await Promise.resolve();
	},
};

const pack = promisify<Buffer, ZlibOptions, Buffer>(gzip);

/** Endings that only TLS knows. */
const tlsEndings: Readonly<Record<string, Ending>> = {
	'closed without a goodbye': async (socket, reply) => {
		await write(socket, Buffer.concat([sized(reply, close), reply.body]));
		rawOf.get(socket)?.end();
	},
};

const lastChunk = Buffer.from('0\r\n\r\n', 'latin1');

function* chunks({ body, random }: Reply): Generator<Buffer> {
	for (let at = 0; at < body.length;) {
		const size = Math.min(body.length - at, 1 + Math.floor(random() * 300_000));
		yield Buffer.from(`${size.toString(16)}\r\n`, 'latin1');
		yield body.subarray(at, at + size);
		yield Buffer.from('\r\n', 'latin1');
		at += size;
	}
}

async function write(socket: Socket, data: Buffer): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		socket.write(data, (error) => (error ? reject(error) : resolve()));
	});
}

/** Below a TLS connection, the one that carries it. */
const rawOf = new WeakMap<Socket, Socket>();

/** The names of the endings over TLS, or without it. */
export function endingNames(secure: boolean): string[] {
	return Object.keys(secure ? { ...endings, ...tlsEndings } : endings);
}

/**
 * A server with nothing between it and the wire, that ends each answer in the way that the prompt
 * names.
 *
 * @param tail how many bytes at the end of the body are not the picture's
 */
export function endingServer(
	body: Buffer,
	tail: number,
	certificate?: Certificate,
): Promise<Listening> {
	const random = seeded(7);
	const serve = async (socket: Socket) => {
		const name = await readPrompt(socket);
		await { ...endings, ...tlsEndings }[name]!(socket, { body, tail, random });
	};
	return listen(
		net.createServer((raw) => {
			const socket =
				certificate === undefined
					? raw
					: new tls.TLSSocket(raw, {
							isServer: true,
							key: certificate.key,
							cert: certificate.cert,
						});
			rawOf.set(socket, raw);
			socket.on('error', () => undefined);
			// A client that leaves in the middle is no fault of the server.
			serve(socket).catch(() => raw.destroy());
		}),
	);
}

/** Reads one request, and of it the prompt. */
async function readPrompt(socket: Socket): Promise<string> {
	let request = '';
	for await (const piece of socket.iterator({ destroyOnReturn: false })) {
		request += (piece as Buffer).toString('latin1');
		const headEnd = request.indexOf('\r\n\r\n');
		const length = /content-length: (\d+)/i.exec(request)?.[1];
		if (headEnd > 0 && request.length >= headEnd + 4 + Number(length)) {
			return (JSON.parse(request.slice(headEnd + 4)) as { prompt: string }).prompt;
		}
	}
	throw new Error('The request ended too early.');
}
