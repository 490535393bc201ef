import { reasonOf, type ConnectionReason } from './connectionReason.js';
import { proxyFailureText, type ProxyFacts } from './proxyFailure.js';
import { TunnelError } from './tunnel.js';

export interface TransportFailure {
	/** Of the system, OpenSSL or Node, after `PROXY_` for a proxy; `UNKNOWN` where there is none. */
	readonly code: string;
	readonly reason: ConnectionReason | 'proxy';
	/** What happened, with the host and the proxy, and the next step, for a person. */
	readonly text: string;
	/**
	 * Whether asking again is of no use before a person has done something: a proxy has said no.
	 * A password that is offered again and again gets its account locked.
	 */
	readonly isFinal: boolean;
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
	if (tunnel !== undefined) {
		return {
			code: tunnel.code,
			reason: 'proxy',
			text: proxyFailureText(tunnel, address, proxy),
			isFinal: tunnel.refusal !== undefined && tunnel.refusal !== 'unreachable',
		};
	}
	const coded = chain.filter((cause) => codeOf(cause) !== undefined);
	const known = coded.find((cause) => reasonOfError(cause) !== 'other') ?? coded[0];
	const code = (known && codeOf(known)) ?? 'UNKNOWN';
	const reason = known ? reasonOfError(known) : 'other';
	return { code, reason, text: texts[reason](address.host, code, proxy), isFinal: false };
}

type Words = (host: string, code: string, proxy: ProxyFacts | undefined) => string;

const texts: Readonly<Record<ConnectionReason, Words>> = {
	dns: (host, code) =>
		`The host ${host} cannot be found (${code}). Check the service address and your network connection, and whether a proxy has to be set in http.proxy.`,
	refused: (host, code) =>
		`${host} does not accept connections (${code}). Check the service address and whether the service is running.`,
	unreachable: (host, code) =>
		`There is no way to ${host} from this machine (${code}). Check your network connection, and whether a proxy has to be set in http.proxy.`,
	connectTimeout: (host, code) =>
		`${host} did not answer the connection in time (${code}). Check your network connection, and whether a proxy has to be set in http.proxy.`,
	certificateOfAnotherHost: (host, code, proxy) =>
		`The certificate of ${host} ${through(proxy)}belongs to another host (${code}). Check the service address.`,
	certificateNotValidToday: (host, code, proxy) =>
		`The certificate of ${host} ${through(proxy)}is not valid today (${code}). Check the clock of this machine; if it is right, tell who runs the service.`,
	certificateNotTrusted: (host, code, proxy) =>
		`The certificate of ${host} ${through(proxy)}is not trusted (${code}). If your company inspects traffic, add its root certificate to the operating system's store, or name its file in the environment variable NODE_EXTRA_CA_CERTS.`,
	notTls: (host, code, proxy) =>
		proxy === undefined
			? `${host} does not speak TLS as it should (${code}). Check the service address and its port.`
			: `What answered for ${host} through the proxy ${proxy.name} does not speak TLS (${code}). Perhaps it is a page to log in: open a web page in your browser, then try again. If not, check the service address and its port.`,
	notHttp: (host, code, proxy) =>
		`${host} ${through(proxy)}answered with something that is not HTTP (${code}). Check the service address and its port.`,
	reset: (host, code, proxy) =>
		proxy === undefined
			? `The connection to ${host} broke (${code}). If it always does after the same time, ask the operator of the service to allow longer requests.`
			: `The connection to ${host} through the proxy ${proxy.name} broke (${code}). If it always does after the same time, ask those who run the proxy to keep silent connections for 15 minutes.`,
	other: (host, code, proxy) =>
		`The connection to ${host} ${through(proxy)}failed (${code}). Check the service address and your network connection.`,
};

function through(proxy: ProxyFacts | undefined): string {
	return proxy === undefined ? '' : `through the proxy ${proxy.name} `;
}

function reasonOfError(error: Error): ConnectionReason {
	return reasonOf(codeOf(error) ?? '', (error as NodeJS.ErrnoException).syscall);
}

function codeOf(error: Error): string | undefined {
	const { code } = error as { code?: unknown };
	return typeof code === 'string' && code !== '' ? code : undefined;
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
