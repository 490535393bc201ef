import { reasonOf, type ConnectionReason } from './connectionReason.js';
import type { Refusal, TunnelError } from './tunnel.js';

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

/**
 * Says why there is no way through a proxy, and what to do, for a person. At most 300 characters
 * with names of usual length: a notification shows no more of what failed.
 */
export function proxyFailureText(
	error: TunnelError,
	address: URL,
	facts: ProxyFacts = anyProxy(error),
): string {
	if (error.refusal !== undefined) {
		return refusals[error.refusal](error, address.host, facts);
	}
	const code = error.code.replace(/^PROXY_/, '');
	return broken[reasonOf(code)](facts, code, address.host);
}

function anyProxy({ proxy }: TunnelError): ProxyFacts {
	return { name: proxy, scheme: 'http:', source: 'its address', credentialsSource: undefined };
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

type BrokenWords = (facts: ProxyFacts, code: string, host: string) => string;

const broken: Readonly<Record<ConnectionReason, BrokenWords>> = {
	dns: ({ name, source }, code) =>
		`The proxy ${name} cannot be found (${code}). Check ${source} and your network connection: many proxies are known in the company's network or VPN alone.`,
	refused: ({ name, source }, code) =>
		`The proxy ${name} does not accept connections (${code}). Check ${source} and whether the proxy is running.`,
	unreachable: ({ name, source }, code) =>
		`There is no way to the proxy ${name} from this machine (${code}). Check your network connection, the VPN too, and ${source}.`,
	connectTimeout: ({ name, source }, code) =>
		`The proxy ${name} did not open a way in time (${code}). Check ${source}, also whether the address has to start with http://, https:// or socks5://, and your network connection, the VPN too.`,
	certificateOfAnotherHost: ({ name, source }, code) =>
		`The certificate of the proxy ${name} belongs to another host (${code}). Enter the proxy in ${source} by the name that its certificate has.`,
	certificateNotValidToday: ({ name }, code) =>
		`The certificate of the proxy ${name} is not valid today (${code}). Check the clock of this machine; if it is right, tell who runs the proxy.`,
	certificateNotTrusted: ({ name }, code) =>
		`The certificate of the proxy ${name} is not trusted (${code}). Add its root certificate to the operating system's store, or name its file in the environment variable NODE_EXTRA_CA_CERTS. The setting http.proxyStrictSSL turns the check off.`,
	notTls: ({ name, source }, code) =>
		`The proxy ${name} does not speak TLS (${code}). Check ${source}: for most proxies the address starts with http://, whatever the service's starts with.`,
	notHttp: ({ name, source }, code) =>
		`The proxy ${name} does not answer as an HTTP proxy does (${code}). Check ${source}: the port, and whether the address has to start with https:// or socks5://.`,
	reset: ({ name, source }, code, host) =>
		`The proxy ${name} hung up before there was a way to ${host} (${code}). Check ${source}: the port, and http://, https:// or socks5:// before it. If they are right, ask those who run the proxy to allow CONNECT to ${host}.`,
	other: ({ name, source }, code) => `The proxy ${name} cannot be used (${code}). Check ${source}.`,
};
