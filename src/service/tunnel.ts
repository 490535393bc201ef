import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { proxyCredentials, proxyName, proxyPort } from './proxy.js';

/**
 * The way through a proxy failed, so nothing of the request was sent. Unlike undici's own errors
 * it tells the proxy's failures from the service's.
 */
export class TunnelError extends Error {
	override readonly name = 'TunnelError';

	constructor(
		/**
		 * `PROXY_STATUS_407` and the like, or that of the cause, as in `PROXY_ECONNREFUSED`. Never
		 * the bare code: undici connects anew, without end, where a connector fails with some of its
		 * own (`UND_ERR_SOCKET`, `ERR_TLS_CERT_ALTNAME_INVALID`).
		 */
		readonly code: string,
		/** Host and port of the proxy, without credentials. */
		readonly proxy: string,
		/** The proxy's answer, where it gave one that is not 200. */
		readonly status: number | undefined,
		cause?: unknown,
	) {
		super(`The proxy ${proxy} did not open a way (${code}).`, { cause });
	}
}

export interface TunnelOptions {
	readonly proxy: URL;
	readonly authorization: string | undefined;
	/** Connects to the proxy itself, with TLS where its address says so. */
	readonly toProxy: buildConnector.connector;
	/** Puts the service's TLS on top of the opened way. */
	readonly toService: buildConnector.connector;
	/** Longest wait for the proxy's answer, in milliseconds. */
	readonly timeoutMs: number;
	/** Ends ways that are being opened. */
	readonly signal: AbortSignal;
}

/**
 * A connector for undici's `Agent` that goes through a proxy: `CONNECT` (RFC 9110, part 9.3.6)
 * for `http:` and `https:` proxies, undici's own client for SOCKS 5.
 *
 * Not undici's `ProxyAgent`: where a proxy hangs up on `CONNECT` it asks again without end, which
 * blocks the whole process; it waits 300 s for the proxy's answer; and it does not tell the proxy's
 * errors from the service's.
 *
 * Failures of the proxy come as {@link TunnelError}.
 */
export function tunnelConnector(
	undici: typeof import('undici'),
	options: TunnelOptions,
): buildConnector.connector {
	const open = options.proxy.protocol.startsWith('socks') ? openSocks : openConnect;
	return (target, callback) => {
		open(undici, options, target).then(
			(socket) => {
				if (target.protocol === 'https:') {
					options.toService({ ...target, httpSocket: socket }, callback);
				} else {
					callback(null, socket);
				}
			},
			(error: unknown) => {
				callback(tunnelError(error, options.proxy), null);
			},
		);
	};
}

async function openConnect(
	undici: typeof import('undici'),
	{ proxy, authorization, toProxy, timeoutMs, signal }: TunnelOptions,
	target: buildConnector.Options,
): Promise<Socket> {
	const authority = `${target.host?.replace(/:\d+$/, '') ?? target.hostname}:${targetPort(target)}`;
	const client = new undici.Client(new URL(proxy.protocol + '//' + proxy.host), {
		// undici derives the name for TLS from the header `Host`, which names the service here.
		connect: (given, callback) => {
			toProxy({ ...given, servername: '' }, callback);
		},
		headersTimeout: timeoutMs,
	});
	try {
		const { socket, statusCode } = await client.connect({
			path: authority,
			headers: {
				host: authority,
				...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
			},
			signal,
		});
		if (statusCode !== 200) {
			socket.on('error', () => undefined).destroy();
			throw new TunnelError(`PROXY_STATUS_${String(statusCode)}`, proxyName(proxy), statusCode);
		}
		return socket as Socket;
	} finally {
		// The opened socket no longer belongs to the client; anything else of it must not stay.
		void client.destroy();
	}
}

async function openSocks(
	undici: typeof import('undici'),
	{ proxy, toProxy }: TunnelOptions,
	target: buildConnector.Options,
): Promise<Socket> {
	const { user, password } = proxyCredentials(proxy);
	const agent = new undici.Socks5ProxyAgent(
		`socks5://${proxy.hostname}:${String(proxyPort(proxy))}`,
		{
			username: user,
			password,
			connect: toProxy,
		},
	) as unknown as SocksConnections;
	return agent.createSocks5Connection(target.hostname, Number(targetPort(target)));
}

/**
 * What undici's SOCKS agent does inside: connects by host name, so the proxy resolves it. Its
 * `dispatch` would keep connections alive and drop our options; undici's types hide this method.
 */
interface SocksConnections {
	createSocks5Connection(host: string, port: number): Promise<Socket>;
}

function targetPort({ protocol, port }: buildConnector.Options): string {
	return port || (protocol === 'https:' ? '443' : '80');
}

function tunnelError(error: unknown, proxy: URL): TunnelError {
	if (error instanceof TunnelError) {
		return error;
	}
	const code = (error as { code?: unknown } | undefined)?.code;
	return new TunnelError(
		typeof code === 'string' ? `PROXY_${code}` : 'PROXY_FAILED',
		proxyName(proxy),
		undefined,
		error,
	);
}
