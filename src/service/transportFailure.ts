import { codeOf } from '../files/fsErrors.js';
import { TunnelError, type Refusal } from './tunnel.js';

/** What may be told of a proxy: nothing of this is secret. */
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
	address: URL,
	proxy?: ProxyFacts,
): TransportFailure {
	const chain = [...causes(error)];
	const tunnel = chain.find((cause) => cause instanceof TunnelError);
	if (tunnel !== undefined && proxy !== undefined) {
		return {
			code: tunnel.code,
			reason: 'proxy',
			text: proxyFailureText(tunnel, address.host, proxy),
			isRepeatable: tunnel.refusal === undefined || tunnel.refusal === 'unreachable',
		};
	}
	const coded = chain.filter((cause) => codeOf(cause) !== '');
	const known = coded.find((cause) => reasonOfError(cause) !== 'other') ?? coded[0];
	const code = codeOf(known) || 'UNKNOWN';
	const reason = known ? reasonOfError(known) : 'other';
	return {
		code,
		reason,
		text: reasons[reason].ofService(address.host, code, proxy),
		isRepeatable: reason !== 'notHttp' && reason !== 'other',
	};
}

function proxyFailureText(error: TunnelError, host: string, facts: ProxyFacts): string {
	if (error.refusal !== undefined) {
		return refusals[error.refusal](error, host, facts);
	}
	const code = error.code.replace(/^PROXY_/, '');
	return reasons[reasonOf(code)].ofProxy(facts, code, host);
}

type RefusalWords = (error: TunnelError, host: string, facts: ProxyFacts) => string;

const refusals: Readonly<Record<Refusal, RefusalWords>> = {
	credentials: credentialsText,
	forbidden: (error, host, { name }) =>
		`The proxy ${name} does not let you connect to ${host} (${answerOf(error)}). Ask those who run it to allow CONNECT to ${host}. If there is a way without the proxy, add the host to the setting http.noProxy.`,
	unreachable: (error, host, { name }) =>
		`The proxy ${name} could not open a way to ${host} (${answerOf(error)}). Check the service address. If it is right, ask those who run the proxy, or, if there is a way without the proxy, add the host to the setting http.noProxy.`,
	notAProxy: (error, host, { name, source }) =>
		`The proxy ${name} opened no way to ${host} but answered with something else (${answerOf(error)}), perhaps a page to log in. Open a web page in your browser, then try again. If that does not help, check ${source}.`,
};

function credentialsText(
	error: TunnelError,
	_host: string,
	{ name, scheme, source, credentialsSource }: ProxyFacts,
): string {
	const answer = answerOf(error);
	if (error.schemes.length > 0 && !error.schemes.includes('basic')) {
		return `The proxy ${name} wants a sign-in that Easel cannot do (${answer}, ${error.schemes.join(', ')}). Ask those who run it for a user name and password (Basic), or enter a local proxy that signs in for you in the setting http.proxy.`;
	}
	return credentialsSource === undefined
		? `The proxy ${name} wants a user name and password (${answer}). Put them into ${source}, as in ${scheme}//user:password@${name}, with special characters percent-encoded.`
		: `The proxy ${name} does not accept the user name and password that it was given (${answer}). Correct them in ${credentialsSource}; in an address, special characters are percent-encoded. If they are right, ask those who run the proxy.`;
}

/** The status of the proxy, or what a SOCKS proxy has said. */
function answerOf({ code }: TunnelError): string {
	return code.replace(/^PROXY_(STATUS_)?/, '');
}

/** Why a connection could not be made or broke. */
type ConnectionReason = keyof typeof reasons;

interface Reason {
	/** The codes of the system, of OpenSSL and of Node (`tls`) that mean it. */
	readonly codes: RegExp;
	/** What is shown where the service cannot be reached, by way of a proxy or not. */
	readonly ofService: (host: string, code: string, proxy: ProxyFacts | undefined) => string;
	/** What is shown where the proxy itself cannot. */
	readonly ofProxy: (proxy: ProxyFacts, code: string, host: string) => string;
}

