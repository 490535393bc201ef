import { codeOf } from '../files/fsErrors.js';
import { TunnelError, type Refusal } from './tunnel.js';

/** What may be shown of a proxy: nothing of this is secret. */
export interface ProxyFacts {
	/** Its host and port. */
	readonly name: string;
	/** How it is spoken to, as in `http:`. */
	readonly scheme: string;
	/** What holds its address, to be put into a sentence: `the setting http.proxy`. */
	readonly source: string;
	/** What holds the credentials that it gets, in the same way; `undefined` without any. */
	readonly credentialsSource: string | undefined;
}

export interface TransportFailure {
	/** Of the system, OpenSSL or Node, after `PROXY_` for a proxy; `UNKNOWN` where there is none. */
	readonly code: string;
	readonly reason: ConnectionReason | 'proxy';
	/**
	 * What happened, with the host and the proxy, and the next step. At most 300 characters with names
	 * of usual length: a notification shows no more.
	 */
	readonly text: string;
	/**
	 * Whether it may pass by itself: only what is known to. Not where a proxy has said no: a password
	 * that is offered again and again gets its account locked.
	 */
	readonly isRepeatable: boolean;
}

/**
 * Says why a connection could not be made or broke.
 *
 * @param error what Node threw; causes and aggregates are looked through
 * @param address the address that was called
 * @param proxy the one that stands in between, if any
 */
export function transportFailure(
	error: unknown,
	{ host }: URL,
	proxy?: ProxyFacts,
): TransportFailure {
	const chain = [...causes(error)];
	const tunnel = chain.find((cause) => cause instanceof TunnelError);
	if (tunnel !== undefined && proxy !== undefined) {
		const { code, refusal } = tunnel;
		const bare = code.replace(/^PROXY_(STATUS_)?/, '');
		const text =
			refusal === 'credentials'
				? credentialsText(tunnel, proxy)
				: refusal === undefined
					? reasons[reasonOf(bare)][2]
					: refusals[refusal];
		return {
			code,
			reason: 'proxy',
			text: fill(text, { host, code: bare, ...proxy }),
			isRepeatable: refusal === undefined || refusal === 'unreachable',
		};
	}
	const coded = chain.filter((cause) => codeOf(cause) !== '');
	const known = coded.find((cause) => reasonOfError(cause) !== 'other') ?? coded[0];
	const code = codeOf(known) || 'UNKNOWN';
	const reason = known ? reasonOfError(known) : 'other';
	const [, ofService, , behindProxy = ofService]: Reason = reasons[reason];
	const via = proxy === undefined ? '' : ` through the proxy ${proxy.name}`;
	return {
		code,
		reason,
		text: fill(proxy === undefined ? ofService : behindProxy, { host, code, via, ...proxy }),
		isRepeatable: reason !== 'notHttp' && reason !== 'other',
	};
}

/** Puts words into a text, in place of their names in braces. */
function fill(text: string, words: Readonly<Record<string, string | undefined>>): string {
	return text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');
}

/** What a proxy says no to; see {@link Refusal}. */
const refusals = {
	forbidden:
		'The proxy {name} does not allow connections to {host} ({code}). Ask its administrator to allow CONNECT to {host}, or add the host to the setting http.noProxy.',
	unreachable:
		'The proxy {name} could not connect to {host} ({code}). Check the service address. If it is right, ask the administrator of the proxy, or add the host to the setting http.noProxy.',
	notAProxy:
		'The proxy {name} did not connect to {host} but answered with something else ({code}), such as a sign-in page. Open a web page in your browser, then try again. If that does not help, check {source}.',
} as const satisfies Partial<Record<Refusal, string>>;

function credentialsText({ schemes }: TunnelError, { credentialsSource }: ProxyFacts): string {
	if (schemes.length > 0 && !schemes.includes('basic')) {
		return `The proxy {name} wants a sign-in that Easel does not support ({code}, ${schemes.join(', ')}). Ask its administrator for a user name and password (Basic). Or enter a local proxy that signs in for you in the setting http.proxy.`;
	}
	return credentialsSource === undefined
		? 'The proxy {name} wants a user name and password ({code}). Put them into {source}, as in {scheme}//user:password@{name}, with special characters percent-encoded.'
		: 'The proxy {name} rejected the user name and password ({code}). Correct them in {credentialsSource}; in an address, special characters are percent-encoded. If they are right, ask the administrator of the proxy.';
}

/** Why a connection could not be made or broke. */
type ConnectionReason = keyof typeof reasons;

type Reason = readonly [
	/** Of the system, of OpenSSL and of Node (`tls`). */
	codes: RegExp,
	/** What is shown where the service cannot be reached. */
	ofService: string,
	/** What is shown where the proxy itself cannot be reached. */
	ofProxy: string,
	/** As `ofService`, with a proxy in between, where that means something else. */
	behindProxy?: string,
];

