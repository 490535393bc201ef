import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { codeOf } from '../files/refusal.js';
import { proxyCredentials, proxyName } from './proxy.js';

/** The connection through a proxy failed, so nothing of the request was sent. */
export class TunnelError extends Error {
	override readonly name = 'TunnelError';

	constructor(
		/** `PROXY_STATUS_407` and the like, or that of the cause, as in `PROXY_ECONNREFUSED`. */
		readonly code: string,
		/** Host and port of the proxy, without credentials. */
		readonly proxy: string,
		/** The proxy's answer, where it gave one that is not 200. */
		readonly status: number | undefined,
		cause?: unknown,
	) {
		super(`The proxy ${proxy} did not open a way (${code}).`, { cause });
	}

	/** Makes a tunnel's error of any error on the way to a proxy. */
	static of(error: unknown, proxy: URL): TunnelError {
		return error instanceof TunnelError
			? error
			: new TunnelError(`PROXY_${codeOf(error) || 'FAILED'}`, proxyName(proxy), undefined, error);
	}
}

/** What a tunnel leads to. */
export interface Target {
	/** A name, or an address without brackets. */
	readonly host: string;
	readonly port: number;
}

export interface TunnelOptions {
	readonly proxy: URL;
	/** The value of `Proxy-Authorization`, if any. */
	readonly authorization: string | undefined;
	readonly target: Target;
	readonly signal: AbortSignal;
}

/**
 * Opens a tunnel through a proxy on a connection to it: `CONNECT` (RFC 9110, part 9.3.6) for
 * `http:` and `https:` proxies, SOCKS 5 (RFC 1928) for the others. Either proxy resolves the host
 * itself. Where it fails, the socket is destroyed.
 *
 * @throws {TunnelError} where an HTTP proxy refuses; else the error of the connection or of SOCKS,
 * also where the signal ended it
 */
export async function openTunnel(socket: Socket, options: TunnelOptions): Promise<Socket> {
	const destroy = () => {
		socket.destroy();
	};
	options.signal.addEventListener('abort', destroy);
	try {
		return await (options.proxy.protocol.startsWith('socks')
			? openSocks(socket, options)
			: openConnect(socket, options));
	} catch (error) {
		socket.on('error', () => undefined).destroy();
		throw error;
	} finally {
		options.signal.removeEventListener('abort', destroy);
	}
}

async function openConnect(
	socket: Socket,
	{ proxy, authorization, target }: TunnelOptions,
): Promise<Socket> {
	const host = target.host.includes(':') ? `[${target.host}]` : target.host;
	const authority = `${host}:${String(target.port)}`;
	const request = http.request({
		method: 'CONNECT',
		path: authority,
		headers: {
			host: authority,
			...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
		},
		createConnection: () => socket,
	});
	request.end();
	const [{ statusCode }, opened, head] = (await once(request, 'connect')) as [
		http.IncomingMessage,
		Socket,
		Buffer,
	];
	if (statusCode !== 200) {
		const status = statusCode ?? 0;
		throw new TunnelError(`PROXY_STATUS_${String(status)}`, proxyName(proxy), status);
	}
	opened.unshift(head);
	return opened;
}

async function openSocks(socket: Socket, { proxy, target }: TunnelOptions): Promise<Socket> {
	const { SocksClient } = await import('socks');
	const { user, password } = proxyCredentials(proxy);
	await SocksClient.createConnection({
		command: 'connect',
		proxy: {
			host: proxy.hostname,
			port: 1,
			type: 5,
			...(user === '' ? {} : { userId: user, password }),
		},
		destination: target,
		existing_socket: socket,
	});
	return socket;
}
