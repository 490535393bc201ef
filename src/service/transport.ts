import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { normalizeAddress } from './address.js';
import {
	proxyAuthorizationFor,
	proxyFor,
	proxyName,
	type Environment,
	type NetworkOptions,
} from './proxy.js';
import { tunnelConnector } from './tunnel.js';

export {
	defaultNetworkOptions,
	networkOptionsSchema,
	proxyFor,
	type NetworkOptions,
} from './proxy.js';

/** A way to the service. Lives for one request or many; every request has its own connection. */
export interface Transport {
	/** For undici's `request`; also say `headersTimeout: 0, bodyTimeout: 0` there. */
	readonly dispatcher: Dispatcher;
	/** Host and port of the proxy, without credentials, for the log; `undefined` without one. */
	readonly viaProxy: string | undefined;
	/** Ends every connection at once, used or not. */
	close(): Promise<void>;
}

/** What tests set, and nobody else. */
export interface TransportOverrides {
	/** Certificates that are trusted too, as PEM. */
	readonly extraCa?: readonly string[];
	readonly connectTimeoutMs?: number;
}

/** Longest wait for a connection, in milliseconds; until then nothing has been sent. */
const connectTimeoutMs = 30_000;

/**
 * Idle time before TCP asks whether the other side is still there, in milliseconds. Routers forget
 * a silent connection after one to five minutes, and ours is silent while the image is made. Node
 * then gives up after ten unanswered probes at one second each, so more often would cost more
 * calls to short interruptions than it saves.
 */
const firstProbeMs = 45_000;

/**
 * Opens the way to the service: directly or through the proxy that VS Code's settings or the
 * environment name. Nothing is sent yet.
 *
 * Uses the `undici` package instead of the global `fetch`, because VS Code replaces a dispatcher
 * that is given to `fetch` by one of its own, which ends every call at 300 s. So what VS Code does
 * for `fetch` (proxy, certificates) is done here. `undici` is loaded on the first call.
 *
 * @param address the service's, as a URL or as a person typed it
 * @throws {RequestError} naming the setting or variable that holds an unusable proxy, or saying
 * what is wrong with the address
 */
export async function openTransport(
	address: URL | string,
	options: NetworkOptions,
	env: Environment = process.env,
	overrides: TransportOverrides = {},
): Promise<Transport> {
	const service = new URL(typeof address === 'string' ? normalizeAddress(address) : address);
	const proxy = proxyFor(service, options, env);
	const authorization = proxy && proxyAuthorizationFor(proxy, options);
	const undici = await import('undici');

	const needsTls = service.protocol === 'https:' || proxy?.protocol === 'https:';
	const timeoutMs = overrides.connectTimeoutMs ?? connectTimeoutMs;
	const connection: buildConnector.BuildOptions = {
		...(needsTls ? { secureContext: trust(options.systemCertificates, overrides.extraCa) } : {}),
		timeout: timeoutMs,
		keepAlive: true,
		keepAliveInitialDelay: firstProbeMs,
		// Node tries the next address of a host after 250 ms, too early for a slow network.
		autoSelectFamilyAttemptTimeout: 2_000,
		allowH2: false,
	};
	// `rejectUnauthorized` is Node's default, but NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
	const toService = undici.buildConnector({ ...connection, rejectUnauthorized: true });
	const closing = new AbortController();
	const dispatcher = new undici.Agent({
		connect:
			proxy === undefined
				? toService
				: tunnelConnector(undici, {
						proxy,
						authorization,
						toProxy: undici.buildConnector({
							...connection,
							rejectUnauthorized: options.proxyStrictSSL,
						}),
						toService,
						timeoutMs,
						signal: closing.signal,
					}),
		// No HTTP keep-alive: on a connection that has gone stale meanwhile, nobody could tell
		// whether the request had arrived (undici: "unsupported keepAlive, use pipelining=0").
		pipelining: 0,
		// Off: undici's default of 300 s lies within the duration of a good call, and one timer
		// alone rules an attempt, the client's. undici's own proxy agents drop these two in some
		// cases, so the client also says them with each request, whatever the dispatcher.
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	return {
		dispatcher,
		viaProxy: proxy && proxyName(proxy),
		async close() {
			closing.abort(new Error('The transport was closed.'));
			await dispatcher.destroy();
		},
	};
}

let trustWithSystem: tls.SecureContext | undefined;

/**
 * The certificates that count as trusted: those of Node, with `NODE_EXTRA_CA_CERTS`, and the
 * operating system's. Kept for the process, because reading and parsing some hundred certificates
 * takes tens of milliseconds, on macOS with a locked keychain more. `undefined` means Node's own.
 */
function trust(system: boolean, extraCa?: readonly string[]): tls.SecureContext | undefined {
	if (extraCa !== undefined) {
		return tls.createSecureContext({ ca: [...certificates(system), ...extraCa] });
	}
	// Node 22.15 is the first that can read the system's certificates.
	if (!system || typeof tls.getCACertificates !== 'function') {
		return undefined;
	}
	return (trustWithSystem ??= tls.createSecureContext({ ca: [...certificates(true)] }));
}

function certificates(system: boolean): ReadonlySet<string> {
	if (typeof tls.getCACertificates !== 'function') {
		return new Set(tls.rootCertificates);
	}
	return new Set([
		// Includes 'extra', the file that NODE_EXTRA_CA_CERTS names.
		...tls.getCACertificates('default'),
		...(system ? tls.getCACertificates('system').filter(isValid) : []),
	]);
}

/** Expired roots linger in system stores and can shadow their successors; VS Code drops them too. */
function isValid(certificate: string): boolean {
	try {
		return Date.parse(new X509Certificate(certificate).validTo) > Date.now();
	} catch {
		return false;
	}
}