/** The first whose codes fit counts. */
const reasons = {
	dns: [
		/^(ENOTFOUND|EAI_.*)$/,
		'The host {host} cannot be found ({code}). Check the service address and your network connection, and whether a proxy has to be set in http.proxy.',
		"The proxy {name} cannot be found ({code}). Check {source} and your network connection: many proxies are known in the company's network or VPN alone.",
	],
	refused: [
		/^ECONNREFUSED$/,
		'{host} does not accept connections ({code}). Check the service address and whether the service is running.',
		'The proxy {name} does not accept connections ({code}). Check {source} and whether the proxy is running.',
	],
	unreachable: [
		/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/,
		'This machine has no route to {host} ({code}). Check your network connection, and whether a proxy has to be set in http.proxy.',
		'This machine has no route to the proxy {name} ({code}). Check your network connection, the VPN too, and {source}.',
	],
	connectTimeout: [
		/^(CONNECT_TIMEOUT|ETIMEDOUT)$/,
		'{host} did not answer the connection in time ({code}). Check your network connection, and whether a proxy has to be set in http.proxy.',
		'The proxy {name} did not connect in time ({code}). Check {source}, whether its address must start with http://, https:// or socks5://, your network connection and the VPN.',
	],
	certificateOfAnotherHost: [
		/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
		'The certificate of {host}{via} belongs to another host ({code}). Check the service address.',
		'The certificate of the proxy {name} belongs to another host ({code}). In {source}, use the name in its certificate.',
	],
	certificateNotValidToday: [
		/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
		'The certificate of {host}{via} is not valid today ({code}). Check the clock of this machine; if it is right, tell the administrator of the service.',
		'The certificate of the proxy {name} is not valid today ({code}). Check the clock of this machine; if it is right, tell the administrator of the proxy.',
	],
	certificateNotTrusted: [
		/CERT|^INVALID_(CA|PURPOSE)$|^UNABLE_TO_/,
		"The certificate of {host}{via} is not trusted ({code}). If your company inspects traffic, add its root certificate to the operating system's store. Or name its file in the environment variable NODE_EXTRA_CA_CERTS.",
		"The certificate of the proxy {name} is not trusted ({code}). Add its root certificate to the operating system's store, or name its file in the environment variable NODE_EXTRA_CA_CERTS. The setting http.proxyStrictSSL turns the check off.",
	],
	notTls: [
		/^(EPROTO$|ERR_SSL_)/,
		'{host} does not speak TLS correctly ({code}). Check the service address and its port.',
		"The proxy {name} does not speak TLS ({code}). Check {source}: for most proxies the address starts with http://, whatever the service's starts with.",
		'The answer for {host} through the proxy {name} is not TLS ({code}); it may be a sign-in page. Open a web page in your browser, then try again. If that does not help, check the service address and its port.',
	],
	notHttp: [
		/^HPE_/,
		'{host}{via} answered with something that is not HTTP ({code}). Check the service address and its port.',
		'The proxy {name} does not answer like an HTTP proxy ({code}). Check {source}: the port, and whether the address has to start with https:// or socks5://.',
	],
	reset: [
		/^(ECONNRESET|ECONNABORTED|EPIPE)$/,
		'The connection to {host} broke ({code}). If this always happens after the same time, ask the operator of the service to allow longer requests.',
		'The proxy {name} hung up before it connected to {host} ({code}). Check {source}: the port, and http://, https:// or socks5:// before it. If they are right, ask its administrator to allow CONNECT to {host}.',
		'The connection to {host} through the proxy {name} broke ({code}). If this always happens after the same time, ask its administrator to allow silent connections of 15 minutes.',
	],
	other: [
		/^/,
		'The connection to {host}{via} failed ({code}). Check the service address and your network connection.',
		'The proxy {name} cannot be used ({code}). Check {source}.',
	],
} as const satisfies Record<string, Reason>;

function reasonOfError(error: Error): ConnectionReason {
	// On an open connection it is TCP's keep-alive that got no answer.
	const isRead = (error as NodeJS.ErrnoException).syscall === 'read';
	const code = codeOf(error);
	return isRead && code === 'ETIMEDOUT' ? 'reset' : reasonOf(code);
}

function reasonOf(code: string): ConnectionReason {
	const names = Object.keys(reasons) as ConnectionReason[];
	return names.find((name) => reasons[name][0].test(code))!;
}

/** An error, its causes and the members of its aggregates, outermost first. */
function* causes(error: unknown, depth = 0): Generator<Error> {
	// A bound, because a cause may lead back to itself.
	if (!(error instanceof Error) || depth > 8) {
		return;
	}
	yield error;
	yield* causes(error.cause, depth + 1);
	if (error instanceof AggregateError) {
		for (const inner of error.errors as unknown[]) {
			yield* causes(inner, depth + 1);
		}
	}
}
