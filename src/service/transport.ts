import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { normalizeAddress } from './address.js';
import {
	proxyAuthorizationFor,
	proxyFor,
	proxyName,
	targetOf,
	type Environment,
	type NetworkOptions,
	type Endpoint,
} from './proxy.js';
import type { ProxyFacts } from './transportFailure.js';
import { openTunnel, TunnelError } from './tunnel.js';

export {
	defaultNetworkOptions,
	networkOptionsSchema,
	proxyFor,
	type NetworkOptions,
} from './proxy.js';

/** A way to the service. Every request has a connection of its own. */
export interface Transport {
	/** The service's address: its origin alone. */
	readonly address: string;
	/** The parts of the proxy that may be shown; `undefined` without one. */
	readonly viaProxy: ProxyFacts | undefined;
	/**
	 * Opens a connection to the service, for the caller to destroy. Nothing has been sent then.
	 *
	 * @throws the signal's reason; {@link TunnelError} where the proxy did not open a way; an error with
	 * the code `CONNECT_TIMEOUT`, or the system's
	 */
	connect(signal: AbortSignal): Promise<Socket>;
}

/** Options that only tests set. */
export interface TransportOverrides {
	/** Certificates that are trusted in addition, as PEM. */
	readonly extraCa?: readonly string[];
	readonly connectTimeoutMs?: number;
}

/** Wait for a connection at most, in milliseconds; until then nothing has been sent. */
const connectTimeoutMs = 30_000;

/**
 * Interval at which TCP asks on a connection whether the other side is still there, in milliseconds. Routers
 * forget a silent connection after one to five minutes, and ours is silent while the image is made.
 */
const probeEveryMs = 40_000;

/**
 * Probes begin after this idle time, in milliseconds, and repeat each second. Node gives a connection
 * up after ten without an answer, so they are switched off after the first one: it takes 400 s then.
 */
const probeAfterMs = 1_000;
const probeForMs = 1_500;

/**
 * Finds the way to the service: directly or through the proxy that VS Code's settings or the
 * environment name. Nothing is opened yet.
 *
 * It is not the global `fetch`: VS Code replaces that by one that ends every call at 300 s. So what
 * VS Code does for `fetch` (proxy, certificates) is done here. And it is not an HTTP library: Node
 * reads no more from a connection than its reader takes, so a server that closes right behind its
 * answer cannot overtake what was not read yet.
 *
 * @param address the service's, as a URL or as the user typed it
 * @throws {RequestError} naming what holds an unusable proxy, or what is wrong with the address
 */
export function openTransport(
	address: URL | string,
	options: NetworkOptions,
	env: Environment = process.env,
	overrides: TransportOverrides = {},
): Transport {
	const service = new URL(typeof address === 'string' ? normalizeAddress(address) : address);
	const proxy = proxyFor(service, options, env);
	const credentials = proxy && proxyAuthorizationFor(proxy, options);
	const target = targetOf(service);
	/** Adds TLS where the address asks for it. */
	const secure = async (socket: Socket, url: URL, isVerified: boolean, signal: AbortSignal) => {
		if (url.protocol !== 'https:') {
			return socket;
		}
		const { host } = targetOf(url);
		const secured = tls.connect({
			socket,
			host,
			// RFC 6066, part 3: a server name must not be an IP address.
			servername: net.isIP(host) === 0 ? host : '',
			ALPNProtocols: ['http/1.1'],
			secureContext: trust(options.systemCertificates, overrides.extraCa),
			rejectUnauthorized: isVerified,
		});
		return opened(secured, 'secureConnect', signal);
	};
	const open = async (signal: AbortSignal): Promise<Socket> => {
		if (proxy === undefined) {
			return connectTcp(target, signal);
		}
		try {
			const { url } = proxy;
			const toProxy = await connectTcp(targetOf(url), signal);
			const socket = await secure(toProxy, url, options.proxyStrictSSL, signal);
			const authorization = credentials?.value;
			return await openTunnel(socket, { proxy: url, authorization, target, signal });
		} catch (error) {
			throw TunnelError.of(error);
		}
	};

	return {
		address: service.origin,
		viaProxy: proxy && {
			name: proxyName(proxy.url),
			scheme: proxy.url.protocol,
			source: proxy.source,
			credentialsSource: credentials?.source,
		},
		async connect(given) {
			const deadline = AbortSignal.timeout(overrides.connectTimeoutMs ?? connectTimeoutMs);
			const signal = AbortSignal.any([given, deadline]);
			try {
				const socket = await open(signal);
				// Verified is Node's default, but NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
				return await secure(socket, service, true, signal);
			} catch (error) {
				given.throwIfAborted();
				if (!deadline.aborted) {
					throw error;
				}
				const words = 'the connection was not made in time';
				const timeout = Object.assign(new Error(words), { code: 'CONNECT_TIMEOUT' });
				throw proxy === undefined ? timeout : TunnelError.of(timeout);
			}
		},
	};
}

function connectTcp({ host, port }: Endpoint, signal: AbortSignal): Promise<Socket> {
	const socket = net.connect({
		host,
		port,
		// Node tries the next address of a host after 250 ms, too early for a slow network.
		autoSelectFamilyAttemptTimeout: 2_000,
	});
	probeNowAndThen(socket);
	return opened(socket, 'connect', signal);
}

/** Keeps a connection known to the routers in between, as long as its socket lives. */
function probeNowAndThen(socket: Socket): void {
	let end: NodeJS.Timeout | undefined;
	const begin = setInterval(() => {
		socket.setKeepAlive(true, probeAfterMs);
		end = setTimeout(() => socket.setKeepAlive(false), probeForMs).unref();
	}, probeEveryMs).unref();
	socket.once('close', () => {
		clearInterval(begin);
		clearTimeout(end);
	});
}

/**
 * Waits for the event, and destroys the socket where it does not come.
 *
 * @throws the socket's error, `ECONNRESET` where the other side hangs up; Node's `AbortError`
 */
async function opened<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
	try {
		await once(socket, event, { signal });
		return socket;
	} catch (error) {
		socket.on('error', () => undefined).destroy();
		throw error;
	}
}

let trustWithSystem: tls.SecureContext | undefined;

/**
 * The certificates that count as trusted: those of Node, with `NODE_EXTRA_CA_CERTS`, and the
 * operating system's. Kept for the process, because reading and parsing some hundred certificates
 * takes tens of milliseconds, on macOS with a locked keychain more. `undefined` means Node's own.
 */
function trust(system: boolean, extraCa?: readonly string[]): tls.SecureContext | undefined {
	if (!system && extraCa === undefined) {
		return undefined;
	}
	const create = () => {
		const ofSystem = system ? tls.getCACertificates('system').filter(isValid) : [];
		const all = [...tls.getCACertificates('default'), ...ofSystem, ...(extraCa ?? [])];
		return tls.createSecureContext({ ca: [...new Set(all)] });
	};
	return extraCa === undefined ? (trustWithSystem ??= create()) : create();
}

/** Expired roots linger in system stores and can shadow their successors; VS Code drops them too. */
function isValid(certificate: string): boolean {
	try {
		return Date.parse(new X509Certificate(certificate).validTo) > Date.now();
	} catch {
		return false;
	}
}
