import type { ErrorFacts } from '../easelError.js';
import { codeOf } from '../files/fsErrors.js';
import { TunnelError } from './tunnel.js';

/** The parts of a proxy that may be shown: nothing of this is secret. */
export interface ProxyFacts {
	/** Its host and port. */
	readonly name: string;
	/** The protocol, as in `http:`. */
	readonly scheme: string;
	/** The setting, or the variable of the environment, that holds its address. */
	readonly source: string;
	/** The same of the credentials that it gets; `undefined` without any. */
	readonly credentialsSource: string | undefined;
}

export interface TransportFailure {
	/** The code of the system, OpenSSL or Node, after `PROXY_` for a proxy; `UNKNOWN` where there is none. */
	readonly code: string;
	readonly facts: ErrorFacts;
	/** True where it is known to pass by itself: a password that is offered again gets its account locked. */
	readonly isRepeatable: boolean;
}

/** Says why a connection, perhaps through a proxy, could not be made or broke, by what Node threw. */
export function transportFailure(
	error: unknown,
	{ host }: URL,
	proxy?: ProxyFacts,
): TransportFailure {
	if (error instanceof TunnelError && proxy !== undefined) {
		const { code, refusal } = error;
		return {
			code,
			facts: proxyFailure(error, host, proxy),
			isRepeatable: refusal === undefined || refusal === 'unreachable',
		};
	}
	// The parser of `undici` names most of its refusals in words alone.
	const isUnread = (error as Error | undefined)?.name === 'HTTPParserError';
	const code = codeOf(error) || (isUnread ? 'HPE_INVALID' : 'UNKNOWN');
	// On an open connection it is TCP's keep-alive that got no answer.
	const isSilent = code === 'ETIMEDOUT' && (error as NodeJS.ErrnoException).syscall === 'read';
	const reason = isSilent ? 'reset' : reasonOf(code);
	return {
		code,
		facts: { code: `connection.${reason}`, host, systemCode: code, proxy: proxy?.name },
		isRepeatable: reason !== 'notHttp' && reason !== 'other',
	};
}

function proxyFailure(
	{ code, refusal, schemes }: TunnelError,
	host: string,
	{ name, scheme, source, credentialsSource }: ProxyFacts,
): ErrorFacts {
	const systemCode = code.replace(/^PROXY_(STATUS_)?/, '');
	const facts = { host, systemCode, proxy: name, scheme, source };
	if (refusal === undefined) {
		return { ...facts, code: `proxy.${reasonOf(systemCode)}` };
	}
	if (refusal !== 'credentials') {
		return { ...facts, code: `proxy.refused.${refusal}` };
	}
	return schemes.length > 0 && !schemes.includes('basic')
		? { ...facts, code: 'proxy.refused.signIn', signIns: schemes.join(', ') }
		: { ...facts, code: 'proxy.refused.credentials', credentialsSource };
}

/** Why a connection could not be made or broke. */
type ConnectionReason = keyof typeof reasons;

/** By the codes of the system, of OpenSSL, of Node (`tls`) and of `undici`. The first one that fits counts. */
const reasons = {
	dns: /^(ENOTFOUND|EAI_.*)$/,
	refused: /^ECONNREFUSED$/,
	unreachable: /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/,
	connectTimeout: /^(CONNECT_TIMEOUT|ETIMEDOUT)$/,
	certificateOfAnotherHost: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
	certificateNotValidToday: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
	certificateNotTrusted: /CERT|^INVALID_(CA|PURPOSE)$|^UNABLE_TO_/,
	notTls: /^(EPROTO$|ERR_SSL_)/,
	notHttp: /^(HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$)/,
	reset: /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/,
	other: /^/,
} as const;

function reasonOf(code: string): ConnectionReason {
	const names = Object.keys(reasons) as ConnectionReason[];
	return names.find((name) => reasons[name].test(code))!;
}