/** The first that fits counts. */
const reasons = {
	dns: {
		codes: /^(ENOTFOUND|EAI_.*)$/,
		ofService: (host, code) =>
			`The host ${host} cannot be found (${code}). Check the service address and your network connection, and whether a proxy has to be set in http.proxy.`,
		ofProxy: ({ name, source }, code) =>
			`The proxy ${name} cannot be found (${code}). Check ${source} and your network connection: many proxies are known in the company's network or VPN alone.`,
	},
	refused: {
		codes: /^ECONNREFUSED$/,
		ofService: (host, code) =>
			`${host} does not accept connections (${code}). Check the service address and whether the service is running.`,
		ofProxy: ({ name, source }, code) =>
			`The proxy ${name} does not accept connections (${code}). Check ${source} and whether the proxy is running.`,
	},
	unreachable: {
		codes: /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/,
		ofService: (host, code) =>
			`There is no way to ${host} from this machine (${code}). Check your network connection, and whether a proxy has to be set in http.proxy.`,
		ofProxy: ({ name, source }, code) =>
			`There is no way to the proxy ${name} from this machine (${code}). Check your network connection, the VPN too, and ${source}.`,
	},
	connectTimeout: {
		codes: /^(CONNECT_TIMEOUT|ETIMEDOUT)$/,
		ofService: (host, code) =>
			`${host} did not answer the connection in time (${code}). Check your network connection, and whether a proxy has to be set in http.proxy.`,
		ofProxy: ({ name, source }, code) =>
			`The proxy ${name} did not open a way in time (${code}). Check ${source}, also whether the address has to start with http://, https:// or socks5://, and your network connection, the VPN too.`,
	},
	certificateOfAnotherHost: {
		codes: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
		ofService: (host, code, proxy) =>
			`The certificate of ${host} ${through(proxy)}belongs to another host (${code}). Check the service address.`,
		ofProxy: ({ name, source }, code) =>
			`The certificate of the proxy ${name} belongs to another host (${code}). Enter the proxy in ${source} by the name that its certificate has.`,
	},
	certificateNotValidToday: {
		codes: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
		ofService: (host, code, proxy) =>
			`The certificate of ${host} ${through(proxy)}is not valid today (${code}). Check the clock of this machine; if it is right, tell who runs the service.`,
		ofProxy: ({ name }, code) =>
			`The certificate of the proxy ${name} is not valid today (${code}). Check the clock of this machine; if it is right, tell who runs the proxy.`,
	},
	certificateNotTrusted: {
		codes: /CERT|^INVALID_(CA|PURPOSE)$|^UNABLE_TO_/,
		ofService: (host, code, proxy) =>
			`The certificate of ${host} ${through(proxy)}is not trusted (${code}). If your company inspects traffic, add its root certificate to the operating system's store, or name its file in the environment variable NODE_EXTRA_CA_CERTS.`,
		ofProxy: ({ name }, code) =>
			`The certificate of the proxy ${name} is not trusted (${code}). Add its root certificate to the operating system's store, or name its file in the environment variable NODE_EXTRA_CA_CERTS. The setting http.proxyStrictSSL turns the check off.`,
	},
	notTls: {
		codes: /^(EPROTO$|ERR_SSL_)/,
		ofService: (host, code, proxy) =>
			proxy === undefined
				? `${host} does not speak TLS as it should (${code}). Check the service address and its port.`
				: `What answered for ${host} through the proxy ${proxy.name} does not speak TLS (${code}). Perhaps it is a page to log in: open a web page in your browser, then try again. If not, check the service address and its port.`,
		ofProxy: ({ name, source }, code) =>
			`The proxy ${name} does not speak TLS (${code}). Check ${source}: for most proxies the address starts with http://, whatever the service's starts with.`,
	},
	notHttp: {
		codes: /^HPE_/,
		ofService: (host, code, proxy) =>
			`${host} ${through(proxy)}answered with something that is not HTTP (${code}). Check the service address and its port.`,
		ofProxy: ({ name, source }, code) =>
			`The proxy ${name} does not answer as an HTTP proxy does (${code}). Check ${source}: the port, and whether the address has to start with https:// or socks5://.`,
	},
	reset: {
		codes: /^(ECONNRESET|ECONNABORTED|EPIPE)$/,
		ofService: (host, code, proxy) =>
			proxy === undefined
				? `The connection to ${host} broke (${code}). If it always does after the same time, ask the operator of the service to allow longer requests.`
				: `The connection to ${host} through the proxy ${proxy.name} broke (${code}). If it always does after the same time, ask those who run the proxy to keep silent connections for 15 minutes.`,
		ofProxy: ({ name, source }, code, host) =>
			`The proxy ${name} hung up before there was a way to ${host} (${code}). Check ${source}: the port, and http://, https:// or socks5:// before it. If they are right, ask those who run the proxy to allow CONNECT to ${host}.`,
	},
	other: {
		codes: /^/,
		ofService: (host, code, proxy) =>
			`The connection to ${host} ${through(proxy)}failed (${code}). Check the service address and your network connection.`,
		ofProxy: ({ name, source }, code) =>
			`The proxy ${name} cannot be used (${code}). Check ${source}.`,
	},
} as const satisfies Record<string, Reason>;

function through(proxy: ProxyFacts | undefined): string {
	return proxy === undefined ? '' : `through the proxy ${proxy.name} `;
}

function reasonOf(code: string, syscall?: string): ConnectionReason {
	if (code === 'ETIMEDOUT' && syscall === 'read') {
		// On an open connection it is TCP's keep-alive that found nobody on the other side.
		return 'reset';
	}
	const names = Object.keys(reasons) as ConnectionReason[];
	return names.find((name) => reasons[name].codes.test(code))!;
}

function reasonOfError(error: Error): ConnectionReason {
	return reasonOf(codeOf(error), (error as NodeJS.ErrnoException).syscall);
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
