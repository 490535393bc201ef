import { TunnelError } from './tunnel.js';

/** Why a connection failed. */
export type FailureReason = OwnReason | 'proxy';

/** Why a connection failed, other than at a proxy. */
type OwnReason = 'dns' | 'refused' | 'connectTimeout' | 'certificate' | 'reset' | 'other';

/** Why a connection failed, for the program and for a person. */
export interface TransportFailure {
	/** Of the system, OpenSSL or Node, after `PROXY_` for a proxy; `UNKNOWN` where there is none. */
	readonly code: string;
	readonly reason: FailureReason;
	/** What happened, with the host, and the next step, for a person. */
	readonly text: string;
}

/**
 * Says why a connection could not be made or broke.
 *
 * @param error what Node threw; causes and aggregates are looked through
 * @param address the address that was called
 */
export function transportFailure(error: unknown, address: URL): TransportFailure {
	const chain = [...causes(error)];
	const tunnel = chain.find((cause) => cause instanceof TunnelError);
	if (tunnel !== undefined) {
		return { code: tunnel.code, reason: 'proxy', text: proxyText(tunnel, address) };
	}
	const coded = chain.filter((cause) => codeOf(cause) !== undefined);
	const known = coded.find((cause) => reasonOf(cause) !== 'other') ?? coded[0];
	const code = (known && codeOf(known)) ?? 'UNKNOWN';
	const reason = known ? reasonOf(known) : 'other';
	return { code, reason, text: texts[reason](address.host, code) };
}

const texts: Readonly<Record<OwnReason, (host: string, code: string) => string>> = {
	dns: (host, code) =>
		`The host ${host} cannot be found (${code}). Check the service address and your network connection.`,
	refused: (host, code) =>
		`${host} does not accept connections (${code}). Check the service address and whether the service is running.`,
	connectTimeout: (host, code) =>
		`${host} did not answer the connection in time (${code}). Check your network connection, and whether a proxy has to be set in http.proxy.`,
	certificate: certificateText,
	reset: (host, code) => `The connection to ${host} broke (${code}).`,
	other: otherText,
};

function certificateText(host: string, code: string): string {
	if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
		return `The certificate of ${host} belongs to another host (${code}). Check the service address.`;
	}
	if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
		return `The certificate of ${host} is not valid today (${code}). Check the clock of this machine; if it is right, tell who runs the service.`;
	}
	return `The certificate of ${host} is not trusted (${code}). If your company inspects traffic, add its root certificate to the operating system's store.`;
}

function otherText(host: string, code: string): string {
	if (unreachable.test(code)) {
		return `There is no way to ${host} from this machine (${code}). Check your network connection.`;
	}
	if (/^(EPROTO|ERR_SSL_)/.test(code)) {
		return `${host} does not speak TLS as it should (${code}). Check the service address and its port.`;
	}
	if (code.startsWith('HPE_')) {
		return `${host} answered with something that is not HTTP (${code}). Check the service address and its port.`;
	}
	return `The connection to ${host} failed (${code}).`;
}

function proxyText({ proxy, code, status, cause }: TunnelError, address: URL): string {
	if (status === 407) {
		return `The proxy ${proxy} wants a user name and password (407). Put them into the setting http.proxy, as in http://user:password@${proxy}.`;
	}
	if (status !== undefined) {
		return status < 500
			? `The proxy ${proxy} does not let you connect to ${address.host} (${String(status)}). Ask those who run it, or add the host to the setting http.noProxy.`
			: `The proxy ${proxy} could not reach ${address.host} (${String(status)}). Check the service address, or ask those who run the proxy.`;
	}
	if (cause instanceof Error && reasonOf(cause) === 'certificate') {
		return `The certificate of the proxy ${proxy} is not trusted (${code}). Add its root certificate to the operating system's store, or turn the setting http.proxyStrictSSL off.`;
	}
	return `The proxy ${proxy} cannot be used (${code}). Check the setting http.proxy and the environment variables HTTPS_PROXY and HTTP_PROXY.`;
}

const unreachable = /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/;

/** OpenSSL's codes for a bad certificate (Node's `tls`, "X509 certificate error codes"). */
const certificate = /CERT|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$|^UNABLE_TO_/;

function reasonOf(error: Error): OwnReason {
	const code = codeOf(error) ?? '';
	if (code === 'ENOTFOUND' || code.startsWith('EAI_')) {
		return 'dns';
	}
	if (code === 'ECONNREFUSED') {
		return 'refused';
	}
	if (code === 'CONNECT_TIMEOUT') {
		return 'connectTimeout';
	}
	if (code === 'ETIMEDOUT') {
		// On an open connection it is TCP's keep-alive that found nobody on the other side.
		return (error as NodeJS.ErrnoException).syscall === 'read' ? 'reset' : 'connectTimeout';
	}
	if (certificate.test(code)) {
		return 'certificate';
	}
	return /^(ECONNRESET|ECONNABORTED|EPIPE)$/.test(code) ? 'reset' : 'other';
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
