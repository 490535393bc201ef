import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** Something that listens on a free port of this machine and is closed with all its connections. */
export interface Listening {
	readonly port: number;
	/** Connections accepted so far. */
	connections(): number;
	close(): Promise<void>;
}

/** Lets a server listen and remembers its sockets, so that closing never waits for them. */
export async function listen(server: net.Server, host = '127.0.0.1'): Promise<Listening> {
	const sockets = new Set<net.Socket>();
	let count = 0;
	server.on('connection', (socket: net.Socket) => {
		count += 1;
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => undefined);
	});
	await new Promise<void>((resolve) => {
		server.listen(0, host, resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		connections: () => count,
		close: () =>
			new Promise((resolve) => {
				server.close(() => {
					resolve();
				});
				for (const socket of sockets) {
					socket.destroy();
				}
			}),
	};
}

/** A server that does this with the first bytes of each connection. */
export function rawServer(act: (socket: net.Socket, data: Buffer) => void): Promise<Listening> {
	return listen(
		net.createServer((socket) => {
			socket.once('data', (data) => act(socket, data));
		}),
	);
}

/** Closes after each test of a suite what was opened in it by what is returned. */
export function useServers(): <T extends Listening>(listening: Promise<T>) => Promise<T> {
	const closing: Listening[] = [];
	teardown(async () => {
		await Promise.all(closing.splice(0).map((listening) => listening.close()));
	});
	return async (listening) => {
		closing.push(await listening);
		return listening;
	};
}

/** An HTTPS server that answers every request with the headers that it got, as JSON. */
export async function echoServer(
	certificate?: Certificate,
	handler: http.RequestListener = echo,
): Promise<Listening> {
	return listen(
		certificate === undefined
			? http.createServer(handler)
			: https.createServer({ key: certificate.key, cert: certificate.cert }, handler),
	);
}

function echo(request: http.IncomingMessage, response: http.ServerResponse): void {
	request.resume().on('end', () => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(request.headers));
	});
}

export interface ProxyRecord {
	readonly target: string;
	readonly host: string | undefined;
	readonly authorization: string | undefined;
}

export interface ConnectProxy extends Listening {
	readonly connects: readonly ProxyRecord[];
}

export interface ConnectProxyOptions {
	/** It speaks TLS, with this one. */
	readonly certificate?: Certificate;
	/** It answers everything with this status. */
	readonly status?: number;
	/** The `Proxy-Authorization` that it wants. */
	readonly expected?: string;
	/** It cuts a way on which nothing was said for so long. */
	readonly idleMs?: number;
	readonly host?: string;
}

/** A proxy that speaks `CONNECT` alone; every host leads to `upstreamPort` of this machine. */
export async function connectProxy(
	upstreamPort: number,
	options: ConnectProxyOptions = {},
): Promise<ConnectProxy> {
	const { certificate } = options;
	const server =
		certificate === undefined
			? http.createServer()
			: https.createServer({ key: certificate.key, cert: certificate.cert });
	const connects: ProxyRecord[] = [];
	server.on('connect', (request: http.IncomingMessage, socket: net.Socket, head: Buffer) => {
		const authorization = request.headers['proxy-authorization'];
		connects.push({ target: request.url ?? '', host: request.headers.host, authorization });
		socket.on('error', () => undefined);
		const status =
			options.status ??
			(options.expected !== undefined && options.expected !== authorization ? 407 : 200);
		if (status !== 200) {
			socket.end(`HTTP/1.1 ${String(status)} No\r\nContent-Length: 0\r\n\r\n`);
			return;
		}
		const upstream = net.connect(upstreamPort, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			upstream.write(head);
			upstream.pipe(socket).pipe(upstream);
		});
		upstream.on('error', () => socket.destroy());
		socket.on('close', () => upstream.destroy());
		if (options.idleMs !== undefined) {
			socket.setTimeout(options.idleMs, () => socket.destroy());
		}
	});
	return Object.assign(await listen(server, options.host), { connects });
}

/** A SOCKS 5 proxy (RFC 1928) with user and password (RFC 1929). */
export async function socksProxy(
	upstreamPort: number,
): Promise<Listening & { readonly targets: readonly string[] }> {
	const targets: string[] = [];
	const server = net.createServer((socket) => {
		let step = 0;
		socket.on('data', (data) => {
			step += 1;
			if (step === 1) {
				socket.write(Buffer.from([5, 2]));
			} else if (step === 2) {
				const user = data.subarray(2, 2 + (data[1] ?? 0)).toString();
				targets.push(`user ${user}`);
				socket.write(Buffer.from([1, 0]));
			} else if (step === 3) {
				const length = data[4] ?? 0;
				const host = data.subarray(5, 5 + length).toString();
				targets.push(`${host}:${String(data.readUInt16BE(5 + length))}`);
				socket.removeAllListeners('data');
				const upstream = net.connect(upstreamPort, '127.0.0.1', () => {
					socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
					upstream.pipe(socket).pipe(upstream);
				});
				upstream.on('error', () => socket.destroy());
			}
		});
	});
	return Object.assign(await listen(server), { targets });
}

export interface Certificate {
	readonly key: string;
	readonly cert: string;
}

/** A self-signed certificate for host names and addresses, which is its own authority. */
export async function certificateFor(
	names: readonly string[],
	options: { expired?: boolean } = {},
): Promise<Certificate> {
	const day = 24 * 60 * 60 * 1000;
	const notBeforeDate = new Date(Date.now() - 10 * day);
	const pems = await generate([{ name: 'commonName', value: names[0] ?? 'localhost' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notBeforeDate,
		notAfterDate: new Date(Date.now() + (options.expired ? -day : 10 * day)),
		extensions: [
			{ name: 'basicConstraints', cA: true, critical: true },
			{ name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
			{
				name: 'subjectAltName',
				altNames: names.map((name) =>
					net.isIP(name) ? { type: 7, ip: name } : { type: 2, value: name },
				),
			},
		],
	});
	return { key: pems.private, cert: pems.cert };
}

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
	const listening = await listen(net.createServer());
	await listening.close();
	return listening.port;
}
