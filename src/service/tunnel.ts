import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { codeOf } from '../files/fsErrors.js';
import { isRepeatableStatus } from './errors.js';
import { proxyCredentials, type Endpoint } from './proxy.js';

export type Refusal = 'credentials' | 'forbidden' | 'unreachable' | 'notAProxy';

/** The connection through a proxy failed, so nothing of the request was sent. */
export class TunnelError extends Error {
	override readonly name = 'TunnelError';

	constructor(
		/** `PROXY_STATUS_407` and the like, or that of the cause, as in `PROXY_ECONNREFUSED`. */
		readonly code: string,
		/** Status of the proxy itself, where it has answered. */
		readonly refusal?: Refusal,
		/** The ways to sign in that the proxy offers, in lower case (RFC 9110, part 11.1). */
		readonly schemes: readonly string[] = [],
		cause?: unknown,
	) {
		super(`the proxy did not open a way (${code})`, { cause });
	}

	/** Makes a tunnel's error of any error on the way to a proxy. */
	static of(error: unknown): TunnelError {
		return error instanceof TunnelError
			? error
			: new TunnelError(`PROXY_${codeOf(error) || 'FAILED'}`, undefined, [], error);
	}
}

export interface TunnelOptions {
	readonly proxy: URL;
	/** The value of `Proxy-Authorization`, if any. */
	readonly authorization: string | undefined;
	readonly target: Endpoint;
	readonly signal: AbortSignal;
}

/**
 * Opens a tunnel through a proxy on a connection to it: `CONNECT` (RFC 9110, part 9.3.6) for `http:`
 * and `https:`, else SOCKS 5 (RFC 1928). Either resolves the host itself. A failure destroys the socket.
 *
 * @throws {TunnelError} where the proxy refuses; else the error of the connection
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
	{ authorization, target }: TunnelOptions,
): Promise<Socket> {
	const host = target.host.includes(':') ? `[${target.host}]` : target.host;
	const authority = `${host}:${String(target.port)}`;
	const headers = {
		host: authority,
		...(authorization && { 'proxy-authorization': authorization }),
	};
	const createConnection = () => socket;
	const request = http.request({ method: 'CONNECT', path: authority, headers, createConnection });
	request.end();
	type Opened = [answer: http.IncomingMessage, opened: Socket, head: Buffer];
	const [answer, opened, head] = (await once(request, 'connect')) as Opened;
	const status = answer.statusCode ?? 0;
	if (status < 200 || status > 299) {
		// What stands below the head is a page for a browser.
		const schemes = schemesOf(answer.headersDistinct['proxy-authenticate']);
		throw new TunnelError(`PROXY_STATUS_${String(status)}`, refusalOf(status), schemes);
	}
	opened.unshift(head);
	return opened;
}

function refusalOf(status: number): Refusal {
	// Tinyproxy answers 401 to a password that it does not know.
	if (status === 407 || status === 401) {
		return 'credentials';
	}
	if (isRepeatableStatus(status)) {
		return 'unreachable';
	}
	return status >= 400 ? 'forbidden' : 'notAProxy';
}

/** The first word of each challenge; parameters have a `=` behind theirs. */
function schemesOf(challenges: readonly string[] = []): string[] {
	return (
		challenges
			.flatMap((challenge) => challenge.replace(/"[^"]*"/g, '').split(','))
			.map((part) => /^\s*([\w-]{1,20})(?!\s*=|[\w-])/.exec(part)?.[1]?.toLowerCase() ?? '')
			.filter((scheme) => scheme !== '')
			// They stand in a message.
			.slice(0, 6)
	);
}

async function openSocks(socket: Socket, { proxy, target }: TunnelOptions): Promise<Socket> {
	const { SocksClient } = await import('socks');
	const { user, password } = proxyCredentials(proxy);
	try {
		await SocksClient.createConnection({
			command: 'connect',
			// The connection is there already, so its port does not matter.
			proxy: { host: proxy.hostname, port: 1, type: 5, ...(user && { userId: user, password }) },
			destination: target,
			existing_socket: socket,
		});
	} catch (error) {
		throw socksError(error as Error);
	}
	return socket;
}

/** The library tells in words what the proxy has answered, and keeps the password in its error. */
function socksError({ message }: Error): TunnelError {
	const [reason = 'SOCKS', refusal] = socksReasons.find(([, , words]) => words.test(message)) ?? [];
	return new TunnelError(`PROXY_${reason}`, refusal, [], new Error(message));
}

/** RFC 1928, parts 3 and 6, in the library's words. */
const socksReasons: readonly (readonly [code: string, refusal: Refusal | undefined, RegExp])[] = [
	['SOCKS_AUTHENTICATION', 'credentials', /no accepted authentication type|Authentication failed/],
	['SOCKS_NOT_ALLOWED', 'forbidden', /NotAllowed/],
	['SOCKS_UNREACHABLE', 'unreachable', /rejected connection/],
	['ECONNRESET', undefined, /Socket closed|ECONNRESET|EPIPE/],
	['SOCKS_INVALID', 'notAProxy', /handshake|version/],
];
