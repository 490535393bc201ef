import * as z from 'zod';
import { isLoopback } from './address.js';
import { RequestError } from './errors.js';

/**
 * The way to the network, as VS Code's `http.*` settings say it. Plain data: it is read in the
 * extension host and handed to the worker process as JSON.
 */
export const networkOptionsSchema = z.object({
	/** `http.proxy`; empty where none is set. */
	proxy: z.string(),
	/** `http.noProxy`; with entries, the variable `NO_PROXY` is ignored. */
	noProxy: z.array(z.string()),
	/** `http.proxySupport`; only `off` makes a difference here: then no proxy is used. */
	proxySupport: z.enum(['off', 'on', 'fallback', 'override']),
	/** `http.proxyAuthorization`: the whole value of the header `Proxy-Authorization`. */
	proxyAuthorization: z.string().optional(),
	/** `http.proxyStrictSSL`: whether the proxy's own certificate is verified. */
	proxyStrictSSL: z.boolean(),
	/** `http.systemCertificates`: whether the operating system's certificates are trusted too. */
	systemCertificates: z.boolean(),
});

export type NetworkOptions = z.infer<typeof networkOptionsSchema>;

/** VS Code's own defaults. */
export const defaultNetworkOptions: NetworkOptions = {
	proxy: '',
	noProxy: [],
	proxySupport: 'override',
	proxyStrictSSL: true,
	systemCertificates: true,
};

/** A proxy's address, with its credentials, and the setting or variable that holds it. */
export interface Proxy {
	readonly url: URL;
	readonly source: string;
}

/** The environment's variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the proxy for an address, in VS Code's order: none for this machine, none with
 * `http.proxySupport` off, none where `http.noProxy` (else `NO_PROXY`) names the host; then
 * `http.proxy`, then the variables of the environment, one value for both schemes. A proxy that only
 * the operating system knows (PAC) cannot be seen from here.
 *
 * @returns `undefined` for a direct connection
 * @throws {RequestError} naming the setting or variable that holds an unusable proxy
 */
export function proxyFor(
	address: URL,
	options: NetworkOptions,
	env: Environment,
): Proxy | undefined {
	if (isThisMachine(address) || options.proxySupport === 'off') {
		return undefined;
	}
	const noProxy =
		options.noProxy.length > 0
			? options.noProxy
			: (env['no_proxy'] || env['NO_PROXY'] || '').split(',');
	if (noProxy.some((entry) => covers(entry, address))) {
		return undefined;
	}
	for (const source of ['http.proxy', 'https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
		const value = source === 'http.proxy' ? options.proxy : env[source];
		if (value?.trim()) {
			return parseProxy(value, source);
		}
	}
	return undefined;
}

/**
 * The value of `Proxy-Authorization` for a proxy, and what holds it: `http.proxyAuthorization`, else
 * the user and password in the proxy's address (RFC 7617), else `undefined`.
 *
 * @throws {RequestError} where the setting's value cannot stand in a header
 */
export function proxyAuthorizationFor(
	{ url, source }: Proxy,
	options: NetworkOptions,
): { readonly value: string; readonly source: string } | undefined {
	const given = options.proxyAuthorization?.trim();
	if (given) {
		// RFC 9110, part 5.5: other characters cannot stand in a header at all.
		if (!/^[\x20-\x7e]+$/.test(given)) {
			throw new RequestError('http.proxyAuthorization', { code: 'proxy.badAuthorization' });
		}
		return { value: given, source: 'http.proxyAuthorization' };
	}
	if (url.username === '' && url.password === '') {
		return undefined;
	}
	const { user, password } = proxyCredentials(url);
	return { value: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`, source };
}

/** User and password of a proxy's address, percent-decoded; empty where there are none. */
export function proxyCredentials(proxy: URL): { user: string; password: string } {
	return { user: decode(proxy.username), password: decode(proxy.password) };
}

/** Host and port of a proxy, without credentials: what may stand in a log or message. */
export function proxyName(proxy: URL): string {
	return `${proxy.hostname}:${String(targetOf(proxy).port)}`;
}

/** The target of a connection. */
export interface Endpoint {
	/** A name, or an address without brackets, as the resolver takes it. */
	readonly host: string;
	readonly port: number;
}

/** Returns the target of a connection to a service or a proxy; the port is the default one of its scheme. */
export function targetOf({ hostname, port, protocol }: URL): Endpoint {
	const host = hostname.replace(/^\[(.*)\]$/, '$1');
	return { host, port: Number(port) || (defaultPorts[protocol] ?? 80) };
}

const defaultPorts: Readonly<Record<string, number>> = {
	'http:': 80,
	'https:': 443,
	'socks:': 1080,
	'socks5:': 1080,
	'socks5h:': 1080,
};

/**
 * VS Code's list, with `::ffff:127.0.0.1`, and the rest of 127/8: to this machine `http://` is
 * allowed, and the key must not travel to a proxy unencrypted.
 */
function isThisMachine(address: URL): boolean {
	return isLoopback(address.hostname) || address.hostname === '[::ffff:7f00:1]';
}

/**
 * Returns whether a `noProxy` entry names the host: `*`, or labels at the end of the host name, with or
 * without a leading dot, with an optional port. No address ranges; VS Code knows none either.
 */
function covers(entry: string, address: URL): boolean {
	const text = entry.trim().toLowerCase();
	if (text === '*') {
		return true;
	}
	// An IPv6 address has colons of its own: in brackets a port may follow, without there is none.
	const bare = /^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/.test(text) ? `[${text}]` : text;
	const host = bare.replace(/:\d*$/, '');
	const port = bare.slice(host.length + 1);
	if (port !== '' && Number(port) !== targetOf(address).port) {
		return false;
	}
	const suffix = host.startsWith('.') ? host : `.${host}`;
	// A trailing dot makes a host name absolute (RFC 1034, part 3.1); it is the same host.
	return `.${address.hostname.replace(/\.$/, '')}`.endsWith(suffix);
}

function parseProxy(text: string, source: string): Proxy {
	const trimmed = text.trim();
	// Like curl and most tools: without a scheme it is an HTTP proxy.
	const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
	// The value may hold a password, so neither a message nor a cause repeats it.
	const proxy = URL.canParse(whole) ? new URL(whole) : undefined;
	if (!proxy?.hostname) {
		throw new RequestError(source, { code: 'proxy.invalid', source });
	}
	const { protocol } = proxy;
	if (defaultPorts[protocol] === undefined) {
		throw new RequestError(source, { code: 'proxy.badProtocol', source, protocol });
	}
	return { url: proxy, source };
}

/** Decodes percent-encoding; what is none is taken as it stands. */
function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
